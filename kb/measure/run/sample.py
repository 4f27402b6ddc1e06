"""Takes samples: warms up until calls settle, then times until the median is known.

One sample is one call and one wait, so it includes the Python call, dispatch, execution
and synchronisation. The inputs are ready and the program is compiled before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import get_clock_info, perf_counter, perf_counter_ns

from kb.measure.run.guard import Watch, inspect, null_wait
from kb.measure.run.statistics import (
    drift,
    labels,
    order_statistic_interval,
    relative_half_width,
    settled,
    spread,
    tails,
)
from kb.model.measurement import Measurement, NoiseFloor, WarmUp
from kb.qualifiers import Boundary

Call = Callable[[], object]
Wait = Callable[[object], object]
Progress = Callable[[str], None]
Prepare = Callable[[], None]

WINDOW = 5
QUEUE_WARM_SECONDS = 2.0
BATCH = 10
"""Looking at the interval only every so often limits the bias of stopping on a good look."""


@dataclass(frozen=True, slots=True)
class Stopping:
    """When enough is enough."""

    fewest: int = 20
    most: int = 500
    half_width: float = 0.01
    """Wanted half-width of the median's interval, over the median."""
    max_seconds: float = 20.0
    """For warm-up and samples together; the fewest samples are taken all the same."""
    min_seconds: float = 0.0
    """Sampling goes on at least this long, so that a slow wave of the machine is seen."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Raw samples in seconds with what the guard saw after each of them."""

    seconds: tuple[float, ...]
    watches: tuple[Watch, ...]
    warm_up: WarmUp
    target_reached: bool


def nothing() -> None:
    """What happens before a sample that needs no preparation."""


def one(call: Call, wait: Wait, prepare: Prepare = nothing) -> tuple[float, Watch]:
    """Times one call to its wait, in seconds, and inspects the result afterwards.

    `prepare` runs before the clock starts. The result is held past the stop, so freeing its
    memory is not timed.
    """
    prepare()
    start = perf_counter_ns()
    result = wait(call())
    stop = perf_counter_ns()
    return (stop - start) / 1e9, inspect(result)


def warm(call: Call, wait: Wait, max_seconds: float, prepare: Prepare = nothing) -> WarmUp:
    """Calls on the sampled path until two windows of five agree within 5 %."""
    begun, seconds = perf_counter(), list[float]()
    agree = False
    while not agree and (len(seconds) < 2 * WINDOW or perf_counter() - begun < max_seconds):
        seconds.append(one(call, wait, prepare)[0])
        if len(seconds) >= 2 * WINDOW:
            before, after = median(seconds[-2 * WINDOW : -WINDOW]), median(seconds[-WINDOW:])
            agree = abs(after - before) <= 0.05 * before
    return WarmUp(calls=len(seconds), seconds=perf_counter() - begun, settled=agree)


def collect(
    call: Call, wait: Wait, stopping: Stopping, progress: Progress, prepare: Prepare = nothing
) -> Samples:
    """Warms up, then samples in batches until the interval is narrow or time is up."""
    begun = perf_counter()
    warm_up = warm(call, wait, stopping.max_seconds / 4, prepare)
    seconds, watches = list[float](), list[Watch]()
    reached = False
    while not reached and len(seconds) < stopping.most:
        if len(seconds) >= stopping.fewest and perf_counter() - begun > stopping.max_seconds:
            break
        for _ in range(BATCH):
            sample, watch = one(call, wait, prepare)
            seconds.append(sample)
            watches.append(watch)
        progress(_state(seconds, stopping, perf_counter() - begun))
        enough = len(seconds) >= stopping.fewest and perf_counter() - begun >= stopping.min_seconds
        reached = enough and settled(seconds, stopping.half_width)
    return Samples(tuple(seconds), tuple(watches), warm_up, reached)


def _state(seconds: Sequence[float], stopping: Stopping, spent: float) -> str:
    """How far sampling is: what is known, what is wanted, and how long it may still take."""
    width = relative_half_width(seconds)
    known = "no interval yet" if width is None else f"±{width:.1%} of ±{stopping.half_width:.1%}"
    left = max(0.0, stopping.max_seconds - spent)
    return f"{len(seconds)} samples, median {median(seconds):.3e} s, {known}, {left:.0f} s left"


def queue(call: Call, wait: Wait, calls: int, batches: int) -> Samples:
    """Seconds per call of `batches` queues of `calls` each, with one wait at the end."""

    def enqueue() -> object:
        # All results are held: freeing them is no part of the work.
        return [call() for _ in range(calls)]

    warm_up = warm(enqueue, wait, QUEUE_WARM_SECONDS)
    taken = [one(enqueue, wait) for _ in range(batches)]
    return Samples(
        seconds=tuple(seconds / calls for seconds, _ in taken),
        watches=tuple(watch for _, watch in taken),
        warm_up=warm_up.model_copy(update={"calls": warm_up.calls * calls}),
        target_reached=True,
    )


def noise_floor(call: Call, wait: Wait, repeats: int = 100) -> NoiseFloor:
    """The floor from a null `call`: a compiled program that returns one number."""
    warm(call, wait, 0.5)
    return NoiseFloor(
        null_call_seconds=median(one(call, wait)[0] for _ in range(repeats)),
        null_wait_seconds=null_wait(),
        clock_resolution_seconds=get_clock_info("perf_counter").resolution,
    )


def summarise(
    boundary: Boundary, includes: str, samples: Samples, floor: NoiseFloor, calls: int = 1
) -> Measurement:
    """The measurement that the raw samples make; each is the time of one call, in seconds."""
    seconds = samples.seconds
    return Measurement(
        boundary=boundary,
        unit="s",
        includes=includes,
        calls_per_sample=calls,
        samples=seconds,
        n=len(seconds),
        median=median(seconds),
        interval=order_statistic_interval(seconds),
        spread=spread(seconds),
        drift=drift(seconds),
        noise_floor=floor,
        warm_up=samples.warm_up,
        labels=labels(seconds, floor, target_reached=samples.target_reached),
        tails=tails(seconds),
    )
