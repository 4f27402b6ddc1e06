"""What timing needs from a device: streams, events, work, and the log of what was queued.

`Runtime` is the narrow waist: the real one is in `backend`. `Log` sits on top and writes
down each step, so that what an interval encloses can be judged from the list.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from kb.model.intervals import Step, StepKind

Work = Callable[[int], None]
"""Queues something in the stream of that number."""

Note = tuple[StepKind, int | None, str | None, str, int, bool]
"""A step before it is checked: the fields of `Step` in order."""


class Runtime(Protocol):
    """A device with streams, numbered from 1, and events, by name.

    Every call raises `CudaFailure` when the driver reports an error.
    """

    def record(self, event: str, stream: int) -> None:
        """Queues an event that keeps the time."""

    def wait(self, event: str, stream: int) -> None:
        """Lets the stream wait for the event."""

    def is_done(self, event: str) -> bool:
        """Whether the event has happened; doesn't wait."""

    def synchronise_event(self, event: str) -> None:
        """Waits for the event; an error of earlier work surfaces here."""

    def synchronise_stream(self, stream: int) -> None:
        """Waits for all of the stream; an error of earlier work surfaces here."""

    def elapsed(self, start: str, stop: str) -> float:
        """Seconds between two events that have happened."""


@dataclass
class Log:
    """A runtime that writes down what is asked of it, for one sample.

    A note is a plain tuple: whatever the host does between two launches lies inside the
    interval, so checked records are only made of the notes afterwards.
    """

    runtime: Runtime
    notes: list[Note] = field(default_factory=list)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What was done, in order."""
        return tuple(
            Step(kind=kind, stream=stream, event=event, what=what, times=times, measured=measured)
            for kind, stream, event, what, times, measured in self.notes
        )

    def clock(self, kind: StepKind) -> None:
        """Notes that the host reads its clock."""
        self.notes.append((kind, None, None, "", 1, True))

    def record(self, event: str, stream: int) -> None:
        """Queues an event."""
        self.runtime.record(event, stream)
        self.notes.append((StepKind.RECORD, stream, event, "", 1, True))

    def wait(self, event: str, stream: int) -> None:
        """Lets a stream wait for an event."""
        self.runtime.wait(event, stream)
        self.notes.append((StepKind.WAIT, stream, event, "", 1, True))

    def queue(
        self,
        work: Work,
        stream: int,
        what: str,
        *,
        times: int = 1,
        measured: bool = True,
        kind: StepKind = StepKind.LAUNCH,
    ) -> None:
        """Queues the same work `times` times in a row."""
        for _ in range(times):
            work(stream)
        self.notes.append((kind, stream, None, what, times, measured))

    def synchronise(self, stream: int, event: str | None = None) -> None:
        """Waits for an event, or for all of a stream."""
        if event is None:
            self.runtime.synchronise_stream(stream)
            self.notes.append((StepKind.SYNCHRONISE, stream, None, "", 1, True))
        else:
            self.runtime.synchronise_event(event)
            self.notes.append((StepKind.SYNCHRONISE, None, event, "", 1, True))

    def elapsed(self, start: str, stop: str) -> float:
        """Reads the seconds between two events."""
        self.notes.append((StepKind.READ, None, None, "", 1, True))
        return self.runtime.elapsed(start, stop)
