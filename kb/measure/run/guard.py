"""Finds out whether a clock was stopped before the work was done.

Dispatch returns while the device is still busy. So after every stop each array of the
result is asked whether it is ready, and one more wait is timed: a wait that takes time
means that the sample measured the queue and not the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter_ns

from kb.measure.run import framework
from kb.model.measurement import Guard, GuardVerdict
from kb.qualifiers import Boundary

RESIDUAL_FACTOR = 20.0
"""A wait this many times a null wait is no longer the price of asking."""
RESIDUAL_FLOOR = 100e-6
"""Seconds; below this the operating system alone can delay a wait."""
RESIDUAL_SHARE = 0.05
"""Nor is a wait under this share of a sample worth more than a rounding of it."""
PREEMPTED_SHARE = 0.10
"""Ready results whose wait was long: more than this share is not the scheduler's doing."""
QUEUE_SHARE = 0.25
"""A lone call can't be far faster than its share of a queue that keeps the device busy.

Somewhat faster it may be: a queue holds all its results, so it pays for fresh memory.
"""


@dataclass(frozen=True, slots=True)
class Watch:
    """What was seen right after one clock stopped."""

    ready: bool
    residual_seconds: float


def inspect(result: object) -> Watch:
    """Asks every array of `result` whether it is ready, then times one more wait.

    Call it after the clock has stopped; `result` is any nest of arrays. The question
    comes before the wait, since waiting would make the answer always yes.
    """
    arrays = framework.leaves(result)
    ready = bool(arrays) and all(array.is_ready() for array in arrays)
    start = perf_counter_ns()
    framework.wait(result)
    return Watch(ready, (perf_counter_ns() - start) / 1e9)


def null_wait(repeats: int = 50) -> float:
    """Median seconds of a wait for a result that is ready already."""
    import jax

    ready = framework.wait(jax.device_put(1.0))
    return median(inspect(ready).residual_seconds for _ in range(repeats))


def limit(null_wait_seconds: float, median_seconds: float) -> float:
    """The longest residual wait, in seconds, that still means nothing was pending."""
    share = RESIDUAL_SHARE * median_seconds
    return max(RESIDUAL_FACTOR * null_wait_seconds, RESIDUAL_FLOOR, share)


def judge(
    watches: Sequence[Watch],
    null_wait_seconds: float,
    median_seconds: float,
    queue_seconds: float | None,
) -> Guard:
    """The verdict over a run; times in seconds, `queue_seconds` is per call of a queue."""
    longest = limit(null_wait_seconds, median_seconds)
    pending = sum(not watch.ready for watch in watches)
    late = sum(watch.ready and watch.residual_seconds > longest for watch in watches)
    n = len(watches)
    if pending:
        verdict = GuardVerdict.DISPATCH_ONLY
        why = f"{pending} of {n} results were not ready when the clock stopped."
    elif late > PREEMPTED_SHARE * n:
        verdict = GuardVerdict.DISPATCH_ONLY
        why = f"{late} of {n} results said ready and then took over {longest:.1e} s more."
    elif queue_seconds is not None and median_seconds < QUEUE_SHARE * queue_seconds:
        verdict = GuardVerdict.TOO_FAST
        why = f"A call took {median_seconds:.2e} s, in a queue {queue_seconds:.2e} s."
    else:
        verdict = GuardVerdict.SYNCHRONISED
        why = f"All {n} results were ready at the stop; {late} waited over {longest:.1e} s more."
    return Guard(
        boundary=Boundary.WARM_HOST,
        ready_at_stop=tuple(watch.ready for watch in watches),
        residual_wait_seconds=tuple(watch.residual_seconds for watch in watches),
        residual_limit_seconds=longest,
        queue_seconds_per_call=queue_seconds,
        verdict=verdict,
        why=why,
    )
