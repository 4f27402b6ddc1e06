"""`kb fix`: stale texts of citations, and waivers that waive nothing any more."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kb.cli.catalogue import open_corpus
from kb.cli.project import open_project
from kb.files import read_text
from kb.finding import CheckError, quoted
from kb.home import Project
from kb.prose.cite import repaired
from kb.rules.run import check_project
from kb.writing import replace_file


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "fix",
        help="rewrite citations that have gone stale",
        description="Shows what would change as a diff, and writes it with --apply. Touched are "
        "the text between the brackets of a citation, and waiver comments that waive nothing. "
        "Exit code 0: nothing to fix, or fixed. 1: something to fix. 2: nothing was read.",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE", help="default: all")
    parser.add_argument("--apply", action="store_true", help="write the changes")


def run(args: argparse.Namespace) -> int:
    """Print the diff, and write it where `--apply` asks for that."""
    project = open_project(args)
    corpus = open_corpus(args).corpus
    unused = _unused_waivers(project)
    files = list(args.paths) or [
        *_files(project.root, project.folder("decisions")),
        *(path for path in sorted(unused) if path.suffix != ".md"),
    ]
    if not files:
        raise CheckError("there is no decision and no page in docs/", "name the files to fix")
    changed = 0
    for path in files:
        if not path.is_file():
            raise CheckError(f"there is no file {quoted(str(path))}", "correct the path")
        text, unread = read_text(path, str(path), path.resolve().parent)
        if text is None:
            raise CheckError(f"{path}: {unread[0].message}", unread[0].remedy)
        fixed = _without(repaired(text, corpus), unused.get(path.resolve(), ()))
        if fixed == text:
            continue
        changed += 1
        sys.stdout.writelines(_diff(text, fixed, _shown(path, project.root)))
        if args.apply:
            _write(path, text, fixed)
    done = "fixed" if args.apply else "to fix; run it with --apply to write this"
    print(f"{changed} of {len(files)} files {done}" if changed else "nothing is stale")
    return 1 if changed and not args.apply else 0


def _unused_waivers(project: Project) -> dict[Path, list[str]]:
    """The waiver comments that waive nothing, by file, as they were written when judged.

    The file isn't read again: another run may have changed it, and its places with it.
    """
    found: dict[Path, list[str]] = {}
    for item in check_project(project).findings:
        if item.finding.rule == "unused-waiver":
            path = (project.root / item.mark.path).resolve()
            span = item.mark.span
            if span.start.line == span.end.line:
                comment = item.mark.line[span.start.column - 1 : span.end.column - 1]
                found.setdefault(path, []).append(comment)
    return found


def _without(text: str, comments: Sequence[str]) -> str:
    """The text without these comments; a line that held nothing else goes with it."""
    lines = text.split("\n")
    for comment in comments:
        at = next((i for i, line in enumerate(lines) if comment in line), None)
        if at is not None:
            rest = lines[at].replace(comment, "", 1).rstrip()
            lines[at : at + 1] = [rest] if rest else []
    return "\n".join(lines)


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
    replace_file(path, mark + text.encode("utf-8"))
