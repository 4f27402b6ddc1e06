"""One function a boundary: what is inside the clock, and the words that say so.

All take what is compiled, placed and ready already. None is ever added to another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from kb.measure.run import framework
from kb.measure.run.sample import (
    Progress,
    Samples,
    Stopping,
    Wait,
    collect,
    queue,
    summarise,
)
from kb.model.measurement import Measurement, NoiseFloor, QueuePoint
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    import jax

WARM = (
    "Python call, dispatch, execution and the wait for the result; inputs were on the "
    "device and ready, the program was compiled; no copy to or from the host."
)
QUEUED = "Many calls in flight with one wait at the end, divided by the number of calls."
PLACED = "Copying all inputs from pageable memory of the host, until they are ready on the device."
FETCHED = "Copying a ready result to the host that was not copied before."
SHARED = " Here host and device share their memory, so this may be a view and no copy."
WHOLE = (
    "Copying all inputs to the device, the call, the wait, copying the result to the host and "
    "adding up its elements there, which stands for its use."
)

QUEUE_SECONDS = 0.05
QUEUE_BATCHES = 15
SWEEP_BATCHES = 7
MOST_QUEUED = 64
MOST_HELD_BYTES = 16 * 2**20
"""Results in flight; more would time the operating system's paging."""

SIDE_SHARE = 8
"""A boundary beside the main one gets this fraction of its time."""


@dataclass(frozen=True, slots=True)
class Bench:
    """What every boundary works with."""

    compiled: Callable[..., object]
    host: tuple[Any, ...]
    placed: tuple[Any, ...]
    device: jax.Device
    stopping: Stopping
    progress: Progress
    wait: Wait

    def call(self) -> object:
        """One call on placed inputs; doesn't wait."""
        return self.compiled(*self.placed)

    @property
    def aside(self) -> Stopping:
        """How long a boundary beside the main one is sampled."""
        main = self.stopping
        seconds = main.max_seconds / SIDE_SHARE
        return Stopping(min(20, main.fewest), min(100, main.most), 0.05, seconds)


def warm(bench: Bench) -> Samples:
    """Warm calls, each waited for."""
    return collect(bench.call, bench.wait, bench.stopping, bench.progress)


def throughput(
    bench: Bench, seconds: float, floor: NoiseFloor, held_bytes: int
) -> tuple[Measurement, tuple[QueuePoint, ...]]:
    """The longest queue as a measurement, and shorter ones as points.

    `seconds` is the fastest lone call, `held_bytes` the size of one result.
    """
    longest = queue_length(seconds, held_bytes)
    points = []
    calls = 1
    while calls < longest:
        bench.progress(f"{calls} calls in flight")
        seen = queue(bench.call, bench.wait, calls, SWEEP_BATCHES)
        points.append(QueuePoint(calls=calls, samples=seen.seconds, median=_middle(seen)))
        calls *= 2
    bench.progress(f"{longest} calls in flight")
    seen = queue(bench.call, bench.wait, longest, QUEUE_BATCHES)
    return summarise(Boundary.THROUGHPUT, QUEUED, seen, floor, longest), tuple(points)


def _middle(seen: Samples) -> float:
    from statistics import median

    return median(seen.seconds)


def queue_length(seconds: float, held_bytes: int) -> int:
    """Calls in one queue, from the seconds and the result bytes of a single call."""
    wanted = ceil(QUEUE_SECONDS / max(seconds, 1e-9))
    return max(2, min(wanted, MOST_QUEUED, MOST_HELD_BYTES // max(held_bytes, 1)))


def host_to_device(bench: Bench, floor: NoiseFloor) -> Measurement:
    """Placing all inputs anew."""
    bench.progress("copying inputs to the device")

    def place() -> object:
        return framework.place(bench.host, bench.device)

    seen = collect(place, bench.wait, bench.aside, bench.progress)
    includes = PLACED + (SHARED if bench.device.platform == "cpu" else "")
    return summarise(Boundary.HOST_TO_DEVICE, includes, seen, floor)


def device_to_host(bench: Bench, floor: NoiseFloor) -> Measurement:
    """Fetching a result; each sample gets a fresh one, since a second copy would be free."""
    bench.progress("copying results to the host")
    fresh: list[object] = [None]

    def prepare() -> None:
        fresh[0] = bench.wait(bench.call())

    seen = collect(lambda: framework.fetch(fresh[0]), _done, bench.aside, bench.progress, prepare)
    includes = FETCHED + (SHARED if bench.device.platform == "cpu" else "")
    return summarise(Boundary.DEVICE_TO_HOST, includes, seen, floor)


def end_to_end(bench: Bench, floor: NoiseFloor) -> Measurement:
    """From arrays of the host to a number made of the result on the host."""
    bench.progress("the whole way, from host to host")

    def whole() -> object:
        placed = framework.place(bench.host, bench.device)
        fetched = framework.fetch(bench.wait(bench.compiled(*placed)))
        return sum(float(each.sum()) for each in fetched)

    seen = collect(whole, _done, bench.aside, bench.progress)
    return summarise(Boundary.END_TO_END, WHOLE, seen, floor)


def _done(result: object) -> object:
    """What is on the host already needs no wait."""
    return result
