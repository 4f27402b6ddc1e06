"""Checking again on every save, as `kb check --watch` and `kb serve` do."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from kb.finding import CheckError, with_extra
from kb.home import FOLDERS, Project

QUIET = 40
"""Milliseconds without a further change after which a save counts as done."""


def saves(project: Project) -> Iterator[None]:
    """Once at the beginning and once after each save in the content of a project.

    Ends where the user interrupts it. Raises `CheckError` without the extra `watch`.
    """
    try:
        from watchfiles import watch
    except ModuleNotFoundError:
        raise CheckError("watching needs watchfiles", with_extra("watch")) from None
    yield None
    paths = [path for name in FOLDERS if (path := project.folder(name)).is_dir()]
    table = project.root / "pyproject.toml"
    if table.is_file():
        paths.append(table)
    if not paths:
        raise CheckError(f"{str(project.root)!r} has nothing to watch", "begin with kb init")
    for _ in watch(*paths, watch_filter=_counts, debounce=400, step=QUIET, raise_interrupt=False):
        yield None


def _counts(_: object, path: str) -> bool:
    """Whether a change matters: editors write files of their own beside the one they save."""
    name = Path(path).name
    return not name.startswith((".", "#", "~")) and not name.endswith(("~", ".swp", ".tmp"))


def repeat(project: Project, check: Callable[[], int]) -> int:
    """Run a check now and after every save, until interrupted; the last exit code."""
    code = 2
    for _ in saves(project):
        start = time.perf_counter()
        if sys.stdout.isatty():
            sys.stdout.write("\x1b[2J\x1b[H")  # the newest report alone, from the top
        try:
            code = check()
        except CheckError as error:  # a half-written table must not end the watching
            print(f"error: {error}\n  fix: {error.remedy}")
            code = 2
        took = time.perf_counter() - start
        print(f"checked in {took:.2f} s; waiting for a save, end with Ctrl-C", flush=True)
    return code
