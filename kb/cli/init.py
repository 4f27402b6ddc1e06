"""`kb init`: begins a knowledge base in a folder, beside whatever is there already."""

from __future__ import annotations

import argparse
import datetime
import shlex
import sys
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from kb.adopt import (
    CI,
    CITED,
    DISTRIBUTION,
    EXAMPLE,
    IGNORES,
    PARTS,
    SITE,
    TABLE,
    Plan,
    Setting,
    Surroundings,
    beginnings,
    figures_of,
    is_bare,
    is_open,
    is_own,
    lacked,
    look,
    plan_of,
    present,
    source_of,
    told,
    with_name,
    with_table,
)
from kb.finding import CheckError
from kb.home import Project, home
from kb.load import load
from kb.records.history import identity
from kb.records.write import replace_all

EDITED = ("product", "override", "sources", "decision")
"""The schemas of files that people write."""
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
        help="what CI installs with pip to get kb, such as 'accelerator-kb @ git+https://…' "
        "(default: what its files say, else the address that this installation came from); in a "
        "folder that has begun, only this changes, and only in the files for CI and pre-commit",
    )
    parser.add_argument(
        "--without", action="append", choices=PARTS, default=[], help="leave a part out"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="overwrite the files for CI and editors, and the hook of the site; what you write "
        "(specs, decisions, rules, pages, mkdocs.yml) always stays",
    )
    parser.add_argument("--yes", action="store_true", help="ask nothing, take the defaults")
    parser.add_argument("--show", metavar="FILE", help="print what would be in FILE; write nothing")


def run(args: argparse.Namespace) -> int:
    """Write the files, and say what comes next; raises `CheckError` where that can't be."""
    root = (args.folder or args.project or Path()).resolve()
    if root.exists() and not root.is_dir():
        raise CheckError(f"{str(root)!r} is no folder", "name a folder: kb init DIR")
    asking = sys.stdin.isatty() and not args.yes
    around = look(root)
    setting = _setting(root, around, args, asking=asking)
    texts = _texts(root, setting)
    if args.show is not None:
        return _show(args.show, texts)
    named = bool(args.requirement) or setting.requirement not in (None, source_of(root))
    texts = lacked(root, texts, setting, begun=around.table, named=named)
    plan = plan_of(root, texts, setting, named=named, force=args.force)
    own = [name for name in plan.kept if is_own(name, setting)]
    for name in plan.kept if asking and not args.force else ():
        if name not in own and _yes(f"{name} is there already; overwrite it?", default=False):
            plan = replace(plan, kept=tuple(n for n in plan.kept if n != name))
    chosen = {
        name: text
        for name, text in plan.texts.items()
        if name not in plan.same
        and (name not in plan.kept or (args.force and name not in (*own, SITE)))
    }
    if asking and chosen and not _yes(f"write {len(chosen)} files to {root}?", default=True):
        raise CheckError("nothing was written", "run it again when you like")
    _write(root, chosen)
    quiet = own if around.table else ()  # they are meant to say something else
    _tell(root, plan, chosen, around, quiet)
    _warn(root)
    return 0


def _setting(
    root: Path, around: Surroundings, args: argparse.Namespace, *, asking: bool
) -> Setting:
    """What the templates are filled with, as said, else as found."""
    name = args.name or root.name or "knowledge base"
    requirement = args.requirement or source_of(root)
    if asking and args.show is None:
        name = args.name or _asked("Title of the site", name)
        requirement = args.requirement or _asked("What CI installs with pip", requirement or "")
    for what, text in (("--name", name), ("--from", requirement or "")):
        if not text.isprintable() or '"' in text or "\\" in text:
            raise CheckError(f"{what} {text!r} can't stand in YAML", "leave out quotes and breaks")
    if requirement and (" #" in requirement or ": " in requirement):
        raise CheckError(
            f"--from {requirement!r} can't stand in YAML", "write no blank before '#' or behind ':'"
        )
    return Setting(
        name,
        with_name(requirement) if requirement else None,
        identity(root) or "nobody yet",
        datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        around.folders,
        figures_of(load(Project(home()), CITED_PRODUCTS, ("specs",)).corpus),
        tuple(log.folder for log in around.records),
        tuple(args.without),
        around.docs,
    )


def _texts(root: Path, setting: Setting) -> dict[str, str]:
    """Every file by its path, the table in `pyproject.toml` among them."""
    from kb.schema import schema_text

    texts = beginnings(setting, {name: schema_text(name) for name in EDITED})
    table = present(root / TABLE) or ""
    if "\ufffd" in table:
        raise CheckError(f"{TABLE} can't be read: it isn't UTF-8", "correct it first")
    return {TABLE: with_table(table, setting.folders), **texts}


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


def _tell(
    root: Path,
    plan: Plan,
    chosen: Mapping[str, str],
    around: Surroundings,
    quiet: Collection[str],
) -> None:
    for name in chosen:
        print(f"{'renewed' if name in plan.renewed else 'wrote'} {name}")
    for name in plan.kept:
        if name not in chosen and name not in quiet:
            print(f"kept {name}, which is there already; see `kb init --show {name}`")
    if plan.lacking:
        print(f"left {IGNORES} as it is; it lacks: {' '.join(plan.lacking)}")
    for log in around.records:
        told = ", ".join(log.dialects)
        print(f"left {log.folder}/ as it is: {log.count} decision records ({told})")
        print(f"  `kb check --decisions {shlex.quote(log.folder)}` judges them")
    for kind, folder in {**around.folders, "docs": around.docs}.items():
        if folder != kind and not around.table and (kind != "docs" or SITE in chosen):
            print(f"{kind}/ is taken by something else, so ours is {folder}/")
    if not chosen:
        print("nothing to write")
    here = "" if root == Path.cwd() else f" --project {root}"
    print(f"next: kb{here} check")


def _warn(root: Path) -> None:
    """Say at the end, each time, which files wait to be told where CI gets kb."""
    texts = {name: present(root / name) or "" for name in CI.values()}
    sys.stdout.flush()  # this is the last that is said
    dirname = "" if root == Path.cwd() else f" {root}"
    remedy = f"  fix: kb init{dirname} --from '{EXAMPLE}', and commit what it writes"
    waiting = [name for name, text in texts.items() if is_open(text)]
    if waiting:
        print(
            f"note: {', '.join(waiting)} can't install kb elsewhere: this installation came from "
            f"a file or a folder, and {DISTRIBUTION} is on no index; CI fails until you name an "
            f"address"
            f"\n{remedy}",
            file=sys.stderr,
        )
    bare = [name for name, text in texts.items() if is_bare(told(text))]
    if bare:
        print(
            f"note: {', '.join(bare)}: pip looks up {DISTRIBUTION} by its name, which is on no "
            f"index; whoever registers it would run code in your CI\n{remedy}",
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
