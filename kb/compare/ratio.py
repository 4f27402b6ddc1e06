"""Ratios: after steps, under assumptions, and as a share of a vendor's figure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kb.compare.axes import NO_WORK
from kb.compare.pair import SIDES, Pair
from kb.derive import dense_row, to_dense
from kb.operand import Operand
from kb.qualifiers import UNSTATED, Basis, Direction, Metric, Sparsity
from kb.quantity import Interval, decimal_text
from kb.verdict import Caution, Conditional, FractionOf, Reason, Side, Step

Assumed = list[tuple[Side, str, str]]
"""Side, axis and value of each assumption."""

ONE = Interval(Fraction(1), Fraction(1))
"""Exactly 1: a statement against itself."""

PEAKED = frozenset(
    {Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH, Metric.COMPUTE_THROUGHPUT, Metric.RATE}
)
"""Metrics of which a run achieves a part: more of a time, or of power, achieves nothing."""


def ratio_after(pair: Pair, steps: tuple[Step, ...]) -> tuple[Fraction, Interval]:
    """Left over right after the steps, as a point and as what the digits allow."""
    if not steps:
        left_value, right_value = pair.left.quantity, pair.right.quantity
        return left_value.base / right_value.base, left_value.interval / right_value.interval
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


def conditional_ratios(
    pair: Pair, reasons: tuple[Reason, ...], steps: tuple[Step, ...]
) -> tuple[Conditional, ...]:
    """The ratio for each value that the open axes could have.

    An open direction can have two values, and one is half of a sum of two equal ones. An open
    sparsity can have two where the product has a sparse mode, if a step leads from one to the
    other. Any other open axis gives a ratio only if it agrees with the other side.
    """
    open_axes = dict.fromkeys(reason.axis for reason in reasons)
    if "product_identity" in open_axes:
        return ()
    agreed: Assumed = []
    for axis in open_axes:
        if axis not in ("direction", "sparsity"):
            # Interfaces compare by role, and the other side's may belong to another vendor.
            agreed += _agreeing(pair, "role" if axis == "interface" else axis)
    if "sparsity" in open_axes:
        return tuple(
            Conditional((*when, *agreed), *ratio_after(pair, (*steps, *more)))
            for when, more in _sparsities(pair)
        )
    ratio, interval = ratio_after(pair, steps)
    if "direction" not in open_axes:
        return (Conditional(tuple(agreed), ratio, interval),) if agreed else ()
    ways = [_ways(pair, side) for side in SIDES]
    results = []
    for left, right in itertools.product(*ways):
        factor = _direction_factor(left, right)
        when: Assumed = []
        when += [("left", "direction", left)] if len(ways[0]) > 1 else []
        when += [("right", "direction", right)] if len(ways[1]) > 1 else []
        results.append(Conditional((*when, *agreed), ratio * factor, interval.scale(factor)))
    return tuple(results)


def _agreeing(pair: Pair, axis: str) -> Assumed:
    values = {side: pair.assessed(side, axis)[0] for side in SIDES}
    definite = [str(value) for value in values.values() if value not in (None, UNSTATED)]
    word = definite[0] if definite else "the same on both sides"
    return [(side, axis, word) for side in SIDES if values[side] in (None, UNSTATED)]


def _sparsities(pair: Pair) -> Iterator[tuple[Assumed, tuple[Step, ...]]]:
    """What open sparsities may be, with the steps to dense that each case then needs."""
    values = {side: pair.assessed(side, "sparsity")[0] for side in SIDES}
    open_sides = [side for side in SIDES if values[side] == UNSTATED]
    may_be = {side: _may_be(pair, side) for side in SIDES}
    if len(open_sides) == len(SIDES) and all(len(may_be[side]) > 1 for side in SIDES):
        yield [(side, "sparsity", "the same on both sides") for side in SIDES], ()
        return
    for left, right in itertools.product(
        *(may_be[s] if s in open_sides else [values[s] or Sparsity.DENSE] for s in SIDES)
    ):
        when: Assumed = [
            (side, "sparsity", str(value))
            for side, value in zip(SIDES, (left, right), strict=True)
            if side in open_sides
        ]
        if left == right:
            yield when, ()
            continue
        sparse = SIDES[0] if left == Sparsity.STRUCTURED_2_4 else SIDES[1]
        operand = pair.side(sparse)
        axes = {**operand.axes, "sparsity": Sparsity.STRUCTURED_2_4}
        step = to_dense(replace(operand, axes=axes), sparse, pair.corpus)
        if step is not None:
            yield when, (step,)


def _may_be(pair: Pair, side: Side) -> list[Sparsity]:
    """What an open sparsity can stand for: dense alone where the product has no sparse mode.

    And never dense where the catalogue prints another value as the dense one of that claim.
    """
    operand = pair.side(side)
    if operand.product is not None and operand.product.is_dense_only:
        return [Sparsity.DENSE]
    both = [Sparsity.DENSE, Sparsity.STRUCTURED_2_4]
    dense = dense_row(operand, pair.corpus) if operand.statement is not None else None
    apart = dense is not None and not dense.interval.overlaps(operand.quantity.interval)
    return both[1:] if apart else both


def _ways(pair: Pair, side: Side) -> list[str]:
    value = pair.assessed(side, "direction")[0]
    both = [Direction.BIDIRECTIONAL_SUM.value, Direction.ONE_WAY.value]
    return both if value == UNSTATED else [str(value)]


def _direction_factor(left: str, right: str) -> Fraction:
    if left == right:
        return Fraction(1)
    return Fraction(2) if left == Direction.ONE_WAY else Fraction(1, 2)


def fraction_of(
    pair: Pair, reasons: tuple[Reason, ...], steps: tuple[Step, ...]
) -> FractionOf | None:
    """A report or a measurement as a share of the vendor's own figure for that product.

    Given only when everything but the basis agrees.
    """
    if {reason.axis for reason in reasons} != {"basis"} or not pair.same_product:
        return None
    families = [
        basis.family if isinstance(basis := pair.side(side).get("basis"), Basis) else ""
        for side in SIDES
    ]
    if "vendor" not in families or len(set(families)) != 2:
        return None
    observed = families[0] if families[1] == "vendor" else families[1]
    boundaries = {pair.side(side).get("boundary") for side in SIDES}
    if observed == "measured" and (pair.left.metric not in PEAKED or boundaries & NO_WORK):
        return None
    ratio, interval = ratio_after(pair, steps)
    if families[0] == "vendor":
        ratio, interval = 1 / ratio, ONE / interval
    return FractionOf("achieved" if observed == "measured" else "reported", ratio, interval)


def is_ceiling(pair: Pair) -> bool:
    """Whether the vendor's side is what the hardware can't exceed: a peak, no program's rate.

    What a vendor calls typical, or once reached with a program, the next run may well beat.
    """
    bases = {pair.side(side).get("basis") for side in SIDES}
    return Basis.VENDOR_PEAK in bases and pair.left.metric is not Metric.RATE


def fraction_doubts(
    fraction: FractionOf | None, metric: Metric, *, ceiling: bool = True
) -> tuple[Caution, ...]:
    """What a fraction above 1 means: a doubtful label, or an impossible measurement.

    `ceiling` says whether the vendor's figure is one that no run can exceed.
    """
    if fraction is None or fraction.interval.low <= 1:
        return ()
    share = decimal_text(fraction.value * 100, 4)
    if fraction.kind == "achieved" and not ceiling:
        text = f"{share} % of the vendor's figure was measured: that figure is no limit"
        return (Caution("basis", text),)
    if fraction.kind == "achieved":
        return (
            Caution(
                "above_peak",
                f"{share} % of the peak is impossible: the measurement is "
                "unsynchronised or miscounted",
            ),
        )
    if metric is not Metric.MEMORY_CAPACITY:  # only bytes have two readings of one prefix
        return (Caution("basis", f"the device reports {share} % of the vendor's figure"),)
    return (
        Caution(
            "unit",
            f"{share} % of the advertised capacity was observed, which "
            "contradicts the label's decimal prefix",
        ),
    )
