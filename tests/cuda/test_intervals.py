"""What an interval encloses follows from the order of its steps alone."""

from __future__ import annotations

import pytest

from kb.model.intervals import Step, StepKind, TimedInterval, judge
from kb.qualifiers import Boundary

EVENTS, HOST = Boundary.DEVICE_EVENTS, Boundary.WARM_HOST


def steps(text: str) -> tuple[Step, ...]:
    """`record start 1; launch 1; flush 1; wait start 2; synchronise stop; read`."""
    made = []
    for part in text.split(";"):
        kind, *rest = part.split()
        stream = next((int(word) for word in rest if word.isdecimal()), None)
        event = next((word for word in rest if not word.isdecimal()), None)
        flush = kind == "flush"
        word = "launch" if flush else kind
        made.append(
            Step(kind=StepKind.of(word), stream=stream, event=event, what=kind, measured=not flush)
        )
    return tuple(made)


def interval(text: str, boundary: Boundary = EVENTS) -> TimedInterval:
    ends = ("start", "stop") if boundary is EVENTS else ("clock", "clock")
    return TimedInterval(boundary=boundary, start=ends[0], stop=ends[1], steps=steps(text))


@pytest.mark.parametrize(
    ("text", "boundary"),
    [
        ("record start 1; launch 1; record stop 1; synchronise stop; read", EVENTS),
        ("record start 1; launch 1; record stop 1; synchronise 1; read", EVENTS),
        ("flush 1; record start 1; launch 1; record stop 1; synchronise stop; read", EVENTS),
        ("clock_start; launch 1; synchronise 1; clock_stop", HOST),
        ("clock_start; launch 1; launch 2; synchronise 1; synchronise 2; clock_stop", HOST),
        ("flush 1; synchronise 1; clock_start; launch 1; synchronise 1; clock_stop", HOST),
        # A second stream that waits for the start, and for which the stop waits.
        (
            (
                "record start 1; wait start 2; launch 1; launch 2; record side 2; wait side 1; "
                "record stop 1; synchronise stop; read"
            ),
            EVENTS,
        ),
    ],
)
def test_an_interval_that_encloses_its_work(text: str, boundary: Boundary) -> None:
    verdict = judge(interval(text, boundary))
    assert verdict.encloses, verdict.why


@pytest.mark.parametrize(
    ("text", "boundary", "why"),
    [
        (
            "record start 2; launch 1; record stop 2; synchronise stop; read",
            EVENTS,
            "launch on stream 1 may begin before event 'start' on stream 2.",
        ),
        (
            "record start 1; launch 1; record stop 2; synchronise stop; read",
            EVENTS,
            "launch on stream 1 may end after event 'stop' on stream 2.",
        ),
        ("record start 1; launch 1; record stop 1; read", EVENTS, "The time is read before"),
        ("record start 1; launch 1; record stop 1; synchronise 2; read", EVENTS, "is read before"),
        (
            "record start 1; wait start 2; launch 2; record stop 1; synchronise stop; read",
            EVENTS,
            "launch on stream 2 may end after event 'stop' on stream 1.",
        ),
        (
            ("record start 1; launch 2; record side 2; wait side 1; record stop 1; "
            "synchronise stop; read"),
            EVENTS,
            "launch on stream 2 may begin before event 'start' on stream 1.",
        ),
        # Waiting for an event that was recorded too early waits for nothing.
        (
            ("record side 2; record start 1; wait start 2; launch 2; wait side 1; record stop 1; "
            "synchronise stop; read"),
            EVENTS,
            "may end after event 'stop'",
        ),
        ("record start 1; flush 1; launch 1; record stop 1; synchronise stop; read", EVENTS,
         "flush on stream 1 is no part of it, but may lie inside."),
        ("clock_start; launch 1; clock_stop", HOST, "may end after the clock's stop."),
        ("clock_start; launch 1; synchronise 2; clock_stop", HOST, "may end after the clock's"),
        ("launch 1; clock_start; synchronise 1; clock_stop", HOST, "may begin before the clock's"),
        ("flush 1; clock_start; launch 1; synchronise 1; clock_stop", HOST, "may lie inside"),
        ("clock_start; synchronise 1; clock_stop", HOST, "holds no work"),
        ("launch 1; record stop 1; synchronise stop; read", EVENTS, "no step that sets start"),
    ],
)  # fmt: skip
def test_an_interval_that_does_not_enclose_its_work(
    text: str, boundary: Boundary, why: str
) -> None:
    verdict = judge(interval(text, boundary))
    assert not verdict.encloses
    assert why in verdict.why


def test_dispatch_only_never_encloses_anything() -> None:
    good = interval("clock_start; launch 1; synchronise 1; clock_stop", HOST)
    assert judge(good).encloses
    assert not judge(good.model_copy(update={"boundary": Boundary.DISPATCH_ONLY})).encloses
