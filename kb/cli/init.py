"""`kb init`: begins a knowledge base in a folder, beside whatever is there already."""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from kb.adopt import (
    CITED,
    IGNORES,
    PARTS,
    Setting,
    Surroundings,
    beginnings,
    figures_of,
    look,
    not_ignored,
    with_table,
)
from kb.finding import CheckError
from kb.home import Project, home
from kb.load import load
from kb.records.history import identity
from kb.records.write import replace_all

EDITED = ("product", "override", "sources", "decision")
"""The schemas of files that people write."""
TABLE = "pyproject.toml"
DISTRIBUTION = "accelerator-kb"
CITED_PRODUCTS = tuple(key.partition("/")[0] for key in CITED)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "init",
        help="begin a knowledge base in a folder",
        description="Writes specs, a first decision, an example of a rule, the site's "
        "configuration, and what CI and pre-commit need. A file that is there already stays as it "
        "is, unless you say otherwise. Exit code 0: done. 2: nothing was written.",
    )
    parser.add_argument(
        "folder", nargs="?", type=Path, default=None, metavar="DIR", help="default: the working one"
    )
    parser.add_argument("--name", help="title of the site (default: the folder's name)")
    parser.add_argument(
        "--from",
        dest="requirement",
        metavar="REQUIREMENT",
        help="what CI installs with pip: a version, a wheel, or git+https://… "
        "(default: where this installation came from)",
    )
    parser.add_argument(
        "--without", action="append", choices=PARTS, default=[], help="leave a part out"
    )
    parser.add_argument("--force", action="store_true", help="overwrite what is there")
    parser.add_argument("--yes", action="store_true", help="ask nothing, take the defaults")
    parser.add_argument("--show", metavar="FILE", help="print what would be in FILE; write nothing")


@dataclass(frozen=True)
class _Plan:
    """What would be written, and what stands in its place now."""

    texts: Mapping[str, str]
    kept: tuple[str, ...]
    """Files that are there already and say something else."""
    same: tuple[str, ...]
    """Files that stay, since they say the same; `.gitignore` is one whatever it says."""
    lacking: tuple[str, ...] = ()
    """Lines that a `.gitignore` lacks."""


def run(args: argparse.Namespace) -> int:
    """Write the files, and say what comes next; raises `CheckError` where that can't be."""
    root = (args.folder or args.project or Path()).resolve()
    if root.exists() and not root.is_dir():
        raise CheckError(f"{str(root)!r} is no folder", "name a folder: kb init DIR")
    asking = sys.stdin.isatty() and not args.yes
    around = look(root)
    texts = _texts(root, around, args, asking=asking)
    if args.show is not None:
        return _show(args.show, texts)
    plan = _plan(root, texts)
    for name in plan.kept if asking and not args.force else ():
        if _yes(f"{name} is there already; overwrite it?", default=False):
            plan = _without_kept(plan, name)
    chosen = {
        name: text
        for name, text in plan.texts.items()
        if name not in plan.same and (args.force or name not in plan.kept)
    }
    if asking and chosen and not _yes(f"write {len(chosen)} files to {root}?", default=True):
        raise CheckError("nothing was written", "run it again when you like")
    _write(root, chosen)
    if args.requirement is None and not asking:
        _warn(chosen)
    _tell(root, plan, chosen, around)
    return 0


def _texts(
    root: Path, around: Surroundings, args: argparse.Namespace, *, asking: bool
) -> dict[str, str]:
    """Every file by its path, the table in `pyproject.toml` among them."""
    from kb.schema import schema_text

    name = args.name or root.name or "knowledge base"
    requirement = args.requirement or _requirement()
    if asking and args.show is None:
        name = args.name or _asked("Title of the site", name)
        requirement = args.requirement or _asked("What CI installs with pip", requirement)
    for what, text in (("--name", name), ("--from", requirement)):
        if not text.isprintable() or '"' in text or "\\" in text:
            raise CheckError(f"{what} {text!r} can't stand in YAML", "leave out quotes and breaks")
    setting = Setting(
        name,
        requirement,
        identity(root) or "nobody yet",
        datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        around.folders,
        figures_of(load(Project(home()), CITED_PRODUCTS, ("specs",)).corpus),
        tuple(log.folder for log in around.records),
        tuple(args.without),
    )
    texts = beginnings(setting, {name: schema_text(name) for name in EDITED})
    table = root / TABLE
    before = table.read_bytes().decode("utf-8") if table.is_file() else ""
    return {TABLE: with_table(before, around.folders), **texts}


def _requirement() -> str:
    """What pip needs to install the very kb that runs: its address, else its version."""
    try:
        own = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return DISTRIBUTION
    origin = json.loads(own.read_text("direct_url.json") or "{}")
    vcs = origin.get("vcs_info")
    if vcs:
        return f"{DISTRIBUTION} @ {vcs['vcs']}+{origin['url']}@{vcs['commit_id']}"
    if str(origin.get("url", "")).startswith("https://"):
        return f"{DISTRIBUTION} @ {origin['url']}"
    return f"{DISTRIBUTION}=={own.version}"


def _plan(root: Path, texts: Mapping[str, str]) -> _Plan:
    kept, same = [], []
    lacking: tuple[str, ...] = ()
    for name, text in texts.items():
        path = root / name
        if not path.resolve().is_relative_to(root):
            raise CheckError(f"{name} is a link that leads out of {root}", "remove the link")
        if not path.exists():
            continue
        if not path.is_file():
            raise CheckError(f"{name} is there and is no file", "move it away")
        present = path.read_bytes().decode("utf-8", "replace")
        if name == IGNORES:
            lacking = not_ignored(present, text)
        if name == IGNORES or present == text:
            same.append(name)
        elif name != TABLE:  # to which a table is appended; nothing in it is lost
            kept.append(name)
    return _Plan(texts, tuple(kept), tuple(same), lacking)


def _without_kept(plan: _Plan, name: str) -> _Plan:
    return replace(plan, kept=tuple(n for n in plan.kept if n != name))


def _write(root: Path, chosen: Mapping[str, str]) -> None:
    """All files or none."""
    try:
        for name in chosen:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
        replace_all(root, {name: text.encode("utf-8") for name, text in chosen.items()})
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise CheckError(
            f"nothing was written: {error.strerror}{where}", "name a folder that you may write to"
        ) from None


def _tell(root: Path, plan: _Plan, chosen: Mapping[str, str], around: Surroundings) -> None:
    for name in chosen:
        print(f"wrote {name}")
    for name in plan.kept:
        if name not in chosen:
            print(f"kept {name}, which is there already; see `kb init --show {name}`")
    if plan.lacking:
        print(f"left {IGNORES} as it is; it lacks: {' '.join(plan.lacking)}")
    for log in around.records:
        told = ", ".join(log.dialects)
        print(f"left {log.folder}/ as it is: {log.count} decision records ({told})")
        print(f"  `kb check --decisions {log.folder}` judges them")
    for kind, folder in around.folders.items():
        if folder != kind and not around.table:
            print(f"{kind}/ is taken by something else, so ours is {folder}/")
    if not chosen:
        print("nothing to write")
    here = "" if root == Path.cwd() else f" --project {root}"
    print(f"next: kb{here} check")


def _warn(chosen: Mapping[str, str]) -> None:
    """Say so where CI would ask an index for what came here from a file or a folder."""
    own = _requirement()
    asking = [name for name, text in chosen.items() if own in text]
    if "://" not in own and asking:
        print(
            f"note: {', '.join(asking)} ask pip for {DISTRIBUTION} by its version, and this "
            "installation came from a file or a folder; say where CI gets it: "
            "kb init --force --from git+https://…",
            file=sys.stderr,
        )


def _show(name: str, texts: Mapping[str, str]) -> int:
    if name not in texts:
        raise CheckError(f"kb init writes no {name!r}", f"name one of {', '.join(texts)}")
    sys.stdout.write(texts[name])
    return 0


def _asked(what: str, default: str) -> str:
    return input(f"{what} [{default}]: ").strip() or default


def _yes(question: str, *, default: bool) -> bool:
    answer = input(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().lower()
    return default if not answer else answer in ("y", "yes")
