"""What the rules about published results share: wording the first thing in the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.corpus import ClaimEntry
from kb.finding import Label
from kb.qualifiers import words
from kb.rules.declare import Problem
from kb.verdict import Reason

if TYPE_CHECKING:
    from kb.rules.judged_results import JudgedResults  # with all that judges comparisons


def refused_results(
    judged: JudgedResults, *axes: str, remedy: str, label: str = "", mixed: bool = False
) -> Iterator[Problem]:
    """One problem where the first thing in the way of two results is one of `axes`.

    With `mixed`, only where one side is no result; else only where both are.
    """
    reason = judged.reason
    one_is_none = isinstance(judged.left, ClaimEntry) or isinstance(judged.right, ClaimEntry)
    if reason is None or reason.axis not in axes or one_is_none is not mixed:
        return
    verb = "differs" if reason.state == "differs" else "is open"
    yield Problem(
        judged.place.at("right"),
        f"{judged.left.id} against {judged.right.id}: {words(reason.axis)} {verb}, "
        f"{_shown(reason)}; {reason.why}",
        remedy,
        label=label or f"{words(reason.axis)} {words(reason.right)}",
        related=tuple(evidence_of(judged)),
    )


def _shown(reason: Reason) -> str:
    return f"{words(reason.left) or 'sound'} against {words(reason.right) or 'sound'}"


def evidence_of(judged: JudgedResults) -> Iterator[Label]:
    """Where the two figures stand."""
    for side in (judged.left, judged.right):
        if isinstance(side, ClaimEntry):
            yield Label(side.place.at("id"), f"{side.id} is a specification")
        else:
            result = side.result
            text = f"{result.published}, {result.benchmark}, {result.version}, {result.locator}"
            yield Label(side.place, text)
