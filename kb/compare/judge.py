"""The one function that judges a comparison, for every rule, page and command."""

from __future__ import annotations

import itertools
from fractions import Fraction

from kb.compare.axes import AXIS_JUDGES
from kb.compare.extent import EXTENT_JUDGES
from kb.compare.pair import SIDES, Pair
from kb.corpus import Corpus
from kb.operand import Operand
from kb.qualifiers import UNSTATED, Basis, Boundary, Direction
from kb.quantity import Interval, decimal_text
from kb.verdict import (
    Caution,
    Conditional,
    FractionOf,
    Reason,
    Side,
    Step,
    StepKind,
    Verdict,
    VerdictKind,
)

_ONE = Interval(Fraction(1), Fraction(1))


def compare(left: Operand, right: Operand, corpus: Corpus | None = None, *,
            strict: bool = False) -> Verdict:  # fmt: skip
    """Judge `left` against `right`: may a ratio be formed, after which steps, and why not.

    `corpus` gives access to printed dense rows and to the kinds of sources. With `strict`,
    assessments don't count and only what sources state is used. Pure: no I/O.
    """
    if left.statement is not None and left.statement is right.statement and left.label == right.label:
        return _verdict(VerdictKind.COMPARABLE, left, right, ratio=Fraction(1), interval=_ONE)
    pair = Pair(left, right, corpus, strict)
    items = [item for judge in (*AXIS_JUDGES, *EXTENT_JUDGES) for item in judge(pair)]
    reasons = tuple(item for item in items if isinstance(item, Reason))
    cautions = tuple(dict.fromkeys(item for item in items if isinstance(item, Caution)))
    steps = tuple(dict.fromkeys(item for item in items if isinstance(item, Step)))
    if any(reason.state == "differs" for reason in reasons):
        # Definite differences first: they decide, and an open axis can't undo them.
        ordered = tuple(sorted(reasons, key=lambda reason: reason.state))
        fraction = _fraction(pair, reasons, steps)
        return _verdict(VerdictKind.NOT_COMPARABLE, left, right, reasons=ordered,
                        cautions=(*cautions, *_doubts(fraction)), derivation=steps,
                        fraction=fraction)  # fmt: skip
    if reasons:
        return _verdict(VerdictKind.UNDETERMINED, left, right, reasons=reasons, cautions=cautions,
                        derivation=steps, conditional=_conditional(pair, reasons, steps))  # fmt: skip
    return _passed(pair, cautions, steps)


def _verdict(kind: VerdictKind, left: Operand, right: Operand, *,
             ratio: Fraction | None = None, interval: Interval | None = None,
             reasons: tuple[Reason, ...] = (), cautions: tuple[Caution, ...] = (),
             derivation: tuple[Step, ...] = (), conditional: tuple[Conditional, ...] = (),
             fraction: FractionOf | None = None) -> Verdict:  # fmt: skip
    return Verdict(kind, f"{left.label} = {left.quantity.text}",
                   f"{right.label} = {right.quantity.text}", ratio, interval, reasons, cautions,
                   derivation, conditional, fraction)  # fmt: skip


def _passed(pair: Pair, cautions: tuple[Caution, ...], steps: tuple[Step, ...]) -> Verdict:
    """The verdict where nothing stands in the way."""
    ratio, interval = _ratio(pair, steps)
    only_units = all(step.kind is StepKind.CONVERT_UNIT for step in steps)
    if pair.same_product and only_units and _same_slot(pair):
        return _agreement(pair, cautions, steps, ratio, interval)
    kind = VerdictKind.AFTER_DERIVATION if steps else VerdictKind.COMPARABLE
    if interval.high > interval.low * Fraction(11, 10):
        cautions = (*cautions, Caution("rounding", "the printed digits allow a ratio from "
                    f"{decimal_text(interval.low, 3)} to {decimal_text(interval.high, 3)}"))  # fmt: skip
    return _verdict(kind, pair.left, pair.right, ratio=ratio, interval=interval,
                    cautions=cautions, derivation=steps)  # fmt: skip


def _same_slot(pair: Pair) -> bool:
    """Whether both numbers fill one slot of one product, so that they ought to agree."""
    if pair.left.claims and pair.right.claims and pair.left.statement and pair.right.statement:
        return pair.left.label == pair.right.label
    ignored = {"basis", "layer"}
    axes = (set(pair.left.axes) | set(pair.right.axes)) - ignored
    return all(pair.left.get(axis) == pair.right.get(axis) for axis in axes)


def _agreement(pair: Pair, cautions: tuple[Caution, ...], steps: tuple[Step, ...],
               ratio: Fraction, interval: Interval) -> Verdict:  # fmt: skip
    """Two printings of one slot: do they say the same?"""
    left, right = pair.left.quantity, pair.right.quantity
    if left.digits == right.digits and left.unit.name != right.unit.name and ratio != 1:
        reason = pair.differs("unit", "one quantity of one product is printed with equal digits "
                              "under two units, so one of the labels is wrong",
                              left.label, right.label)  # fmt: skip
        return _verdict(VerdictKind.NOT_COMPARABLE, pair.left, pair.right, reasons=(reason,),
                        cautions=cautions)  # fmt: skip
    if left.base == right.base and left.half_step == right.half_step:
        interval = _ONE if left.digits == right.digits else interval
    notes = [Caution("unit", step.step) for step in steps]
    if 1 not in interval:
        notes.append(Caution("conflict", f"the sources contradict each other: {left.text} and "
                             f"{right.text} differ beyond rounding"))  # fmt: skip
    return _verdict(VerdictKind.COMPARABLE, pair.left, pair.right, ratio=ratio, interval=interval,
                    cautions=(*cautions, *notes))  # fmt: skip


def _ratio(pair: Pair, steps: tuple[Step, ...]) -> tuple[Fraction, Interval]:
    """Left over right after the steps, as a point and as what the digits allow."""
    left, left_interval = _value(pair.left, "left", steps)
    right, right_interval = _value(pair.right, "right", steps)
    return left / right, left_interval / right_interval


def _value(operand: Operand, side: Side, steps: tuple[Step, ...]) -> tuple[Fraction, Interval]:
    quantity, factor = operand.quantity, Fraction(1)
    for step in steps:
        if step.side == side:
            quantity = step.replaces or quantity
            factor *= step.factor
    return quantity.base * factor, quantity.interval.scale(factor)


def _conditional(pair: Pair, reasons: tuple[Reason, ...],
                 steps: tuple[Step, ...]) -> tuple[Conditional, ...]:  # fmt: skip
    """The ratio for each value that the open axes could have.

    An open direction can have two values, and one is half of a sum of two equal ones. Any
    other open axis gives a ratio only if it agrees with the other side.
    """
    open_axes = [reason.axis for reason in reasons]
    if "product_identity" in open_axes:
        return ()
    ratio, interval = _ratio(pair, steps)
    agreed: list[tuple[Side, str, str]] = []
    for axis in open_axes:
        if axis != "direction":
            agreed += _agreeing(pair, axis)
    if "direction" not in open_axes:
        return (Conditional(tuple(agreed), ratio, interval),) if agreed else ()
    ways = [_ways(pair, side) for side in SIDES]
    results = []
    for left, right in itertools.product(*ways):
        factor = _direction_factor(left, right)
        when: list[tuple[Side, str, str]] = []
        when += [("left", "direction", left)] if len(ways[0]) > 1 else []
        when += [("right", "direction", right)] if len(ways[1]) > 1 else []
        results.append(Conditional((*when, *agreed), ratio * factor, interval.scale(factor)))
    return tuple(results)


def _agreeing(pair: Pair, axis: str) -> list[tuple[Side, str, str]]:
    values = {side: pair.assessed(side, axis)[0] for side in SIDES}
    definite = [str(value) for value in values.values() if value not in (None, UNSTATED)]
    word = definite[0] if definite else "the same on both sides"
    return [(side, axis, word) for side in SIDES if values[side] in (None, UNSTATED)]


def _ways(pair: Pair, side: Side) -> list[str]:
    value = pair.assessed(side, "direction")[0]
    both = [Direction.BIDIRECTIONAL_SUM.value, Direction.ONE_WAY.value]
    return both if value == UNSTATED else [str(value)]


def _direction_factor(left: str, right: str) -> Fraction:
    if left == right:
        return Fraction(1)
    return Fraction(2) if left == Direction.ONE_WAY else Fraction(1, 2)


def _fraction(pair: Pair, reasons: tuple[Reason, ...],
              steps: tuple[Step, ...]) -> FractionOf | None:  # fmt: skip
    """A report or a measurement as a share of the vendor's own figure for that product.

    Given only when everything but the basis agrees.
    """
    if {reason.axis for reason in reasons} != {"basis"} or not pair.same_product:
        return None
    families = [basis.family if isinstance(basis := pair.side(side).get("basis"), Basis) else ""
                for side in SIDES]  # fmt: skip
    if "vendor" not in families or len(set(families)) != 2:
        return None
    observed = families[0] if families[1] == "vendor" else families[1]
    if observed == "measured" and Boundary.DISPATCH_ONLY in (pair.left.get("boundary"),
                                                             pair.right.get("boundary")):  # fmt: skip
        return None
    ratio, interval = _ratio(pair, steps)
    if families[0] == "vendor":
        ratio, interval = 1 / ratio, _ONE / interval
    return FractionOf("achieved" if observed == "measured" else "reported", ratio, interval)


def _doubts(fraction: FractionOf | None) -> tuple[Caution, ...]:
    """What a fraction above 1 means: a doubtful label, or an impossible measurement."""
    if fraction is None or fraction.interval.low <= 1:
        return ()
    share = decimal_text(fraction.value * 100, 4)
    if fraction.kind == "achieved":
        return (Caution("above_peak", f"{share} % of the peak is impossible: the measurement is "
                        "unsynchronised or miscounted"),)  # fmt: skip
    return (Caution("unit", f"the device reports {share} % of the advertised capacity, which "
                    "contradicts the label's decimal prefix"),)  # fmt: skip
