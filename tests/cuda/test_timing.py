"""No sample is kept unless its interval is proven; the device here is a script."""

from __future__ import annotations

import pytest

from kb.measure.cuda import timing
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.runtime import Log
from kb.measure.cuda.timing import MAIN, START, STOP, Job, Limits, by_events, by_host, collect
from kb.measure.run.guard import Watch
from kb.model.intervals import StepKind
from kb.qualifiers import Boundary

EVENTS, HOST = Boundary.DEVICE_EVENTS, Boundary.WARM_HOST
FEW = Limits(20, 20, 0.5, 1.0)


class Script:
    """Streams whose work takes a second a launch, on a clock of its own."""

    def __init__(self, fail_after: int | None = None) -> None:
        self.clock = 0.0
        self.times: dict[str, float] = {}
        self.launches = 0
        self.fail_after = fail_after

    def work(self, stream: int) -> None:
        assert stream
        self.launches += 1
        self.clock += 1.0

    def record(self, event: str, stream: int) -> None:
        assert stream
        self.times[event] = self.clock

    def wait(self, event: str, stream: int) -> None:
        assert event in self.times
        assert stream

    def is_done(self, event: str) -> bool:
        return event in self.times

    def synchronise_event(self, event: str) -> None:
        assert event in self.times
        self.synchronise_stream(MAIN)

    def synchronise_stream(self, stream: int) -> None:
        assert stream
        if self.fail_after is not None and self.launches > self.fail_after:
            raise CudaFailure(FailureKind.ASYNCHRONOUS_ERROR, "illegal address", "see above")

    def elapsed(self, start: str, stop: str) -> float:
        return self.times[stop] - self.times[start]


def test_events_enclose_the_work_and_not_the_flush() -> None:
    device = Script()
    job = Job(device.work, "kernel", launches=3, prepare=device.work, prepared="flush")
    seen = collect(device, job, EVENTS, FEW)
    assert set(seen.seconds) == {1.0}
    assert [step.what for step in seen.interval.steps if not step.measured] == ["flush"]
    assert len(seen.watches) == 20
    assert all(watch.ready for watch in seen.watches)


def test_one_pair_of_events_encloses_two_streams() -> None:
    device = Script()
    seen = collect(device, Job(device.work, "kernel", side_streams=(2,)), EVENTS, FEW)
    assert set(seen.seconds) == {1.0}
    waits = [(s.stream, s.event) for s in seen.interval.steps if s.kind is StepKind.WAIT]
    assert waits == [(2, START), (1, "side 2")]


def test_the_clocks_are_read_between_blocks_only() -> None:
    device, read = Script(), list[int]()
    collect(device, Job(device.work, "kernel"), HOST, FEW, between=read.append)
    assert read == [0, 10, 20]


def unrelated(log: Log, job: Job) -> tuple[float, Watch]:
    """Both events in a stream in which nothing runs."""
    log.record(START, 2)
    log.queue(job.work, MAIN, job.what)
    log.record(STOP, 2)
    log.synchronise(2, STOP)
    return log.elapsed(START, STOP), Watch(ready=True, residual_seconds=0.0)


def unsynchronised(log: Log, job: Job) -> tuple[float, Watch]:
    """The host's clock stopped after the launch."""
    log.clock(StepKind.CLOCK_START)
    log.queue(job.work, MAIN, job.what)
    log.clock(StepKind.CLOCK_STOP)
    return 1e-6, Watch(ready=True, residual_seconds=0.0)


@pytest.mark.parametrize(
    ("take", "boundary", "why"),
    [
        (unrelated, EVENTS, "kernel on stream 1 may begin before event 'start' on stream 2"),
        (unsynchronised, HOST, "kernel on stream 1 may end after the clock's stop"),
    ],
)
def test_an_unrelated_stream_and_an_unsynchronised_host_are_refused(
    take: timing.Take, boundary: Boundary, why: str
) -> None:
    device = Script()
    with pytest.raises(CudaFailure, match=why) as caught:
        collect(device, Job(device.work, "kernel"), boundary, FEW, take=take)
    assert caught.value.kind is FailureKind.NOT_ENCLOSED


def test_samples_that_took_other_steps_are_refused() -> None:
    device = Script()
    turns = iter(range(100))

    def either(log: Log, job: Job) -> tuple[float, Watch]:
        return (by_events if next(turns) % 2 else by_host)(log, job)

    with pytest.raises(CudaFailure, match="other steps") as caught:
        collect(device, Job(device.work, "kernel"), EVENTS, FEW, take=either)
    assert caught.value.kind is FailureKind.NOT_ENCLOSED


def test_an_error_that_surfaces_late_keeps_no_sample() -> None:
    device = Script(fail_after=25)
    with pytest.raises(CudaFailure, match="illegal address") as caught:
        collect(device, Job(device.work, "kernel"), EVENTS, FEW)
    assert caught.value.kind is FailureKind.ASYNCHRONOUS_ERROR
