"""From a bound number to a side of a comparison, for the one function that judges."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from kb.compare import compare
from kb.model.claim import AXIS_WORDS
from kb.operand import Operand
from kb.prose.bind import Bound
from kb.prose.fit import conflicts, matching
from kb.prose.known import KIND_OF_METRIC, Known, Slot
from kb.verdict import Verdict

NO_PEAK = frozenset({"metric"})
"""What differs and needs no word of its own beside the interface that differs with it."""


def slots_of(bound: Bound, known: Known) -> list[Slot]:
    """The slots that a number stands for, the most likely first; empty where it is unknown."""
    found = [
        slot
        for slot in matching(bound.amount, known.of(bound.products, bound.amount.kind))
        if not conflicts(bound, slot)
    ]
    return sorted(
        found,
        key=lambda s: (len(conflicts(bound, s, weak=True)), len(s.changed), not s.current),
    )


def operand_of(slot: Slot) -> Operand:
    """The slot as a side of a comparison; derived values carry the axes of their step."""
    if not slot.changed:
        return slot.operand
    words = {axis: AXIS_WORDS[axis].of(slot.axes[axis]) for axis in slot.changed}
    factor = slot.base / slot.quantity.base
    quantity = slot.quantity
    scaled = replace(
        quantity, number=quantity.number * factor, half_step=quantity.half_step * factor
    )
    return replace(
        slot.operand, quantity=scaled, axes={**slot.operand.axes, **words}, statement=None
    )


def counterpart(slot: Slot, product: str, known: Known) -> list[Slot]:
    """The same slot of another product: its printed, current values under the same words."""
    same = ("precision", "sparsity", "aggregation", "basis")
    return [
        other
        for other in known.of([product], KIND_OF_METRIC[slot.metric])
        if other.metric is slot.metric
        and other.current
        and not other.changed
        and other.level == slot.level
        and other.operand.get("role") == slot.operand.get("role")
        and all(
            other.axes.get(axis) in (slot.axes.get(axis), None) or slot.axes.get(axis) is None
            for axis in same
        )
    ]


@lru_cache(maxsize=16_384)
def judged(left: Slot, right: Slot, known: Known) -> Verdict:
    """What `kb compare` says about two slots."""
    return compare(operand_of(left), operand_of(right), known.corpus)


def ratio_holds(ratio: Fraction, half_step: Fraction, left: Fraction, right: Fraction) -> bool:
    """Whether a printed ratio agrees with two values, within its digits or 1.5 percent."""
    real = float(left) / float(right)
    return abs(real - float(ratio)) <= max(float(half_step), real * 0.015)
