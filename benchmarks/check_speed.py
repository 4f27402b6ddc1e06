"""How fast `kb check` is: cold, unchanged, after one changed claim, and as the base grows.

    python benchmarks/check_speed.py                       # 10,000 decisions, 1,000 specs
    python benchmarks/check_speed.py --growth 1000 10000 50000
    python benchmarks/check_speed.py --start                # one specification, again and again

Everything is timed by a fresh process, in one run, and set against two others that read the
same files: libyaml and markdown-it-py alone, which judge nothing, and check-jsonschema, which
validates the same YAML against the same schema.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import yaml
from generate import knowledge_base, write
from markdown_it import MarkdownIt
from timing import Cost, machine, run

BIN = Path(sys.executable).parent
KB = BIN / "kb"
ROOT = Path(__file__).resolve().parents[1]
TURNS, LARGE = 3, 8_000
"""Checks of each size as the base grows, of which the one that was disturbed least counts; from
`LARGE` on one."""
STARTS = 15
"""Checks of each kind of a base of one specification; the first of all are not counted."""


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description="Time kb check.")
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--specs", type=int, default=1_000)
    parser.add_argument("--growth", type=int, nargs="+", metavar="RECORDS")
    parser.add_argument("--start", action="store_true", help="a base of one specification")
    parser.add_argument("--floor", type=Path, help="only compose and parse the files of a folder")
    args = parser.parse_args()
    if args.floor:
        compose_and_parse(args.floor)
        return
    print(machine())
    with tempfile.TemporaryDirectory(prefix="kb-speed-") as name:
        if args.growth:
            growth(Path(name), args.growth)
        elif args.start:
            start(Path(name))
        else:
            compare(Path(name), args.decisions, args.specs)
    print(machine())


def compose_and_parse(folder: Path) -> None:
    """The floor: YAML composed by libyaml with its positions, Markdown parsed, nothing kept."""
    parse = MarkdownIt().parse
    loader = yaml.CLoader
    for path in sorted(folder.glob("specs/**/*.yml")):
        loader(path.read_text("utf-8")).get_single_node()
    for path in sorted(folder.glob("decisions/*.md")):
        front, _, body = path.read_text("utf-8").removeprefix("---\n").partition("\n---\n")
        loader(front).get_single_node()
        parse(body)


def compare(folder: Path, decisions: int, specs: int) -> None:
    """One size, in all its ways."""
    base, cache = folder / "base", {"KB_CACHE_DIR": str(folder / "cache")}
    write(knowledge_base(decisions, specs), base)
    check = [KB, "--project", base, "check"]
    costs = {
        "floor: libyaml and markdown-it-py": run(
            [sys.executable, __file__, "--floor", base], folder
        ),
        "check-jsonschema, front matter and specs": _jsonschema(folder, base),
        "cold, one process": run([*check, "--jobs", "1", "--no-cache"], folder),
        "cold, all cores": run(check, folder, given=cache),
        "nothing changed": run(check, folder, given=cache),
    }
    _change_a_claim(base)
    costs["one claim changed"] = run(check, folder, given=cache, codes=(0, 1))
    print(f"{decisions:,} decisions and {specs:,} specifications")
    for what, cost in costs.items():
        print(f"{what:42} {cost}")
    floor, schema, _, cold, warm, changed = costs.values()
    _ratio("cold / floor", cold, floor)
    _ratio("cold / check-jsonschema", cold, schema)
    _ratio("nothing changed / cold", warm, cold)
    _ratio("one claim changed / cold", changed, cold)


def _ratio(what: str, one: Cost, other: Cost) -> None:
    print(f"{what:42} {one.wall / other.wall:8.2f} wall   {one.cpu / other.cpu:8.2f} cpu")


def _jsonschema(folder: Path, base: Path) -> Cost:
    """check-jsonschema on all YAML of one kind after the other; front matter as files."""
    fronts = folder / "fronts"
    fronts.mkdir()
    for path in base.glob("decisions/*.md"):
        front = path.read_text("utf-8").removeprefix("---\n").partition("\n---\n")[0]
        (fronts / f"{path.stem}.yml").write_text(front, "utf-8")
    specs = list(base.glob("specs/*/*.yml"))
    costs = []
    for schema, files in (("product", specs), ("decision", sorted(fronts.iterdir()))):
        path = ROOT / "schemas" / f"{schema}.schema.json"
        command = [BIN / "check-jsonschema", "--schemafile", path, *files]
        costs.append(run(command, folder, codes=(0, 1)))
    return Cost(
        sum(cost.wall for cost in costs),
        sum(cost.cpu for cost in costs),
        max(cost.peak for cost in costs),
        "",
    )


def _change_a_claim(base: Path) -> None:
    """Another bandwidth in one product, which some decisions cite."""
    path = sorted(base.glob("specs/*/*.yml"))[7]
    text = path.read_text("utf-8")
    found = re.search(r'id: gpu-hbm-bandwidth.*?published: "(\d+) GB/s"', text, re.DOTALL)
    if found is None:
        raise RuntimeError("the generated specification has no such claim")
    at = found.start(1)
    path.write_text(f"{text[:at]}{int(found[1]) + 1}{text[found.end(1) :]}", "utf-8")


def growth(folder: Path, sizes: list[int]) -> None:
    """Cost and memory a record, as the number of records grows; one specification in ten.

    A start costs the same whatever the size, so what each further record costs stands beside.
    """
    print(f"{'records':>8} {'cpu/record':>13} {'each further':>13} {'peak/record':>13} {'peak':>8}")
    least: tuple[int, Cost] | None = None
    for size in sizes:
        base = folder / f"base-{size}"
        write(knowledge_base(size - size // 11, size // 11), base)
        command = [KB, "--project", base, "check", "--jobs", "1", "--no-cache"]
        turns = TURNS if size < LARGE else 1
        cost = min((run(command, folder) for _ in range(turns)), key=lambda one: one.cpu)
        more = ""
        if least is not None:
            more = f"{(cost.cpu - least[1].cpu) / (size - least[0]) * 1e3:.3f} ms"
        print(
            f"{size:8,} {cost.cpu / size * 1e3:10.3f} ms {more:>13} "
            f"{cost.peak / size * 1e3:10.1f} kB {cost.peak:5.0f} MB"
        )
        least = size, cost


def start(folder: Path) -> None:
    """A base of one specification and its sources: the median of many starts of each kind."""
    base, cache = folder / "base", {"KB_CACHE_DIR": str(folder / "cache")}
    for path in ("specs/acme/acme-x1.yml", "specs/sources.yml"):
        there = base / path
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "kb" / "rules" / "base" / path, there)
    check, spec = [KB, "--project", base, "check"], base / "specs" / "acme" / "acme-x1.yml"
    costs: dict[str, list[Cost]] = {}
    for number in range(STARTS + 1):
        with spec.open("a", encoding="utf-8") as file:
            file.write(f"# {number}\n")
        for what, options in (("changed", []), ("unchanged", []), ("cold", ["--no-cache"])):
            cost = run([*check, *options], folder, given=cache, codes=(0, 1))
            costs.setdefault(what, []).append(cost)
    for what, found in costs.items():
        wall, cpu = (statistics.median(getattr(c, n) for c in found[1:]) for n in ("wall", "cpu"))
        print(f"one specification, {what:10} {wall:6.3f} s wall {cpu:6.3f} s cpu")


if __name__ == "__main__":
    main()
