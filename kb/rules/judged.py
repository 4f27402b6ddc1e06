"""A comparison of a decision record with the verdict on it, judged once for all rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from kb.compare import Alternative, alternatives, compare
from kb.corpus import ClaimEntry, Corpus, Entry
from kb.model.claim import AXIS_WORDS
from kb.model.decision import Comparison, Decision
from kb.operand import Operand, operand_of_claim
from kb.quantity import QuantityError
from kb.rules.judged_results import JudgedResults, judge_results
from kb.rules.result import Crash, reason_of
from kb.source import Place
from kb.verdict import Reason, Side, Step, StepKind, Verdict, VerdictKind

STRUCTURAL = (
    StepKind.DIVIDE_BY_COUNT,
    StepKind.MULTIPLY_BY_COUNT,
    StepKind.LINK_TO_DEVICE,
    StepKind.BOTH_DIRECTIONS_TO_ONE,
    StepKind.SPARSE_TO_DENSE,
)
"""Steps whose absence is a mistake with a name of its own."""


@dataclass(frozen=True)
class Judged:
    """One comparison of a decision record, and what `compare` says about it."""

    decision: Entry[Decision]
    comparison: Comparison
    place: Place
    left: ClaimEntry
    right: ClaimEntry
    operands: tuple[Operand, Operand]
    verdict: Verdict
    corpus: Corpus

    def side(self, side: Side) -> ClaimEntry:
        """The claim on one side."""
        return self.left if side == "left" else self.right

    def differing(self, *axes: str) -> tuple[Reason, ...]:
        """Reasons by which the two sides differ for good on one of `axes`."""
        return tuple(r for r in self.verdict.reasons if r.state == "differs" and r.axis in axes)

    @property
    def still_open(self) -> tuple[Reason, ...]:
        """Reasons for which the verdict is undetermined; empty for any other verdict.

        Empty too where an unnamed step between parts, directions or sparse rates refuses
        the comparison before the open axis matters: one mistake, one finding.
        """
        undetermined = self.verdict.kind is VerdictKind.UNDETERMINED
        return self.verdict.reasons if undetermined and not self.unnamed(*STRUCTURAL) else ()

    def unnamed(self, *kinds: StepKind) -> tuple[Step, ...]:
        """Steps of some kinds that the comparison needs and the record doesn't name.

        Empty where a definite difference refuses the comparison anyway. A conversion or an
        assessment waits until no step of another kind is missing. An assessment is named by
        citing it, every other step by its word in `derivation`.
        """
        if self.verdict.kind is VerdictKind.NOT_COMPARABLE:
            return ()
        missing = [step for step in self.verdict.derivation if not self._named(step)]
        first = [step for step in missing if step.kind in STRUCTURAL] or missing
        return tuple(step for step in first if step.kind in kinds)

    def _named(self, step: Step) -> bool:
        if step.kind is StepKind.ASSESSED:
            return self.citation(step) in self.comparison.assessments
        return step.kind.value in self.comparison.derivation

    def citation(self, step: Step) -> str:
        """How the record cites the assessment behind an `assessed` step."""
        entry = self.side(step.side)
        axes = (a.axis for a in entry.claim.assessments if step.step.startswith(f"{a.axis} of "))
        return f"{entry.id}#{next(axes, '')}"

    @cached_property
    def instead(self) -> tuple[Alternative, ...]:
        """The closest claims, one a side, that would need no step but an assessment.

        Where there are none and nothing licenses the comparison as it stands, those that
        would need other steps.
        """
        # A record that doesn't name its steps is refused, whatever the steps would allow.
        refused = replace(self.verdict, kind=VerdictKind.NOT_COMPARABLE)
        found = alternatives(refused, *self.operands, self.corpus)
        plain = tuple(item for item in found if self._needs_no_step(item))
        return plain or (found if not self.verdict.allows_ratio else ())

    def _needs_no_step(self, item: Alternative) -> bool:
        left, right = self.operands
        other = operand_of_claim(self.corpus.claims[item.use])
        pair = (other, right) if item.side == "left" else (left, other)
        steps = compare(*pair, self.corpus).derivation
        return all(step.kind is StepKind.ASSESSED for step in steps)


@dataclass(frozen=True)
class Judgements:
    """Every comparison of a corpus: those judged, and how many could not be."""

    judged: tuple[Judged, ...]
    unjudged: int
    """Comparisons whose claims are missing or can't be read; other rules say why."""
    failures: tuple[Crash, ...] = ()
    """Comparisons at which our own judging failed. They count as unjudged too."""
    results: tuple[JudgedResults, ...] = ()
    """Comparisons with a published result on a side."""


def judge_comparisons(corpus: Corpus) -> Judgements:
    """Judge each comparison of the project's own decisions exactly once."""
    every = [judge_decision(entry, corpus) for entry in corpus.decisions.values() if entry.own]
    return Judgements(
        tuple(judged for one in every for judged in one.judged),
        sum(one.unjudged for one in every),
        tuple(failure for one in every for failure in one.failures),
        tuple(published for one in every for published in one.results),
    )


def judge_decision(decision: Entry[Decision], corpus: Corpus) -> Judgements:
    """Judge each comparison of one decision."""
    found: list[Judged] = []
    results: list[JudgedResults] = []
    failures: list[Crash] = []
    unjudged = 0
    for place, comparison in _comparisons(decision):
        try:
            published = judge_results(decision, comparison, place, corpus)
            if published is not None:
                results.append(published)
                continue
            judged = _judge(decision, comparison, place, corpus)
        except Exception as error:  # noqa: BLE001 (one comparison must not end the check)
            judged = None
            failures.append(_failure(comparison, place, error))
        if judged is None:
            unjudged += 1
        else:
            found.append(judged)
    return Judgements(tuple(found), unjudged, tuple(failures), tuple(results))


def _failure(comparison: Comparison, place: Place, error: Exception) -> Crash:
    return Crash(
        "comparing",
        f"{comparison.left} against {comparison.right} in {place.path} was not judged: "
        f"{reason_of(error)}",
        "look at the two claims for values without measure, and report it to the makers of kb",
    )


def _comparisons(decision: Entry[Decision]) -> Iterator[tuple[Place, Comparison]]:
    for index, comparison in enumerate(decision.value.comparisons):
        yield decision.place.at("comparisons", index), comparison


def _judge(
    decision: Entry[Decision], comparison: Comparison, place: Place, corpus: Corpus
) -> Judged | None:
    left, right = corpus.claims.get(comparison.left), corpus.claims.get(comparison.right)
    if left is None or right is None:
        return None
    try:
        operands = operand_of_claim(left), operand_of_claim(right)
    except QuantityError:
        return None
    if any(operand.assessments for operand in operands) and not _readable(left, right):
        return None
    verdict = compare(*operands, corpus)
    return Judged(decision, comparison, place, left, right, operands, verdict, corpus)


def _readable(*entries: ClaimEntry) -> bool:
    """Whether each assessment settles its axis with a word of that axis."""
    settled = (assessment for entry in entries for assessment in entry.claim.assessments)
    return all(one.value in set(AXIS_WORDS[one.axis]) for one in settled)
