"""Measures any function in this very process, for a notebook or a script.

Nothing is cold here: the record says that the process did other things before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kb.measure.custom import of
from kb.measure.run.plan import Settings, observe
from kb.measure.run.record import assemble, now
from kb.measure.run.sample import Stopping
from kb.model.evidence import Evidence

SECONDS = 2.0
"""How long the warm calls are sampled at most, unless told otherwise; a notebook is waiting."""


def measure_here(
    function: Callable[..., Any],
    *inputs: Any,
    reference: Callable[..., Any] | None = None,
    length: int | None = None,
    settings: Settings | None = None,
) -> Evidence:
    """The sealed record of `function` on `inputs`, any nests of arrays.

    The result is held against `reference` in float64 on the CPU, or against the function
    itself where none is given. `length` is the number of roundings that may pile up in one
    element; it is counted where it can be. Times are in seconds. Raises
    `kb.measure.run.failure.Failed` for a run that can't be judged.
    """
    chosen, begun = settings or Settings(Stopping(max_seconds=SECONDS)), now()
    workload = of(function, inputs, reference=reference, length=length)
    seen = observe(workload, chosen, lambda _: None)
    return assemble(seen, chosen, f"measure_here({workload.id}, …)", begun)
