"""Judging one number: is it what the catalogue has for this product under these words.

Known under the stated words: fine. Known only under other words: wrong, and the axis says
how. Not known at all: explained where arithmetic shows the mistake, else left open. A guess
is never given as a fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.certain import certain
from kb.prose.context import Sentence
from kb.prose.explain import division, elsewhere, explain, relabelled
from kb.prose.fit import PART, conflicts, matching
from kb.prose.known import Known, Slot
from kb.prose.observed import TOLD, above_peak, measured_peak, observed, quoted
from kb.prose.phrase import slot_words, value_words
from kb.prose.questions import questions, remedy
from kb.prose.remark import Remark, fine, unclear, unknown, wrong
from kb.qualifiers import MEMORIES, ROLE_OF_INTERFACE


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
    fitting = [s for s in same if not conflicts(bound, s) and not _part_unasked(bound, s)]
    if remark := _fitting(bound, sentence, fitting, slots, known, scope_shown=scope_shown):
        return remark
    links = [slot for slot in fitting if slot.metric == "link_bandwidth"]
    if any(slot.statement.status != "disputed" for slot in links):
        return None  # a step from a printed value, and a word elsewhere speaks against it
    if not bound.near and len(bound.products) > 1 and not bound.family:
        return None  # of which of the products named before, nobody says
    if above := above_peak(bound, slots):
        return _instead(above, bound, sentence, slots, known)
    misread = _misread(bound, slots) or _reported_elsewhere(bound, slots, known)
    if misread := misread or measured_peak(bound, sentence):
        return misread
    if observed(bound) and not quoted(bound, same):
        return None
    disputed = next((s for s in fitting if s.statement.status == "disputed"), None)
    if disputed is not None and (_near_current(disputed) or not _undisputed(same)):
        return explain(bound, sentence, slots, known, disputed=disputed)
    return _unfitting(bound, sentence, [s for s in same if conflicts(bound, s)], slots, known)


def _part_unasked(bound: Bound, slot: Slot) -> bool:
    """`800 Gbps per chip` is no figure of one of its ports, which nobody printed."""
    scope = bound.stated.get("scope")
    return (
        "aggregation" in slot.changed
        and slot.axes["aggregation"] in PART
        and not bound.values("aggregation")
        and "each" not in bound.tags
        and scope is not None
        and scope.strong
        and any(0 <= m.start - bound.amount.end <= AT for m in scope.mentions)
    )


AT = 12
"""How far behind a number `per chip` may stand that says at once what it is of."""


def _instead(
    above: Remark, bound: Bound, sentence: Sentence, slots: Sequence[Slot], known: Known
) -> Remark:
    """Above every peak because it is one under other words, or that of another product."""
    same = matching(bound.amount, slots)
    slip = [s for s in same if s.current and not s.changed and len(conflicts(bound, s)) == 1]
    if slip:
        return _other_words(bound, slip, slots, sentence, known)
    right = [s for s in slots if s.current and not conflicts(bound, s)]
    other = elsewhere(bound, known, right)
    return replace(above, axes=(*above.axes, *other.axes)) if other else above


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
    slip = any(s.current and not s.changed and conflicts(bound, s) == {"direction"} for s in same)
    if not slip and (found := division(bound, sentence, slots)):
        return found
    unlike = all("interface" in conflicts(bound, s) or s.changed for s in same)
    if unlike and (found := relabelled(bound, [], slots, known)):
        return found
    if all(s.changed and "interface" in conflicts(bound, s) for s in same):
        told = bound.strong("interface")
        if told and not any(s.axes.get("interface") in told for s in slots):
            return None  # of a link on which the catalogue is silent, any rate may be right
        if not _of_memory(bound):
            return explain(bound, sentence, slots, known)  # a step away, of another link: chance
    undisputed = [s for s in same if s.statement.status != "disputed"] or same
    fewest = min(len(conflicts(bound, s)) for s in undisputed)
    right = [s for s in slots if s.current and not conflicts(bound, s) and not s.changed]
    if fewest > 1 and (found := elsewhere(bound, known, right)) and len(found.axes) == 1:
        return found
    unlikely = all(s.changed and len(conflicts(bound, s)) > 1 for s in same)
    # Two slips at once and a step between: another mistake is likelier.
    other = explain(bound, sentence, slots, known) if unlikely else None
    return other or _other_words(bound, same, slots, sentence, known)


_MEMORY_WORDS = frozenset(
    {"memory", *(str(link) for link, role in ROLE_OF_INTERFACE.items() if role in MEMORIES)}
)
"""The word itself, and the interfaces that are one."""


def _of_memory(bound: Bound) -> bool:
    """Whether the words speak of a memory: half of a link's rate given as one is no chance."""
    stated = bound.values("interface") or bound.strong("memory")
    return bool(stated) and stated <= _MEMORY_WORDS


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
        told = "; ".join(text for _, text in asked)
        return unclear(amount.start, amount.end, axes, told, remedy(asked))
    return (
        _under_dense(bound, sentence, found, slots)
        or _not_usable(bound, sentence, found, slots)
        or fine(amount.start, amount.end)
    )


def _not_usable(
    bound: Bound, sentence: Sentence, found: Sequence[Slot], slots: Sequence[Slot]
) -> Remark | None:
    """`180 GB usable`, where that is what is advertised and another figure is what can be used."""
    if bound.strong("basis") != {"usable"} or any(s.axes.get("basis") in TOLD for s in found):
        return None
    usable = [
        s
        for s in slots
        if s.axes.get("basis") == "usable" and s.current and not s.changed
        if not conflicts(bound, s)
    ]
    told = {a.number for a in sentence.amounts}
    if not usable or not told.isdisjoint(s.quantity.number for s in usable):
        return None  # `31.25 of the chip's 32 GiB can be used`
    text = (
        f"this is {slot_words(found[0])}; usable is {value_words(usable[0])}: which one is meant?"
    )
    return unclear(bound.amount.start, bound.amount.end, ("basis",), text)


def _under_dense(
    bound: Bound, sentence: Sentence, found: Sequence[Slot], slots: Sequence[Slot]
) -> Remark | None:
    """A rate with structured sparsity under a heading that says dense, and nothing else."""
    stated = bound.stated.get("sparsity")
    if stated is None or stated.strong or stated.values != {"dense"}:
        return None
    above = all("\n" in sentence.text[m.end : sentence.start] for m in stated.mentions)
    if not above or any(s.axes.get("sparsity") != "structured_2_4" for s in found):
        return None
    dense = [s for s in slots if s.axes.get("sparsity") == "dense" and not conflicts(bound, s)]
    right = f"; the dense one is {value_words(dense[0])}" if dense else ""
    text = f"this is {slot_words(found[0])}, and the heading says dense{right}"
    return wrong(bound.amount.start, bound.amount.end, ("sparsity",), text)


def _near_current(slot: Slot) -> bool:
    """Whether a disputed figure is near enough to the current one to be a rival of it."""
    claim = slot.entry.claim
    current = claim.current.quantity(claim.metric).base
    return Fraction(2, 3) < slot.base / current < Fraction(3, 2)


def _undisputed(slots: Sequence[Slot]) -> list[Slot]:
    return [slot for slot in slots if slot.statement.status != "disputed"]


def _misread(bound: Bound, slots: Sequence[Slot]) -> Remark | None:
    """A count that a device reports, copied in full under another label: MB for MiB."""
    amount = bound.amount
    for slot in slots:
        if slot.axes.get("basis") not in TOLD:
            continue
        printed = slot.quantity
        if (
            not slot.changed
            and amount.unit is not None
            and printed.number == amount.number > MANY
            and printed.unit.name != amount.unit.name
        ):
            text = f"the digits are those of {slot_words(slot)}, under another unit"
            return wrong(amount.start, amount.end, ("unit", "basis"), text, printed.text)
    return None


def _reported_elsewhere(bound: Bound, slots: Sequence[Slot], known: Known) -> Remark | None:
    """The exact count that the devices of another product report."""
    amount = bound.amount
    if amount.unit is None or amount.number <= MANY or not bound.strong("basis") & TOLD:
        return None
    own = [s for s in slots if s.axes.get("basis") in TOLD and not s.changed]
    for slot in known.of_kind(amount.kind) if own else ():
        printed = slot.quantity
        same = (printed.number, printed.unit.name) == (amount.number, amount.unit.name)
        if same and slot.product in bound.products:
            return None
        if same and slot.axes.get("basis") in TOLD and not slot.changed:
            text = f"this is {slot_words(slot)}; {slot_words(own[0])}"
            return wrong(amount.start, amount.end, ("product_identity",), text)
    return None


MANY = 1000
"""A number of so many digits is no coincidence."""


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
    known_right = "interface" in axes and any(not conflicts(bound, s) and s.current for s in slots)
    if slot.statement.status == "superseded" and not slot.current and not known_right:
        return explain(bound, sentence, slots, known) or unclear(
            bound.amount.start, bound.amount.end, axes, f"{slot_words(slot)} is an older figure"
        )
    if axes[:1] == ("precision",) and not any(not conflicts(bound, s) for s in slots):
        has = f"the catalogue has no figure of this format; it has {slot_words(slot)}"
        return unknown(bound.amount.start, bound.amount.end, has)
    right = [s for s in slots if not conflicts(bound, s) and s.current and not s.changed]
    suggestion = certain(bound, slots)
    instead = suggestion or (value_words(right[0]) if right else "")
    message = f"this is {slot_words(slot)}" + (instead and f"; under these words it is {instead}")
    other = elsewhere(bound, known, right)
    if other is not None and other.axes == ("product_identity",) and "interface" not in axes:
        axes, message = (*axes, "product_identity"), f"{message}; or {other.message}"
    return wrong(bound.amount.start, bound.amount.end, axes, message, suggestion)


def _distance(bound: Bound, slot: Slot) -> tuple[int, int, list[int], bool]:
    axes = conflicts(bound, slot)
    return len(axes), len(slot.changed), sorted(map(_WEIGHT.index, axes)), not slot.current


_WEIGHT = [
    "interface",
    "sparsity",
    "engine",
    "precision",
    "direction",
    "scope",
    "aggregation",
    "basis",
    "power_state",
]
"""Which axis names the mistake where several differ."""
