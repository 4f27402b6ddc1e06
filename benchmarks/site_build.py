"""Rendering and building the site at scale, against MkDocs alone on the very same pages.

Usage: python benchmarks/site_build.py [DECISIONS ...]

For each size a knowledge base is made from the real one: its products, decisions and evidence
repeated under other ids until there are so many decisions, half as many evidence records and
two and a half times as many claims. It is rendered; then MkDocs builds it twice in fresh
processes: with our hook, and without it from the rendered files, which it only converts.
"""

from __future__ import annotations

import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from kb.home import Project, find_project
from kb.load import load_files
from kb.measure.run.statistics import drift, order_statistic_interval, spread, tails
from kb.model.evidence import parse
from kb.model.gates import sealed
from kb.model.measurement import Measurement
from kb.records.seal import seal_of

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\((\d{4})-[\w-]+\.md\)")
OTHER = re.compile(r'(\n(?:supersedes|superseded_by):\s+- )"(\d{4})"')


def main() -> None:
    """One line a figure and a column a size."""
    sizes = [int(word) for word in sys.argv[1:]] or [500, 2000]
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            for name, value in measured(Path(folder), size).items():
                print(f"{size:6} decisions  {name:34} {value}", flush=True)


def measured(folder: Path, decisions: int) -> dict[str, str]:
    """Every figure of one size."""
    claims = make(folder, decisions)
    program = "import sys; from kb.cli import main; sys.exit(main())"
    render = seconds([sys.executable, "-P", "-c", program, "render", "--out", "pages"], folder)
    pages = len(list((folder / "pages").rglob("*.md")))
    hooked = seconds(build("mkdocs.yml", "hooked"), folder)
    bare = seconds(build("bare.yml", "bare"), folder)
    weight = sum(p.stat().st_size for p in (folder / "hooked").rglob("*") if p.is_file())
    records = decisions + decisions // 2 + claims
    return {
        "claims": str(claims),
        "pages": str(pages),
        "render, CPU s": f"{render:.1f}",
        "render, ms a record": f"{render / records * 1000:.2f}",
        "mkdocs with the hook, CPU s": f"{hooked:.1f}",
        "mkdocs alone on these pages, CPU s": f"{bare:.1f}",
        "ratio": f"{hooked / bare:.2f}",
        "site, MB": f"{weight / 1e6:.0f}",
    }


def build(config: str, out: str) -> list[str]:
    """A command of MkDocs, without Pagefind on either side."""
    return [sys.executable, "-P", "-m", "mkdocs", "build", "-q", "-f", config, "-d", out]


def seconds(command: list[str], folder: Path) -> float:
    """Processor time of one process and its children, which must succeed.

    Not wall time: what else runs on the machine would decide the ratio.
    """
    start = spent()
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    if answer.returncode:
        sys.exit(answer.stdout[-2000:] + answer.stderr[-2000:])
    return spent() - start


def spent() -> float:
    """Processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def make(folder: Path, decisions: int) -> int:
    """Write the knowledge base; the number of its claims."""
    project = find_project()
    claims = _specs(project, folder, decisions * 5 // 2)
    _decisions(project, folder, decisions)
    _evidence(project, folder, decisions // 2)
    (folder / "docs").mkdir()
    (folder / "docs" / "about.md").write_text("# About\n", "utf-8")
    (folder / "kb").mkdir()
    shutil.copy(ROOT / "kb" / "mkdocs_hook.py", folder / "kb")
    (folder / "pyproject.toml").write_text("[tool.kb]\n", "utf-8")
    config = (ROOT / "mkdocs.yml").read_text("utf-8")
    config = re.sub(r"^nav:\n(?:  .*\n)+", "nav: [{Home: index.md}]\n", config, flags=re.M)
    config = config.replace("  kb:\n", "  kb:\n    pagefind: false\n", 1)
    (folder / "mkdocs.yml").write_text(config, "utf-8")
    bare = config.replace("docs_dir: docs", "docs_dir: pages")
    (folder / "bare.yml").write_text(re.sub(r"^hooks:.*\n", "", bare, flags=re.M), "utf-8")
    return claims


def _specs(project: Project, folder: Path, wanted: int) -> int:
    shutil.copytree(project.folder("specs"), folder / "specs")
    originals = sorted(p for p in (folder / "specs").rglob("*.yml") if p.parent.name != "specs")
    texts = [(path, path.read_text("utf-8")) for path in originals]
    per_file = [len(re.findall(r"^  - id: ", text, re.M)) for _, text in texts]
    total, round_ = sum(per_file), 0
    while total < wanted:
        round_ += 1
        for (path, text), held in zip(texts, per_file, strict=True):
            if total >= wanted:
                break
            copy = text.replace(f"product: {path.stem}\n", f"product: {path.stem}-{round_}\n", 1)
            copy = re.sub(r"^name: (.*)$", rf"name: Copy {round_} of \1", copy, count=1, flags=re.M)
            copy = re.sub(
                r"^(aliases|not_to_be_confused_with):.*\n(?:  .*\n)*", "", copy, flags=re.M
            )
            path.with_name(f"{path.stem}-{round_}.yml").write_text(copy, "utf-8")
            total += held
    return total


def _decisions(project: Project, folder: Path, wanted: int) -> None:
    """Every real decision in turn, round after round; each round refers to its own records."""
    (folder / "decisions").mkdir()
    texts = [p.read_text("utf-8") for p in sorted(project.folder("decisions").glob("0*.md"))]
    # The last round may end before what a record supersedes, so it takes those that stand alone.
    alone = [text for text in texts if "\nsupersede" not in text]
    rounds, rest = divmod(wanted, len(texts))
    many = [text for _ in range(rounds) for text in texts] + alone[:rest]
    for number, text in enumerate(many, 1):
        first = (number - 1) // len(texts) * len(texts)
        path = f"decisions/{number:04}-copy.md"
        (folder / path).write_text(_renumbered(path, text, number, first), "utf-8")


def _renumbered(path: str, text: str, number: int, first: int) -> str:
    """A real decision under another number, sealed again where it was sealed."""
    copy = re.sub(r"^id: .*$", f'id: "{number:04}"', text, count=1, flags=re.M)
    copy = re.sub(r"^title: (.*)$", rf"title: Copy {number}, \1", copy, count=1, flags=re.M)
    copy = OTHER.sub(lambda m: f'{m[1]}"{int(m[2]) + first:04}"', copy)
    copy = LINK.sub(lambda m: f"]({int(m[1]) + first:04}-copy.md)", copy)
    if "\nseal: " not in copy:
        return copy
    (entry,) = load_files({path: copy}).corpus.decisions.values()
    seal = seal_of(entry.value, copy.split("\n---\n", 1)[1])
    return re.sub(r'(?<=\nseal: ")[0-9a-f]{64}', seal, copy)


def _evidence(project: Project, folder: Path, wanted: int) -> None:
    """Every real record, since the decision cites some, and copies until there are enough."""
    out = folder / "evidence"
    shutil.copytree(project.folder("evidence"), out)
    source = next(project.folder("evidence").glob("matmul-512-f32-*.json"))
    record = parse(source.read_text("utf-8"))
    for number in range(1, 1 + max(0, wanted - len(list(out.glob("*.json"))))):
        seen = tuple(_again(each, number) for each in record.measurements)
        change = {"id": f"{record.id}-{number}", "measurements": seen}
        copy = sealed(record.model_copy(update=change))
        (out / f"{copy.id}.json").write_text(copy.model_dump_json(), "utf-8")


def _again(seen: Measurement, number: int) -> Measurement:
    """The measurement with other samples, so that no drawing is that of another record.

    Clocks count whole nanoseconds.
    """
    chance = random.Random(number)  # noqa: S311 - no secret
    samples = tuple(round(sample * chance.uniform(0.9, 1.1), 9) for sample in seen.samples)
    return seen.model_copy(
        update={
            "samples": samples,
            "median": median(samples),
            "interval": order_statistic_interval(samples),
            "spread": spread(samples),
            "drift": drift(samples),
            "tails": tails(samples),
        }
    )


if __name__ == "__main__":
    main()
