"""A comparison of published results in a decision record, with the verdict on it."""

from __future__ import annotations

from dataclasses import dataclass

from kb.compare import compare, explained
from kb.corpus import ClaimEntry, Corpus, Entry, ResultEntry
from kb.model.decision import Comparison, Decision
from kb.operand import Operand, operand_of_claim
from kb.published import View, operand_of_result
from kb.quantity import QuantityError
from kb.source import Place
from kb.verdict import Reason, StepKind, Verdict

Figure = ResultEntry | ClaimEntry

MUST_BE_SAID = (
    "version",
    "division",
    "availability",
    "verification",
    "accelerator_count",
    "nodes",
    "number_formats",
    "unit",
)
"""Cautions of a comparison of results that its record has to name under `differences`."""


@dataclass(frozen=True)
class JudgedResults:
    """One comparison with a published result on a side, and what `compare` says about it."""

    decision: Entry[Decision]
    comparison: Comparison
    place: Place
    left: Figure
    right: Figure
    verdict: Verdict | None
    """None where a view was asked for that a result doesn't have; see `missing`."""
    missing: str = ""
    """Why there is no verdict."""

    @property
    def reason(self) -> Reason | None:
        """The first thing in the way: one mistake, one finding."""
        return self.verdict.reasons[0] if self.verdict and self.verdict.reasons else None

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What has to be said beside an allowed comparison, and the record doesn't."""
        if self.verdict is None or not self.verdict.allows_ratio:
            return ()
        about = dict.fromkeys(caution.about for caution in self.verdict.cautions)
        said = self.comparison.differences
        return tuple(axis for axis in MUST_BE_SAID if axis in about and axis not in said)

    @property
    def unnamed_assessment(self) -> str:
        """The assessed step that the comparison needs and the record doesn't accept."""
        if self.verdict is None or not self.verdict.allows_ratio:
            return ""
        steps = [s for s in self.verdict.derivation if s.kind is StepKind.ASSESSED]
        return steps[0].step if steps and "assessed" not in self.comparison.derivation else ""


def judge_results(
    decision: Entry[Decision], comparison: Comparison, place: Place, corpus: Corpus
) -> JudgedResults | None:
    """The judged comparison; None where no side is a result, or a side is not there."""
    if not corpus.results:
        return None
    left, right = (figure(name, corpus) for name in (comparison.left, comparison.right))
    if left is None or right is None:
        return None
    if isinstance(left, ClaimEntry) and isinstance(right, ClaimEntry):
        return None
    view: View = "total"
    if "divide_by_power" in comparison.derivation:
        view = "per_watt"
    elif "divide_by_count" in comparison.derivation:
        view = "per_accelerator"
    try:
        sides = [_operand(side, view) for side in (left, right)]
    except (ValueError, QuantityError) as error:
        return JudgedResults(decision, comparison, place, left, right, None, str(error))
    verdict = explained(sides[0], sides[1], corpus)
    return JudgedResults(decision, comparison, place, left, right, verdict)


def figure(name: str, corpus: Corpus) -> Figure | None:
    """The result or the claim with this id; None where there is neither."""
    return corpus.results.get(name) or corpus.claims.get(name)


def bare_verdict(left: str, right: str, corpus: Corpus) -> Verdict | None:
    """The verdict on two figures as they stand; None where one is missing or unreadable."""
    found = figure(left, corpus), figure(right, corpus)
    if found[0] is None or found[1] is None:
        return None
    try:
        return compare(_operand(found[0], "total"), _operand(found[1], "total"), corpus)
    except QuantityError:
        return None


def _operand(side: Figure, view: View) -> Operand:
    return operand_of_claim(side) if isinstance(side, ClaimEntry) else operand_of_result(side, view)
