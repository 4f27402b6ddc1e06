"""`kb render`: check, then write the pages of the site as plain Markdown, SVG and JSON."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from kb.cli.project import nothing_checked, open_project
from kb.cli.terminal import coloured
from kb.cli.writing import refuse_content
from kb.finding import CheckError, quoted
from kb.home import Project
from kb.writing import draft_of, remove, replace_folder

Subparsers = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)

MARKER = ".kb-rendered"
"""Its presence says that a folder was written by us; it lists the files that may go."""


def add_parser(subparsers: Subparsers[argparse.ArgumentParser]) -> None:
    """Add `render` with its arguments."""
    parser = subparsers.add_parser(
        "render",
        help="write the pages of the site as plain Markdown",
        description="Exit code 0: written. 1: findings at error level, nothing written. "
        "2: the check or the writing did not happen.",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write")
    parser.add_argument(
        "--evidence",
        type=Path,
        metavar="DIR",
        help="a second folder of evidence records, such as build/evidence",
    )


def run(args: argparse.Namespace) -> int:
    """Check the project; write its pages, or the report that says why not."""
    from kb.publish import site
    from kb.report.text import render as report_text

    project = open_project(args)
    refuse_target(args.out, project)
    if args.evidence is not None and not args.evidence.is_dir():
        raise CheckError(f"there is no folder {quoted(str(args.evidence))}", "correct --evidence")
    found = site(project, [args.evidence] if args.evidence is not None else ())
    if not found.report.files:
        raise nothing_checked(project, f"render --out {shlex.quote(str(args.out))}")
    if found.report.exit_code:
        sys.stdout.write(report_text(found.report, colour=coloured()))
        return found.report.exit_code
    write(found.files, args.out)
    print(f"wrote {len(found.files)} files to {args.out}")
    return 0


def refuse_target(out: Path, project: Project) -> None:
    """Raise `CheckError` where writing into `out` would touch content or a stranger's folder."""
    real = out.resolve()
    refuse_content(out, project)
    if project.root.resolve().is_relative_to(real):
        raise CheckError(
            f"{str(out)!r} holds the knowledge base itself",
            "write to a folder of its own, such as build/pages",
        )
    if real.exists() and not real.is_dir():
        raise CheckError(f"{str(out)!r} is no folder", "choose another --out")
    if real.is_dir() and any(real.iterdir()) and not (real / MARKER).is_file():
        raise CheckError(
            f"{str(out)!r} is not empty and was not written by kb render",
            "name an empty folder, or remove what is in it yourself",
        )
    _refuse_strangers(out, real)


def _refuse_strangers(out: Path, real: Path) -> None:
    """Raise `CheckError` where the folder holds a file that its marker does not list."""
    if not (real / MARKER).is_file():
        return
    ours = {MARKER, *(real / MARKER).read_text("utf-8", "replace").splitlines()[1:]}
    found = (Path(top, name) for top, folders, names in os.walk(real) for name in (*names, *folders)
             if name in names or Path(top, name).is_symlink())  # fmt: skip
    others = sorted({path.relative_to(real).as_posix() for path in found} - ours)
    if others:
        raise CheckError(
            f"{str(out)!r} holds files that kb render did not write, such as {others[0]!r}",
            "move them elsewhere, or remove the folder yourself",
        )


def write(files: Mapping[str, str | bytes], out: Path) -> None:
    """Replace `out` by `files` as a whole: a reader sees the old tree or the new one."""
    real = out.resolve()
    try:
        real.parent.mkdir(parents=True, exist_ok=True)
        fresh = draft_of(real)
        fresh.mkdir()
    except OSError as error:
        raise CheckError(
            f"{str(out)!r} can't be written: {error.strerror}", "choose another --out"
        ) from None
    try:
        _fill(fresh, files)
        replace_folder(real, fresh)
    except OSError as error:
        raise CheckError(
            f"{str(out)!r} can't be written: {error.strerror or os.fspath(out)}",
            "make room or choose another --out; what was there before is untouched",
        ) from None
    finally:
        remove(fresh)


def _fill(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write every file into a new folder, and the marker that lists them."""
    listed = "\n".join(sorted(files))
    marker = f"Written by kb render; replaced as a whole.\n{listed}\n"
    for path, content in {MARKER: marker, **files}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
