"""Runs every kernel on the CPU at sizes that are ragged at every edge, against float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.measure.cuda import shim
from kb.measure.cuda.kernels import Kernel
from kb.measure.cuda.twins import Sizes
from kb.measure.run import correctness

SIZES: dict[int, tuple[Sizes, ...]] = {
    1: ((3,), (1000,), (1003,)),
    2: ((3, 7), (5, 300), (2, 1024)),
    3: ((1, 1, 1), (64, 64, 64), (70, 50, 33), (130, 65, 130)),
}
"""By the number of sizes: below, at and beyond one tile, one block and one vector load."""


@dataclass(frozen=True, slots=True)
class Row:
    """What one kernel gave at one size."""

    sizes: Sizes
    norm_error: float | None
    bound: float
    right: bool
    note: str = ""


def check(kernel: Kernel) -> Iterator[Row]:
    """Each size with its verdict; raises `CudaFailure` for a deadlock or a stray write.

    A result that changes when the threads take turns in the other order has a race.
    """
    for sizes in SIZES[len(kernel.sizes)]:
        twin = kernel.twin_of(sizes)
        inputs = twin.arrays()
        got = shim.run(kernel, sizes, inputs)
        again = shim.run(kernel, sizes, inputs, backwards=True)
        seen = correctness.judge(got, correctness.reference(twin)[0], twin.tolerance)
        same = got.tobytes() == again.tobytes()
        note = "" if same else ", and it depends on the order of the threads"
        yield Row(sizes, seen.norm_error, seen.tolerance.bound, seen.passed and same, note)
