"""Judging one number: is it what the catalogue has for this product under these words.

Known under the stated words: fine. Known only under other words: wrong, and the axis says
how. Not known at all: explained where arithmetic shows the mistake, else left open. A guess
is never given as a fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.explain import division, elsewhere, explain, relabelled
from kb.prose.fit import conflicts, matching
from kb.prose.known import Known, Slot
from kb.prose.phrase import slot_words, value_words
from kb.prose.questions import questions
from kb.prose.remark import Remark, fine, unclear, wrong

TOO_FAST = Fraction(102, 100)


def judge(
    bound: Bound, sentence: Sentence, known: Known, *, scope_shown: bool = False
) -> Remark | None:
    """The judgement on one number; None where nothing is known about such a thing.

    `scope_shown`: arithmetic in the sentence shows what the number is about.
    """
    amount = bound.amount
    if not bound.products or "deny" in bound.tags:
        return None
    slots = known.of(bound.products, amount.kind)
    if not slots:
        return None
    same = matching(amount, slots)
    fitting = [slot for slot in same if not conflicts(bound, slot)]
    if remark := _fitting(bound, sentence, fitting, slots, known, scope_shown=scope_shown):
        return remark
    if above := _above_peak(bound, slots):
        return above
    if _observed(bound):
        return None
    if disputed := next((s for s in fitting if s.statement.status == "disputed"), None):
        return explain(bound, sentence, slots, known, disputed=disputed)
    return _unfitting(bound, sentence, [s for s in same if conflicts(bound, s)], slots, known)


def _fitting(
    bound: Bound,
    sentence: Sentence,
    fitting: Sequence[Slot],
    slots: Sequence[Slot],
    known: Known,
    *,
    scope_shown: bool,
) -> Remark | None:
    """The judgement where the value is known under the stated words."""
    settled = [
        slot
        for slot in fitting
        if slot.statement.status != "disputed"
        # A value that nobody printed must fit every word of the sentence.
        and not (slot.changed and conflicts(bound, slot, weak=True))
    ]
    if settled:
        return _known(bound, sentence, _best(settled, bound), slots, known, scope_shown=scope_shown)
    if fitting and "named" in bound.tags:
        return fine(bound.amount.start, bound.amount.end, slot_words(fitting[0]))
    return None


def _unfitting(
    bound: Bound,
    sentence: Sentence,
    same: list[Slot],
    slots: Sequence[Slot],
    known: Known,
) -> Remark | None:
    """The judgement where the value is known under other words only, or not at all."""
    if not same:
        return explain(bound, sentence, slots, known)
    if found := division(bound, sentence, slots):
        return found
    unlike = all("interface" in conflicts(bound, s) or s.changed for s in same)
    if unlike and (found := relabelled(bound, [], slots, known)):
        return found
    undisputed = [s for s in same if s.statement.status != "disputed"] or same
    fewest = min(len(conflicts(bound, s)) for s in undisputed)
    right = [s for s in slots if s.current and not conflicts(bound, s) and not s.changed]
    if fewest > 1 and (found := elsewhere(bound, known, right)) and len(found.axes) == 1:
        return found
    unlikely = all(s.changed and len(conflicts(bound, s)) > 1 for s in same)
    # Two slips at once and a step between: another mistake is likelier.
    other = explain(bound, sentence, slots, known) if unlikely else None
    return other or _other_words(bound, same, slots, sentence, known)


def _best(slots: Sequence[Slot], bound: Bound) -> list[Slot]:
    """The slots that fit best: no doubt from elsewhere, printed rather than derived."""

    def rank(slot: Slot) -> tuple[int, int, bool, int]:
        older = "old" in bound.tags
        unit, printed = bound.amount.unit, slot.quantity
        literal = unit is not None and (printed.unit.name, printed.number) == (
            unit.name,
            bound.amount.number,
        )
        return (
            len(conflicts(bound, slot, weak=True)),
            len(slot.changed) + ("direction" in slot.changed and not bound.values("direction")),
            not literal,
            0 if slot.current or older else 1,
        )

    if len(slots) == 1:
        return list(slots)
    ranks = [rank(slot) for slot in slots]
    best = min(ranks)
    return [slot for slot, own in zip(slots, ranks, strict=True) if own == best]


def _known(
    bound: Bound,
    sentence: Sentence,
    found: list[Slot],
    slots: Sequence[Slot],
    known: Known,
    *,
    scope_shown: bool,
) -> Remark:
    """Fine, or what the words leave open."""
    amount = bound.amount
    asked = questions(bound, sentence, found, slots, known)
    if scope_shown:
        asked = [(a, text) for a, text in asked if a not in ("scope", "aggregation")]
    if asked:
        axes = tuple(dict.fromkeys(axis for axis, _ in asked))
        return unclear(amount.start, amount.end, axes, "; ".join(text for _, text in asked))
    return fine(amount.start, amount.end, slot_words(found[0]))


def _observed(bound: Bound) -> bool:
    """Whether the number is what somebody saw or needs, and not what a product has."""
    told = bound.strong("basis") & {"device_reported", "usable"}
    return (
        bool(told)
        or "measured" in bound.values("basis")
        or (
            # A job may need any amount of memory; a rate belongs to a machine.
            "use" in bound.tags and bound.amount.kind == "information"
        )
    )


def _above_peak(bound: Bound, slots: Sequence[Slot]) -> Remark | None:
    """A measured rate above everything that the product is printed with."""
    if bound.amount.kind not in ("operations", "information_rate") or not _observed(bound):
        return None
    group = bound.values("scope") and not bound.values("scope") & {"chip", "gpu", "device"}
    fair = [s for s in slots if not conflicts(bound, s) and (group or s.level == "one")]
    if not fair or bound.amount.base <= max(s.base for s in fair) * TOO_FAST:
        return None
    top = max(fair, key=lambda slot: slot.base)
    return wrong(
        bound.amount.start,
        bound.amount.end,
        ("basis", "timing_boundary"),
        f"a measured rate can't be above the peak, {slot_words(top)}: the clock stopped before "
        "the work was done, or operations were miscounted",
    )


def _other_words(
    bound: Bound, same: list[Slot], slots: Sequence[Slot], sentence: Sentence, known: Known
) -> Remark:
    """The value is known, but under other words than those at the number."""
    printed = [s for s in same if s.statement.status != "disputed"] or same
    slot = min(printed, key=lambda s: _distance(bound, s))
    axes = tuple(sorted(conflicts(bound, slot), key=_WEIGHT.index))
    alike = [s for s in printed if _distance(bound, s)[:2] == _distance(bound, slot)[:2]]
    # Another mistake of the same size makes the same number; only its author knows which.
    axes = tuple(dict.fromkeys((*axes, *(a for s in alike for a in sorted(conflicts(bound, s))))))
    if slot.statement.status == "superseded" and not slot.current:
        return explain(bound, sentence, slots, known) or unclear(
            bound.amount.start, bound.amount.end, axes, f"{slot_words(slot)} is an older figure"
        )
    right = [s for s in slots if not conflicts(bound, s) and s.current and not s.changed]
    instead = f"; under these words it is {value_words(right[0])}" if right else ""
    message = f"this is {slot_words(slot)}{instead}"
    suggestion = right[0].quantity.text if len({s.base for s in right}) == 1 else ""
    return wrong(bound.amount.start, bound.amount.end, axes, message, suggestion)


def _distance(bound: Bound, slot: Slot) -> tuple[int, int, list[int], bool]:
    axes = conflicts(bound, slot)
    return len(axes), len(slot.changed), sorted(map(_WEIGHT.index, axes)), not slot.current


_WEIGHT = [
    "interface",
    "sparsity",
    "precision",
    "direction",
    "scope",
    "aggregation",
    "engine",
    "basis",
    "power_state",
]
"""Which axis names the mistake where several differ."""
