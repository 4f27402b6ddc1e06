"""`kb fix`: rewrites the texts of citations that no longer say what their targets say."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kb.cli.catalogue import open_corpus, open_project
from kb.finding import CheckError
from kb.load.files import read_text
from kb.prose.cite import repaired


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "fix",
        help="rewrite citations that have gone stale",
        description="Shows what would change in the decisions and docs as a diff, and writes it "
        "with --apply. Only the text between the brackets of a citation is ever touched. "
        "Exit code 0: nothing to fix, or fixed. 1: something to fix. 2: nothing was read.",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE", help="default: all")
    parser.add_argument("--apply", action="store_true", help="write the changes")


def run(args: argparse.Namespace) -> int:
    """Print the diff, and write it where `--apply` asks for that."""
    project = open_project(args)
    corpus = open_corpus(args).corpus
    files = list(args.paths) or list(_files(project.root, project.folder("decisions")))
    if not files:
        raise CheckError("there is no decision and no page in docs/", "name the files to fix")
    changed = 0
    for path in files:
        if not path.is_file():
            raise CheckError(f"there is no file {str(path)!r}", "correct the path")
        text, unread = read_text(path, str(path), path.resolve().parent)
        if text is None:
            raise CheckError(f"{path}: {unread[0].message}", unread[0].remedy)
        fixed = repaired(text, corpus)
        if fixed == text:
            continue
        changed += 1
        sys.stdout.writelines(_diff(text, fixed, _shown(path, project.root)))
        if args.apply:
            _write(path, text, fixed)
    done = "fixed" if args.apply else "to fix; run it with --apply to write this"
    print(f"{changed} of {len(files)} files {done}" if changed else "no stale citation")
    return 1 if changed and not args.apply else 0


def _files(root: Path, decisions: Path) -> Iterator[Path]:
    for top in (decisions, root / "docs"):
        if top.is_dir():
            yield from sorted(p for p in top.rglob("*.md") if p.is_file() and not p.is_symlink())


def _shown(path: Path, root: Path) -> str:
    resolved, top = path.resolve(), root.resolve()
    return resolved.relative_to(top).as_posix() if resolved.is_relative_to(top) else str(path)


def _diff(before: str, after: str, name: str) -> Iterator[str]:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
    )
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _write(path: Path, before: str, after: str) -> None:
    """Replace the file at once, so that no reader ever sees half of it."""
    raw = path.read_bytes()
    text = after.replace("\n", "\r\n") if b"\r\n" in raw else after
    mark = b"\xef\xbb\xbf" if raw.startswith(b"\xef\xbb\xbf") else b""
    if raw.decode("utf-8-sig").replace("\r\n", "\n") != before:
        raise CheckError(f"{str(path)!r} changed while it was read", "run it again")
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(mark + text.encode("utf-8"))
        Path(temporary).chmod(path.stat().st_mode & 0o7777)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
