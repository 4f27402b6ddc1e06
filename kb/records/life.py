"""The life of a decision: which status may follow which, and what its log must say.

`draft → hypothesis → accepted → superseded | deprecated`, or `rejected`. A decision about
how a project is built has nothing to measure, so its draft may be accepted at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import get_args

from kb.model.decision import Decision, LogEntry, StatusName

STATUSES: tuple[StatusName, ...] = get_args(StatusName)
"""Every status, in the order of a life."""

NEXT: dict[StatusName, tuple[StatusName, ...]] = {
    "draft": ("hypothesis", "rejected"),
    "hypothesis": ("accepted", "rejected"),
    "accepted": ("superseded", "deprecated"),
    "rejected": (),
    "superseded": (),
    "deprecated": (),
}
"""What may follow each status of a decision about a stack."""

DECIDED: tuple[StatusName, ...] = ("accepted", "superseded", "deprecated")
"""Statuses of a decision that was accepted once, so that its text stays as it was."""


def following(status: StatusName, kind: str = "stack") -> tuple[StatusName, ...]:
    """The statuses that may follow `status`."""
    if status == "draft" and kind == "project":
        return ("accepted", "rejected")
    return NEXT[status]


def before_acceptance(decision: Decision) -> StatusName:
    """The status from which a decision of its kind is accepted."""
    return "draft" if decision.kind == "project" else "hypothesis"


def reachable(before: StatusName, after: StatusName, kind: str = "stack") -> bool:
    """Whether some legal way leads from one status to another, or they are the same."""
    steps = following(before, kind)
    return before == after or any(reachable(step, after, kind) for step in steps)


def statuses(log: tuple[LogEntry, ...]) -> list[tuple[int, StatusName]]:
    """The statuses that a log names, each with its index."""
    return [(i, word) for i, entry in enumerate(log) if (word := _status(entry)) is not None]


def breaks(decision: Decision) -> Iterator[tuple[int | None, str]]:
    """Every step of the log that is not legal: its index and why; None for the status field.

    A record without a log has nothing to contradict; git may still know better.
    """
    named = statuses(decision.log)
    for (_, before), (index, after) in itertools.pairwise(named):
        allowed = following(before, decision.kind)
        if after not in allowed:
            yield index, f"{after} can't follow {before}; {_or(allowed)}"
    if named and named[-1][1] != decision.status:
        yield None, f"the status is {decision.status}, and the log ends with {named[-1][1]}"
    for index, (earlier, later) in enumerate(itertools.pairwise(decision.log)):
        if later.date < earlier.date:
            yield index + 1, f"{later.date} stands behind {earlier.date}"


def _status(entry: LogEntry) -> StatusName | None:
    return next((status for status in STATUSES if status == entry.event), None)


def _or(allowed: tuple[StatusName, ...]) -> str:
    return f"only {' or '.join(allowed)} can" if allowed else "nothing can"
