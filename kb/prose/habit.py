"""Twice or half of a known value, by a habit that doesn't hold for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.certain import certain
from kb.prose.fit import agrees, conflicts
from kb.prose.known import Slot
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, unclear, wrong


def habitual(bound: Bound, expected: Sequence[Slot], slots: Sequence[Slot]) -> Remark | None:
    """Twice or half of a known value, by a habit that doesn't hold here."""
    amount = bound.amount
    near = {"precision", "sparsity", "direction"}
    stray = [s for s in slots if s.current and not s.changed and conflicts(bound, s) <= near]
    for slot in [*expected, *stray]:
        for factor in (Fraction(2), Fraction(1, 2)):
            if not agrees(amount, slot.base * factor):
                continue
            if slot.metric == "link_bandwidth" and "direction" in slot.open:
                text = f"{slot_words(slot)} doesn't say whether both directions are added: is "
                return unclear(amount.start, amount.end, ("direction",), f"{text}one meant here?")
            axes = _axes_of(slot, expected, bound)
            if not axes:
                continue
            has = f"; the catalogue has {slot_words(expected[0])}" if expected else ""
            twice = "twice" if factor == 2 else "half of"
            text = f"this is {twice} {slot_words(slot)}{has}"
            return wrong(amount.start, amount.end, axes, text, certain(bound, slots))
    return None


def _axes_of(slot: Slot, expected: Sequence[Slot], bound: Bound) -> tuple[str, ...]:
    metric = slot.entry.claim.metric
    if metric == "link_bandwidth":
        return ("direction",)
    if metric == "compute_throughput" and expected:
        mode = slot.entry.product.sparse_mode
        sparse = mode is not None and mode.mode != "none"
        differs = slot not in expected
        return (
            ("sparsity", "precision")
            if sparse
            else (("precision", "sparsity") if differs or bound.values("precision") else ())
        )
    return ()
