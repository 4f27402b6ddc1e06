"""Several processes, each with a part of the files.

They are forks, so that rules, texts and specifications are there without being sent. Where
the system can't fork, where another library has begun threads of its own (a fork copies one
thread and every lock, held or not), and for few files, there is one part.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kb.checking.part import Part, Result
from kb.checking.shelf import Shelf
from kb.checking.summary import Summary
from kb.files import RawFile

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

FEW = 200
"""Files a process, below which another process costs more than it saves."""
TASKS = Path("/proc/self/task")
"""One entry for each thread of this process."""

Summaries = dict[str, Summary]
MakeShelf = Callable[[Summaries], Shelf]
Pending = Callable[[Shelf], Collection[str]]


def can_fork() -> bool:
    """Whether a fork of this process is whole: Linux, and no thread but this one.

    Threads of JAX or of a linear algebra library aren't known to `threading`, so the system
    is asked; where it doesn't say (no `/proc`), nothing is forked.
    """
    if sys.platform != "linux":
        return False
    try:
        return sum(1 for _ in TASKS.iterdir()) == 1
    except OSError:
        return False


def judge_all(
    part: Part, unread: Sequence[RawFile], make: MakeShelf, pending: Pending, jobs: int
) -> tuple[Shelf, dict[str, Result]]:
    """Summarise what is `unread`, build the shelf, and judge what is then pending.

    `unread` are files without a summary. Order and text of the results don't depend on the
    number of processes.
    """
    # Everybody needs the specifications, so they are read before the others part.
    specs = [file for file in unread if file.kind == "specs"]
    known = part.summarise(specs)
    rest = [file for file in unread if file.kind != "specs"]
    count = min(jobs, 1 + len(rest) // FEW) if can_fork() else 1
    shares = [rest[number::count] for number in range(count)]
    if count == 1:
        shelf = make({**known, **part.summarise(rest)})
        return shelf, part.judge(pending(shelf), shelf)
    gc.freeze()  # a fork that looks for garbage would copy all that it looks at
    helpers = [_Helper(part, share, make, pending) for share in shares[1:]]
    try:
        known |= part.summarise(shares[0])
        for helper in helpers:
            known |= helper.summaries()
        for helper in helpers:
            helper.go_on(known)
        shelf = make(known)
        wanted = pending(shelf)
        elsewhere = {file.path for share in shares[1:] for file in share}
        results = part.judge([path for path in wanted if path not in elsewhere], shelf)
        for helper in helpers:
            results |= helper.results()
    finally:
        for helper in helpers:
            helper.end()
        gc.unfreeze()
    return shelf, {path: results[path] for path in wanted if path in results}


class _Helper:
    """Another process, as seen from the first one."""

    def __init__(
        self, part: Part, share: Sequence[RawFile], make: MakeShelf, pending: Pending
    ) -> None:
        import multiprocessing  # late: most checks need no other process

        context = multiprocessing.get_context("fork")
        self.line, there = context.Pipe()
        self.process: BaseProcess = context.Process(
            target=_help, args=(there, part, share, make, pending), daemon=True
        )
        self.process.start()
        there.close()

    def summaries(self) -> Summaries:
        found: Summaries = self.line.recv()
        return found

    def go_on(self, known: Summaries) -> None:
        self.line.send(known)

    def results(self) -> dict[str, Result]:
        found: dict[str, Result] = self.line.recv()
        return found

    def end(self) -> None:
        self.line.close()
        self.process.join(1)
        self.process.kill()


def _help(
    line: Connection, part: Part, share: Sequence[RawFile], make: MakeShelf, pending: Pending
) -> None:
    """The work of another process."""
    try:
        line.send(part.summarise(share))
        shelf = make(line.recv())
        own = {file.path for file in share}
        line.send(part.judge([path for path in pending(shelf) if path in own], shelf))
    except (EOFError, OSError, KeyboardInterrupt):
        return  # the first process gave up
