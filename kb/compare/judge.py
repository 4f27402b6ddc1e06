"""The one function that judges a comparison, for every rule, page and command."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import cast

from kb.compare.axes import AXIS_JUDGES
from kb.compare.compute import COMPUTE_JUDGES, WANTED
from kb.compare.extent import EXTENT_JUDGES
from kb.compare.pair import Item, Pair
from kb.compare.printing import PRINTING_JUDGES
from kb.compare.ratio import (
    ONE,
    conditional_ratios,
    fraction_doubts,
    fraction_of,
    is_ceiling,
    ratio_after,
)
from kb.compare.rest import REST_JUDGES
from kb.compare.results import RESULT_JUDGES
from kb.compare.silent import are_silent, keep_silent, profiles
from kb.corpus import Corpus
from kb.operand import Operand
from kb.qualifiers import UNSTATED, Basis, Metric
from kb.quantity import Interval, Quantity, decimal_text
from kb.verdict import Caution, Reason, Step, StepKind, Verdict, VerdictKind

JUDGES = (*AXIS_JUDGES, *PRINTING_JUDGES, *COMPUTE_JUDGES, *EXTENT_JUDGES, *REST_JUDGES)
"""Every judge, in the order in which reasons and steps are shown."""

KEPT = 32
"""Verdicts that a corpus keeps."""

WIDE_INTERVAL = Fraction(11, 10)
"""Digits that allow more than this between the ends of a ratio are worth a caution."""


def compare(
    left: Operand, right: Operand, corpus: Corpus | None = None, *, strict: bool = False
) -> Verdict:
    """Judge `left` against `right`: may a ratio be formed, after which steps, and why not.

    `corpus` gives access to printed dense rows and to the kinds of sources. With `strict`,
    assessments don't count and only what sources state is used. Pure: no I/O.
    """
    if corpus is None:
        return _compared(left, right, corpus, strict=strict)
    # What a record compares its prose cites, so the last few verdicts are asked for again.
    kept, key = corpus.verdicts, (id(left), id(right), strict)
    found = kept.get(key)
    if found is None:
        if len(kept) >= KEPT:
            kept.clear()
        # With its sides, so that no other side can have their identity meanwhile.
        found = kept[key] = left, right, _compared(left, right, corpus, strict=strict)
    return cast("Verdict", found[2])


def _compared(left: Operand, right: Operand, corpus: Corpus | None, *, strict: bool) -> Verdict:
    verdict = Verdict(
        VerdictKind.COMPARABLE,
        f"{left.label} = {left.quantity.text}",
        f"{right.label} = {right.quantity.text}",
    )
    if _one_statement(left, right):
        return replace(verdict, ratio=Fraction(1), interval=ONE)
    pair = Pair(left, right, corpus, strict)
    judged = _judged(verdict, pair)
    if judged.ratio is None or not pair.one_open_value:
        return judged
    if not _near_one(judged.ratio):
        # Not equal per accelerator: so the open value is not the same for both.
        return _judged(verdict, replace(pair, presume=False))
    return judged


def _near_one(ratio: Fraction) -> bool:
    return 1 / WIDE_INTERVAL <= ratio <= WIDE_INTERVAL


def _judged(verdict: Verdict, pair: Pair) -> Verdict:
    """Ask every judge, and let definite differences decide before open axes."""
    items = _items(pair)
    if not items:
        return _passed(verdict, pair)
    reasons = tuple(item for item in items if isinstance(item, Reason))
    steps = tuple(item for item in items if isinstance(item, Step))
    cautions = tuple(item for item in items if isinstance(item, Caution))
    verdict = replace(verdict, reasons=reasons, cautions=cautions, derivation=steps)
    if any(reason.state == "differs" for reason in reasons):
        return _refused(verdict, pair)
    if reasons:
        conditional = conditional_ratios(pair, reasons, steps)
        return replace(verdict, kind=VerdictKind.UNDETERMINED, conditional=conditional)
    return _passed(verdict, pair)


def _items(pair: Pair) -> tuple[Item, ...]:
    """What all judges say; where those of the axes are known to be silent, the others alone."""
    if pair.published:
        return tuple(dict.fromkeys(item for judge in RESULT_JUDGES for item in judge(pair)))
    found = profiles(pair)
    silent = found is not None and are_silent(found)
    judges = PRINTING_JUDGES if silent else JUDGES
    said = [(item, judge in PRINTING_JUDGES) for judge in judges for item in judge(pair)]
    if found is not None and not silent and all(printing for _, printing in said):
        keep_silent(found)
    return tuple(dict.fromkeys(item for item, _ in said))


def _one_statement(left: Operand, right: Operand) -> bool:
    same = left.statement is not None and left.statement is right.statement
    same = same or (left.published is not None and left.published.id == _id(right))
    return same and left.label == right.label


def _id(operand: Operand) -> str:
    return operand.published.id if operand.published else ""


def _refused(verdict: Verdict, pair: Pair) -> Verdict:
    """Definite differences come first: they decide, and an open axis can't undo them."""
    fraction = fraction_of(pair, verdict.reasons, verdict.derivation)
    doubts = fraction_doubts(fraction, pair.left.metric, ceiling=is_ceiling(pair))
    return replace(
        verdict,
        kind=VerdictKind.NOT_COMPARABLE,
        reasons=tuple(sorted(verdict.reasons, key=lambda reason: reason.state)),
        cautions=(*verdict.cautions, *doubts),
        fraction=fraction,
    )


def _passed(verdict: Verdict, pair: Pair) -> Verdict:
    """The verdict where nothing stands in the way."""
    ratio, interval = ratio_after(pair, verdict.derivation)
    only_units = all(step.kind is StepKind.CONVERT_UNIT for step in verdict.derivation)
    if pair.same_product and only_units and not _observed(pair) and _same_slot(pair):
        return _agreement(replace(verdict, ratio=ratio, interval=interval), pair)
    cautions = verdict.cautions
    if pair.same_product and ratio != 1 and 1 in interval:
        text = "the two agree within rounding: the printed digits allow a ratio of 1"
        cautions = (*cautions, Caution("rounding", text))
    if _is_wide(interval):
        low, high = decimal_text(interval.low, 3), decimal_text(interval.high, 3)
        text = f"the printed digits allow a ratio from {low} to {high}"
        cautions = (*cautions, Caution("rounding", text))
    kind = VerdictKind.AFTER_DERIVATION if verdict.derivation else VerdictKind.COMPARABLE
    return replace(verdict, kind=kind, ratio=ratio, interval=interval, cautions=cautions)


def _is_wide(interval: Interval) -> bool:
    """Whether the ends are further apart than `WIDE_INTERVAL`, without making fractions."""
    (low, below), (high, under) = interval.low.as_integer_ratio(), interval.high.as_integer_ratio()
    return high * below * WIDE_INTERVAL.denominator > low * under * WIDE_INTERVAL.numerator


def _observed(pair: Pair) -> bool:
    """Whether a side is an observation: two of them are two values, not two printings."""
    return pair.left.metric in (Metric.LATENCY, Metric.RATE, Metric.ENERGY) or Basis.MEASURED in (
        pair.left.get("basis"),
        pair.right.get("basis"),
    )


def _same_slot(pair: Pair) -> bool:
    """Whether both numbers fill one slot of one product, so that they ought to agree.

    Every axis has been judged equal by now. What is left to tell two slots apart is the
    catalogue: claims of two slots (two on-chip memories, say) are not the same one.
    """
    if not _said_alike(pair):
        return False
    left, right = ({entry.id for entry in o.claims} for o in (pair.left, pair.right))
    return not left or not right or bool(left & right)


def _said_alike(pair: Pair) -> bool:
    """Whether neither side says more about its figure than the other one.

    A typical value is no peak, and of two limits or clocks whose state is open each may be
    another one.
    """
    sides = pair.left, pair.right
    typical = {side.get("basis") is Basis.VENDOR_TYPICAL for side in sides}
    open_state = pair.left.metric in (Metric.POWER, Metric.FREQUENCY) and any(
        side.get("power_state") in (None, UNSTATED) for side in sides
    )
    words = ({axis: side.get(axis) or UNSTATED for axis in WANTED} for side in sides)
    return len(typical) == 1 and not open_state and next(words) == next(words)


def _agreement(verdict: Verdict, pair: Pair) -> Verdict:
    """Whether two printings of one slot say the same.

    Equal digits under two units mean that one label is wrong. Any other difference is the
    sources' own contradiction: they may be set side by side, with that caution.
    """
    left, right = pair.left.quantity, pair.right.quantity
    equal_digits = left.digits == right.digits or left.number == right.number
    equal_digits = equal_digits or _face(left) == _face(right)
    if equal_digits and left.unit.name != right.unit.name and verdict.ratio != 1:
        why = "one quantity of one product is printed with equal digits under two units, so one "
        reason = pair.differs("unit", f"{why}of the labels is wrong", left.label, right.label)
        return replace(
            verdict,
            kind=VerdictKind.NOT_COMPARABLE,
            ratio=None,
            interval=None,
            reasons=(reason,),
            derivation=(),
        )
    if verdict.interval is not None and 1 not in verdict.interval:
        text = f"the sources contradict each other: {left.text} and {right.text} differ"
        conflict = Caution("conflict", f"{text} beyond rounding")
        verdict = replace(verdict, cautions=(*verdict.cautions, conflict))
    exact = left.interval == right.interval
    kind = VerdictKind.AFTER_DERIVATION if verdict.derivation else VerdictKind.COMPARABLE
    return replace(verdict, kind=kind, interval=ONE if exact else verdict.interval)


def _face(quantity: Quantity) -> Fraction:
    """The number as it reads when nobody looks whether a prefix is binary, or at bits."""
    factor = quantity.unit.factor * (8 if quantity.unit.counts_bits else 1)
    if quantity.unit.prefix == "binary":
        factor = Fraction(1000) ** ((factor.numerator.bit_length() - 1) // 10)
    return quantity.number * factor
