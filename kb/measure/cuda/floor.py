"""The smallest times that a boundary can tell from nothing, measured before anything else."""

from __future__ import annotations

from statistics import median
from time import get_clock_info, perf_counter_ns

from kb.measure.cuda.runtime import Runtime
from kb.measure.cuda.timing import MAIN, START, STOP
from kb.model.measurement import NoiseFloor
from kb.qualifiers import Boundary

REPEATS = 50


def floors(runtime: Runtime) -> dict[Boundary, NoiseFloor]:
    """For events: two in a row with nothing between. For the host: an event and its wait."""
    between, host, wait = [], [], []
    for _ in range(REPEATS):
        runtime.record(START, MAIN)
        runtime.record(STOP, MAIN)
        runtime.synchronise_event(STOP)
        between.append(runtime.elapsed(START, STOP))
        start = perf_counter_ns()
        runtime.record(STOP, MAIN)
        runtime.synchronise_stream(MAIN)
        stop = perf_counter_ns()
        runtime.synchronise_stream(MAIN)
        host.append((stop - start) / 1e9)
        wait.append((perf_counter_ns() - stop) / 1e9)

    def floor(null: list[float]) -> NoiseFloor:
        return NoiseFloor(
            null_call_seconds=max(median(null), 0.0),
            null_wait_seconds=median(wait),
            clock_resolution_seconds=get_clock_info("perf_counter").resolution,
        )

    events, clock = floor(between), floor(host)
    copies = (Boundary.HOST_TO_DEVICE, Boundary.DEVICE_TO_HOST)
    return {
        Boundary.DEVICE_EVENTS: events,
        Boundary.WARM_HOST: clock,
        Boundary.THROUGHPUT: clock,
        **dict.fromkeys(copies, clock),
    }
