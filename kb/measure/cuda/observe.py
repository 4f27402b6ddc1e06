"""Runs one kernel, or its baseline, on the GPU: first whether it is right, then how long.

Every run gives two records, since intervals between events and on the host's clock must not
be compared: a record holds one kind of boundary only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from kb.measure.cuda import timing
from kb.measure.cuda.backend import CudaRuntime, Loaded
from kb.measure.cuda.clocks import Clocks
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import Kernel
from kb.measure.cuda.runtime import Work
from kb.measure.cuda.timing import MAIN, SHORT, Job, Limits, Sampled
from kb.measure.cuda.vendor import Baseline
from kb.measure.run import correctness
from kb.model.cudarun import ClockReading, Implementation, L2Treatment
from kb.model.measurement import Correctness, Stage
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    import numpy as np

BATCH_SECONDS = 200e-6
MOST_BATCHED = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One workload on the device: inputs, room for the result, and what is right."""

    kernel: Kernel
    buffers: tuple[Any, ...]
    """The inputs in order, then the result."""
    wanted: np.ndarray
    placing: Stage


@dataclass(frozen=True, slots=True)
class Taken:
    """Samples of one boundary with what was true while they were taken."""

    boundary: Boundary
    includes: str
    calls: int
    sampled: Sampled
    l2: L2Treatment
    l2_bytes: int
    graph_launches: int
    clocks: tuple[ClockReading, ...]
    clocks_missing_because: str | None


@dataclass(frozen=True, slots=True)
class Observed:
    """All that one implementation of one workload showed."""

    implementation: Implementation
    called: str
    loaded: Loaded | None
    library_version: str | None
    stages: tuple[Stage, ...]
    correctness: Correctness
    taken: tuple[Taken, ...]


def place(runtime: CudaRuntime, kernel: Kernel, wanted: np.ndarray) -> Case:
    """Copies the inputs to the device and makes room for the result."""
    arrays = kernel.twin.arrays()
    start = perf_counter_ns()
    inputs = tuple(runtime.upload(array) for array in arrays)
    seconds = (perf_counter_ns() - start) / 1e9
    result = runtime.empty(wanted.size * 4)
    stage = Stage(
        boundary=Boundary.HOST_TO_DEVICE,
        seconds=seconds,
        includes="Copying all inputs from pageable memory, until they are there.",
        listener_seconds=None,
        first_in_process=True,
    )
    return Case(kernel, (*inputs, result), wanted, stage)


def kernel_run(runtime: CudaRuntime, case: Case, limits: Limits) -> Observed:
    """Compiles, loads, checks and times our own kernel; raises `CudaFailure`."""
    start = perf_counter_ns()
    loaded = runtime.load(case.kernel)
    compiling = _stage(Boundary.COMPILE, start, "Compiling the source by NVRTC and loading it.")
    work = runtime.work(loaded, case.buffers, case.kernel.sizes)
    first, seen = _check(runtime, case, work, loaded.kernel.entry)

    def graph(calls: int) -> Work:
        return runtime.graph_of(loaded, case.buffers, case.kernel.sizes, calls)

    taken = _times(runtime, work, loaded.kernel.entry, limits, graph)
    _check(runtime, case, work, loaded.kernel.entry)
    stages = (compiling, case.placing, first)
    entry = loaded.kernel.entry
    return Observed(Implementation.KERNEL, entry, loaded, None, stages, seen, taken)


def vendor_run(runtime: CudaRuntime, case: Case, found: Baseline, limits: Limits) -> Observed:
    """Checks and times the vendor's call over the same inputs; raises `CudaFailure`."""
    start = perf_counter_ns()
    loading = _stage(Boundary.COMPILE, start, "Nothing: the library brings its own code.")
    first, seen = _check(runtime, case, found.work, found.called)
    taken = _times(runtime, found.work, found.called, limits, None)
    stages = (loading, case.placing, first)
    version = found.version
    return Observed(Implementation.VENDOR_LIBRARY, found.called, None, version, stages, seen, taken)


def _stage(boundary: Boundary, start: int, includes: str) -> Stage:
    return Stage(
        boundary=boundary,
        seconds=(perf_counter_ns() - start) / 1e9,
        includes=includes,
        listener_seconds=None,
        first_in_process=True,
    )


def _check(runtime: CudaRuntime, case: Case, work: Work, called: str) -> tuple[Stage, Correctness]:
    """Runs once over a result full of NaN and judges it; raises for a wrong one."""
    import numpy as np

    result = case.buffers[-1]
    result.fill(0xFF, stream=runtime.stream(MAIN))
    runtime.synchronise_stream(MAIN)
    start = perf_counter_ns()
    work(MAIN)
    runtime.synchronise_stream(MAIN)
    stage = _stage(Boundary.FIRST_CALL, start, "One launch with inputs ready, until it is over.")
    got = runtime.download(result, np.empty(case.wanted.shape, dtype=np.float32))
    seen = correctness.judge(got, case.wanted, case.kernel.twin.tolerance)
    if not seen.passed:
        raise CudaFailure(
            FailureKind.WRONG_RESULT,
            f"{called} for {case.kernel.id} at {case.kernel.sizes}: norm error {seen.norm_error}, "
            f"{seen.share_out_of_tolerance:.3%} of the elements out of tolerance "
            f"{seen.tolerance.bound:.2e}.",
            "No sample is kept. Run `kb measure cuda cpu` to see whether the source is right.",
        )
    return stage, seen


def _times(
    runtime: CudaRuntime, work: Work, what: str, limits: Limits, graph: Any
) -> tuple[Taken, ...]:
    """Samples between events, then of one call on the host's clock, then of a full queue."""
    flush, size = runtime.flush()
    alone = Job(work, what, prepare=flush, prepared="overwriting of the second-level cache")
    events = take(runtime, Boundary.DEVICE_EVENTS, alone, limits, L2Treatment.FLUSHED, size)
    seconds = sorted(events.sampled.seconds)[len(events.sampled.seconds) // 2]
    many = max(2, min(MOST_BATCHED, ceil(BATCH_SECONDS / max(seconds, 1e-7))))
    if seconds < SHORT:
        # Each sample was launched behind a flush; what is this short needs many in a row.
        events = _batched(runtime, work, what, limits, graph, many)
    warm, none = L2Treatment.LEFT_WARM, 0
    return (
        events,
        take(runtime, Boundary.WARM_HOST, Job(work, what), limits, warm, none),
        take(runtime, Boundary.THROUGHPUT, Job(work, what, launches=many), limits, warm, none),
    )


def _batched(
    runtime: CudaRuntime, work: Work, what: str, limits: Limits, graph: Any, many: int
) -> Taken:
    """One event pair around many launches, by a graph where the work can be put into one."""
    if graph is None:
        job = Job(work, what, launches=many)
    else:
        job = Job(graph(many), f"graph of {many} x {what}", calls=many)
    return take(runtime, Boundary.DEVICE_EVENTS, job, limits, L2Treatment.LEFT_WARM, 0)


_INCLUDES = {
    Boundary.DEVICE_EVENTS: "The work between two events in its own stream; no Python, no launch",
    Boundary.WARM_HOST: "Launch from Python, execution and the wait for the stream; inputs were "
    "on the device; no copy to or from the host",
    Boundary.THROUGHPUT: "Many launches in a row with one wait at the end, divided by their number",
}


def take(
    runtime: CudaRuntime,
    boundary: Boundary,
    job: Job,
    limits: Limits,
    l2: L2Treatment,
    l2_bytes: int,
) -> Taken:
    """Samples of one boundary, with the clocks between blocks of them."""
    clocks = Clocks().start(runtime.driver.bus)
    sampled = timing.collect(runtime, job, boundary, limits, between=clocks.read)
    note = f"; {l2.sentence[0].lower()}{l2.sentence[1:-1]}: {l2_bytes:,} bytes" if l2_bytes else ""
    return Taken(
        boundary=boundary,
        includes=f"{_INCLUDES[boundary]}{note}.",
        calls=job.per_sample,
        sampled=sampled,
        l2=l2,
        l2_bytes=l2_bytes,
        graph_launches=job.calls if job.calls > 1 else 0,
        clocks=tuple(clocks.readings),
        clocks_missing_because=clocks.missing_because,
    )


def streams_run(
    runtime: CudaRuntime, kernel: Kernel, cases: Sequence[Case], limits: Limits
) -> Observed:
    """The same kernel in several streams at once, each over its own buffers.

    One pair of events encloses all of it: side streams wait for the start, and the stop
    waits for each of them. The time is that of one call.
    """
    start = perf_counter_ns()
    loaded = runtime.load(kernel)
    compiling = _stage(Boundary.COMPILE, start, "Compiling the source by NVRTC and loading it.")
    works = {
        stream: runtime.work(loaded, case.buffers, kernel.sizes)
        for stream, case in enumerate(cases, start=MAIN)
    }
    for stream, case in enumerate(cases, start=MAIN):
        _check(runtime, case, works[stream], kernel.entry)
    side = tuple(stream for stream in works if stream != MAIN)
    job = Job(lambda stream: works[stream](stream), kernel.entry, side_streams=side)
    taken = take(runtime, Boundary.DEVICE_EVENTS, job, limits, L2Treatment.LEFT_WARM, 0)
    first, seen = _check(runtime, cases[0], works[MAIN], kernel.entry)
    stages = (compiling, cases[0].placing, first)
    return Observed(Implementation.KERNEL, kernel.entry, loaded, None, stages, seen, (taken,))
