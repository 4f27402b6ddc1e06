"""`kb measure sweep`: every workload of a matrix, each in a process of its own."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from kb.cli.measure.arguments import Subparsers, add_out, short
from kb.cli.measure.words import time
from kb.cli.project import open_project
from kb.pages.words import name as words

if TYPE_CHECKING:
    from kb.measure.study.matrix import Cell, Done, Matrix


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds the sweep."""
    one = actions.add_parser(
        name,
        help="measure a matrix of shapes, formats and precision policies; can be resumed",
        description="Each cell is a process and a record of its own. Started again, it measures "
        "what is missing and nothing twice; what timed out or did not fit is kept as such, and "
        "--again tries it anew. Exit code 0: every record is publishable. 1: a cell failed or "
        "misses a gate. 2: the file is no matrix.",
    )
    one.add_argument("matrix", type=Path, metavar="FILE", help="the matrix (YAML)")
    one.add_argument("--again", action="store_true", help="try failed cells once more")
    add_out(one)
    one.add_argument("--json", action="store_true", help="print what became of each cell as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every cell gave a publishable record."""
    from kb.measure.run.process import require_jax
    from kb.measure.study.matrix import Progress, cells, read

    matrix = read(args.matrix)
    require_jax()
    folder = open_project(args).folder("evidence") if args.out is None else args.out
    progress, begun = Progress(matrix, _fingerprint(), folder), perf_counter()
    found: dict[str, Done] = {}
    asked = list(cells(matrix))
    todo = [cell for cell in asked if _missing(progress.done(cell), again=args.again)]
    for index, cell in enumerate(todo):
        _say(f"{cell.id} ({index + 1} of {len(todo)}{_left(index, len(todo), begun)})")
        progress.note(cell, _measured(cell, matrix, folder))
    _say("")
    for cell in asked:
        done = progress.done(cell)
        if done is not None:
            found[cell.id] = done
    _print(found, len(asked) - len(todo), folder, as_json=args.json)
    return 0 if all(done.publishable for done in found.values()) else 1


def _missing(done: Done | None, *, again: bool) -> bool:
    return done is None or (again and done.kind is not None)


def _fingerprint() -> str:
    """What must be the same for a finished cell to count: versions, device choice, flags."""
    import os
    from importlib.metadata import version

    from kb.measure.run.environment import cpu_model, flags

    known = [f"{name} {version(name)}" for name in ("jax", "jaxlib")]
    return json.dumps([*known, cpu_model(), flags(os.environ)], sort_keys=True)


def _measured(cell: Cell, matrix: Matrix, folder: Path) -> Done:
    """Measures one cell and writes its record; a failure is an answer, but for a full disk."""
    from kb.measure.run.failure import Failed, FailureKind
    from kb.measure.run.process import Request, measure
    from kb.measure.run.record import write
    from kb.measure.run.sample import Stopping
    from kb.measure.study.matrix import Done
    from kb.qualifiers import Boundary

    request = Request(
        workload=cell.id,
        stopping=Stopping(fewest=matrix.samples, max_seconds=matrix.max_seconds),
        command=f"kb measure sweep, cell {cell.id} of {matrix.matrix}",
        boundaries=("throughput",),
        cell=cell.plain,
    )
    try:
        limit = matrix.timeout_seconds - 2 * matrix.max_seconds
        seen = measure(request, patience=max(1.0, limit))
        record, path = write(seen.record, folder, seen.hlo)
    except Failed as error:
        if error.kind is FailureKind.NOT_WRITTEN:
            raise
        return Done(None, publishable=False, median=None, kind=error.kind, message=str(error))
    warm = record.measurement(Boundary.WARM_HOST)
    middle = None if warm is None else warm.median
    return Done(path.name, publishable=record.publishable, median=middle)


def _left(index: int, total: int, begun: float) -> str:
    """The time that is left, once a cell has shown how long one takes."""
    if index == 0:
        return ""
    seconds = (perf_counter() - begun) / index * (total - index)
    return (
        f", about {seconds / 60:.0f} min left" if seconds > 90 else f", about {seconds:.0f} s left"
    )


def _say(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[2K{text}")
        sys.stderr.flush()


def _print(found: dict[str, Done], kept: int, folder: Path, *, as_json: bool) -> None:
    if as_json:
        rows = [
            {
                "cell": name,
                "file": None if done.file is None else short(folder / done.file),
                "publishable": done.publishable,
                "median_seconds": done.median,
                "kind": done.kind,
                "message": done.message,
            }
            for name, done in found.items()
        ]
        print(json.dumps({"schema_version": 1, "kept": kept, "cells": rows}, indent=2))
        return
    width = max((len(name) for name in found), default=0)
    for name, done in found.items():
        middle = "" if done.median is None else time(done.median)
        state = "publishable" if done.publishable else "misses a gate"
        if done.kind is not None:
            state = f"{words(done.kind)}: {done.message}"
        print(f"  {name:<{width}}  {middle:>9}  {state}")
    print(f"{len(found)} cells in {short(folder)}, {kept} of them from before")
