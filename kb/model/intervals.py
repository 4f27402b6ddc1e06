"""What a timed interval encloses, found from the order in which work was queued.

A stream runs its work in order; two streams have no order between them unless an event says
so; the host runs ahead of both until it waits. So whether a start lies before every piece of
work, and a stop after it, follows from the list of steps alone: no clock is asked, and a
record can be judged again from what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from kb.model.measurement import Shape
from kb.qualifiers import Boundary, Word


class StepKind(Word):
    """One thing that the host did."""

    CLOCK_START = "clock_start", "The host reads its clock for the start."
    CLOCK_STOP = "clock_stop", "The host reads its clock for the stop."
    RECORD = "record", "Queues an event in a stream."
    WAIT = "wait", "Lets a stream wait for an event."
    LAUNCH = "launch", "Queues a kernel or a graph in a stream."
    COPY = "copy", "Queues a copy in a stream."
    SYNCHRONISE = "synchronise", "The host waits for an event, or for all of a stream."
    READ = "read", "The host reads the time between two events."


WORK = (StepKind.LAUNCH, StepKind.COPY)
_HOST = (StepKind.CLOCK_START, StepKind.CLOCK_STOP, StepKind.SYNCHRONISE, StepKind.READ)


class Step(Shape):
    """One step, in the order in which the host took it."""

    kind: StepKind
    stream: int | None = None
    event: str | None = None
    what: str = ""
    """The kernel or the copy, in words."""
    times: int = Field(default=1, ge=1)
    """Equal launches in a row."""
    measured: bool = True
    """Whether the work belongs to what the interval stands for; a flush of a cache does not."""


class TimedInterval(Shape):
    """The steps around one sample, which every other sample of its boundary repeats."""

    boundary: Boundary
    start: str
    """The event, or `clock`."""
    stop: str
    steps: Annotated[tuple[Step, ...], Field(max_length=64)]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an interval encloses its work, and what speaks against it."""

    encloses: bool
    why: str


def _refused(why: str) -> Verdict:
    return Verdict(encloses=False, why=why)


def _enclosed(why: str) -> Verdict:
    return Verdict(encloses=True, why=why)


def judge(interval: TimedInterval) -> Verdict:
    """Whether `interval` encloses all of its measured work and nothing else."""
    steps = interval.steps
    if interval.boundary is Boundary.DISPATCH_ONLY:
        return _refused("The interval is declared as dispatch only.")
    work = [i for i, step in enumerate(steps) if step.kind in WORK and step.measured]
    if not work:
        return _refused("The interval holds no work.")
    start, stop = _ends(interval)
    if start is None or stop is None:
        missing = interval.start if start is None else interval.stop
        return _refused(f"There is no step that sets {missing}.")
    after = _order(steps)
    for at in work:
        if not after[start][at]:
            return _refused(f"{_words(steps, at)} may begin before {_end(steps, start)}.")
        if not after[at][stop]:
            return _refused(f"{_words(steps, at)} may end after {_end(steps, stop)}.")
    for at, step in enumerate(steps):
        if step.kind in WORK and not step.measured and not (after[at][start] or after[stop][at]):
            return _refused(f"{_words(steps, at)} is no part of it, but may lie inside.")
    return _read(steps, stop, after)


def _read(steps: Sequence[Step], stop: int, after: list[list[bool]]) -> Verdict:
    """An event's time may be read only when the host has waited for the stop."""
    if steps[stop].kind is StepKind.CLOCK_STOP:
        return _enclosed("The host waited for all of the work before it stopped its clock.")
    reads = [i for i, step in enumerate(steps) if step.kind is StepKind.READ]
    if not reads or not all(after[stop][at] for at in reads):
        return _refused(f"The time is read before {_end(steps, stop)} is known to be over.")
    return _enclosed("Both events enclose the work on its own streams; the stop was waited for.")


def _ends(interval: TimedInterval) -> tuple[int | None, int | None]:
    """The last step that sets the start, and the last one that sets the stop."""
    return (
        _last(interval.steps, interval.start, StepKind.CLOCK_START),
        _last(interval.steps, interval.stop, StepKind.CLOCK_STOP),
    )


def _last(steps: Sequence[Step], name: str, clock: StepKind) -> int | None:
    found = [
        i
        for i, step in enumerate(steps)
        if (step.kind is clock and name == "clock")
        or (step.kind is StepKind.RECORD and step.event == name)
    ]
    return found[-1] if found else None


def _order(steps: Sequence[Step]) -> list[list[bool]]:
    """For each pair of steps, whether the second surely comes after the first."""
    count = len(steps)
    after = [[False] * count for _ in range(count)]
    for late in range(count):
        for early in range(late - 1, -1, -1):
            if after[early][late] or _directly(steps, early, late):
                after[early][late] = True
                for before in range(early):
                    after[before][late] |= after[before][early]
    return after


def _directly(steps: Sequence[Step], early: int, late: int) -> bool:
    """Whether `late` waits for `early` by itself; `early` was issued first."""
    first, second = steps[early], steps[late]
    if first.kind in _HOST:
        return True  # what the host issues later can't run earlier
    if second.kind is StepKind.SYNCHRONISE:
        if second.event is None:
            return second.stream is None or second.stream == first.stream
        return _records(steps, early, second.event, late)
    if second.kind is StepKind.WAIT and second.event is not None:
        return first.stream == second.stream or _records(steps, early, second.event, late)
    return second.kind not in _HOST and first.stream == second.stream


def _records(steps: Sequence[Step], at: int, event: str, before: int) -> bool:
    """Whether step `at` is the last one before `before` that records `event`."""
    recorded = [
        i for i in range(before) if steps[i].kind is StepKind.RECORD and steps[i].event == event
    ]
    return bool(recorded) and recorded[-1] == at


def _words(steps: Sequence[Step], at: int) -> str:
    step = steps[at]
    return f"{step.what or step.kind.value} on stream {step.stream}"


def _end(steps: Sequence[Step], at: int) -> str:
    step = steps[at]
    if step.kind is StepKind.RECORD:
        return f"event {step.event!r} on stream {step.stream}"
    return "the clock's start" if step.kind is StepKind.CLOCK_START else "the clock's stop"
