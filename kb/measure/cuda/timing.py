"""Takes samples between events, or on the host's clock, and keeps none that is not proven.

For each sample the steps are written down and must be the same as for the first; the driver
is asked for errors of launch and execution before its time is kept; and the interval must
enclose its work by the order of the steps alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter, perf_counter_ns

from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.runtime import Log, Runtime, Work
from kb.measure.run.guard import Watch
from kb.measure.run.statistics import settled
from kb.model.intervals import Step, StepKind, TimedInterval, judge
from kb.model.measurement import WarmUp
from kb.qualifiers import Boundary

START, STOP, CLOCK = "start", "stop", "clock"
MAIN = 1
"""The stream in which measured work is queued."""

SHORT = 10e-6
"""Seconds; below this an event pair costs as much as the kernel, so launches are batched."""

BLOCK = 10
"""Samples between two looks at the clocks, and between two looks at the interval."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one sample does."""

    work: Work
    what: str
    launches: int = 1
    """Launches of `work` in one sample, for kernels too short to time alone."""
    calls: int = 1
    """Kernel calls that one launch makes: more than one where a graph is replayed."""
    prepare: Work | None = None
    """Queued before the interval: a flush of the cache."""
    prepared: str = ""
    kind: StepKind = StepKind.LAUNCH
    side_streams: tuple[int, ...] = ()
    """Further streams that do the same work at the same time, inside the same interval."""

    @property
    def per_sample(self) -> int:
        """Kernel calls that one sample holds."""
        return self.launches * self.calls * (1 + len(self.side_streams))


@dataclass(frozen=True, slots=True)
class Limits:
    """When enough is enough."""

    fewest: int = 30
    most: int = 300
    half_width: float = 0.01
    max_seconds: float = 2.0


@dataclass(frozen=True, slots=True)
class Sampled:
    """Accepted samples in seconds of one call, with the steps that each of them took."""

    seconds: tuple[float, ...]
    watches: tuple[Watch, ...]
    interval: TimedInterval
    warm_up: WarmUp
    target_reached: bool


@dataclass
class _Steps:
    """The steps of the first sample, which all others must repeat."""

    first: Log | None = None

    def same(self, log: Log) -> None:
        if self.first is None:
            self.first = log
        elif log.notes != self.first.notes:
            raise CudaFailure(
                FailureKind.NOT_ENCLOSED,
                "two samples of one run took other steps.",
                "Queue the very same work for every sample.",
            )


def by_events(log: Log, job: Job) -> tuple[float, Watch]:
    """One sample between two events, in seconds of one call.

    Side streams begin after the start event and the stop event waits for each of them, so
    the one pair encloses them all.
    """
    _prepare(log, job)
    log.record(START, MAIN)
    for stream in job.side_streams:
        log.wait(START, stream)
    for stream in (MAIN, *job.side_streams):
        log.queue(job.work, stream, job.what, times=job.launches, kind=job.kind)
    for stream in job.side_streams:
        log.record(f"side {stream}", stream)
        log.wait(f"side {stream}", MAIN)
    log.record(STOP, MAIN)
    log.synchronise(MAIN, STOP)
    watch = _inspect(log.runtime, STOP)
    return log.elapsed(START, STOP) / job.per_sample, watch


def by_host(log: Log, job: Job) -> tuple[float, Watch]:
    """One sample on the host's clock, from before the launch until the stream is done."""
    _prepare(log, job)
    log.synchronise(MAIN)  # nothing of before may run on into the interval
    log.clock(StepKind.CLOCK_START)
    start = perf_counter_ns()
    log.queue(job.work, MAIN, job.what, times=job.launches, kind=job.kind)
    log.synchronise(MAIN)
    stop = perf_counter_ns()
    log.clock(StepKind.CLOCK_STOP)
    return (stop - start) / 1e9 / job.per_sample, _inspect(log.runtime, None)


def _prepare(log: Log, job: Job) -> None:
    if job.prepare is not None:
        log.queue(job.prepare, MAIN, job.prepared, measured=False)


def _inspect(runtime: Runtime, event: str | None) -> Watch:
    """Whether the work is over, and how long one more wait takes; raises for an error."""
    if event is None:
        runtime.record("after", MAIN)
        runtime.synchronise_event("after")
    ready = runtime.is_done(event or "after")
    start = perf_counter_ns()
    runtime.synchronise_stream(MAIN)
    return Watch(ready, (perf_counter_ns() - start) / 1e9)


Take = Callable[[Log, Job], tuple[float, Watch]]


def collect(
    runtime: Runtime,
    job: Job,
    boundary: Boundary,
    limits: Limits,
    *,
    take: Take | None = None,
    between: Callable[[int], None] = lambda _: None,
) -> Sampled:
    """Warms up on the same path, then samples until the median is known or time is up.

    `between` is called with the number of samples after each block. Raises `CudaFailure`
    for an error of the device, and for an interval that does not enclose its work.
    """
    one = take or (by_events if boundary is Boundary.DEVICE_EVENTS else by_host)
    warm_up = _warm(runtime, job, one)
    steps, seconds, watches = _Steps(), list[float](), list[Watch]()
    begun, reached = perf_counter(), False
    between(0)
    while not reached and len(seconds) < limits.most:
        if len(seconds) >= limits.fewest and perf_counter() - begun > limits.max_seconds:
            break
        for _ in range(BLOCK):
            log = Log(runtime)
            sample, watch = one(log, job)
            steps.same(log)
            seconds.append(sample)
            watches.append(watch)
        between(len(seconds))
        reached = len(seconds) >= limits.fewest and settled(seconds, limits.half_width)
    interval = _interval(boundary, steps.first.steps if steps.first else ())
    return Sampled(tuple(seconds), tuple(watches), interval, warm_up, reached)


def _warm(runtime: Runtime, job: Job, one: Take) -> WarmUp:
    begun, seconds = perf_counter(), [one(Log(runtime), job)[0] for _ in range(BLOCK)]
    half = BLOCK // 2
    before, after = median(seconds[:half]), median(seconds[half:])
    agree = before > 0 and abs(after - before) <= 0.05 * before
    return WarmUp(calls=BLOCK * job.per_sample, seconds=perf_counter() - begun, settled=agree)


def _interval(boundary: Boundary, steps: Sequence[Step]) -> TimedInterval:
    """The steps as an interval; raises `CudaFailure` when it does not enclose its work."""
    events = any(step.event == START for step in steps)
    ends = (START, STOP) if events else (CLOCK, CLOCK)
    interval = TimedInterval(boundary=boundary, start=ends[0], stop=ends[1], steps=tuple(steps))
    verdict = judge(interval)
    if not verdict.encloses:
        raise CudaFailure(
            FailureKind.NOT_ENCLOSED,
            verdict.why,
            "Record both events in the stream of the work, and wait for the stop.",
        )
    return interval
