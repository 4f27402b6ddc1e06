"""Charity: before an error is given, the other readings that the sentence allows are tried.

A number is near a name or a word by distance, and a sentence on several products can mean
another of them. Where one of its other names, or a word that stands at another number, makes
the number right, and no clear syntax speaks against it, nobody is accused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kb.derive import is_additive
from kb.prose.bind import Bound, Stated, Surroundings
from kb.prose.context import Sentence
from kb.prose.fit import agrees, conflicts, matching
from kb.prose.known import Known, Slot
from kb.prose.lexicon import NUMBER_WORDS
from kb.prose.names import Named
from kb.prose.numbers import JUDGED
from kb.prose.syntax import hardware, name_is_clear, word_is_clear


def right_otherwise(
    bound: Bound, sentence: Sentence, around: Surroundings, known: Known
) -> bool:
    """Whether another reading that the sentence allows makes the number right."""
    own = not name_is_clear(bound, sentence, around)
    readings = [bound, *(_others(bound, sentence, around, known) if own else ())]
    return any(
        _right(reading, slot, sentence, other=reading is not bound)
        for reading in readings
        for slot in matching(bound.amount, known.of(reading.products, bound.amount.kind))
    ) or any(_multiple(reading, sentence, known) for reading in readings)


def _others(
    bound: Bound, sentence: Sentence, around: Surroundings, known: Known
) -> Iterator[Bound]:
    """The number read as that of each other product that is named around it."""
    for name in _named(bound, sentence, around):
        yield replace(bound, names=(name,))


def _named(bound: Bound, sentence: Sentence, around: Surroundings) -> list[Named]:
    """Every other product of the sentence and its heads, or of what stands before it."""
    near = [n for s in (sentence, *around.heads) for n in hardware(s)]
    if not bound.near:
        near += [n for s in (*around.before, *around.above) for n in hardware(s)]
    return [n for n in dict.fromkeys(near) if n.products and n not in bound.names]


def _right(bound: Bound, slot: Slot, sentence: Sentence, *, other: bool) -> bool:
    """Whether a value fits once words that belong to other numbers are left out."""
    if not slot.current:
        return False
    against = conflicts(bound, slot)
    if not against:
        return other
    if slot.changed:
        return False
    loose = {
        axis: stated
        for axis, stated in bound.stated.items()
        if stated.strong and _loose(stated, bound, sentence)
    }
    if not loose:
        return False
    rest = {axis: stated for axis, stated in bound.stated.items() if axis not in loose}
    return not conflicts(replace(bound, stated=rest), slot)


def _loose(stated: Stated, bound: Bound, sentence: Sentence) -> bool:
    """Whether each word on an axis may belong to another number of the sentence."""
    named = {name.start for name in bound.names}
    others = [a for a in sentence.amounts if a is not bound.amount and a.kind in JUDGED]
    return bool(stated.mentions) and all(
        m.start not in named
        and not word_is_clear(m, bound.amount, sentence)
        and any(word_is_clear(m, a, sentence) for a in others)
        for m in stated.mentions
    )


_MAKE = re.compile(
    r"\b(?P<n>two|three|four|six|eight|sixteen|zwei|vier|acht)\s(?:of (?:them|these|those)|make|have|"
    r"hold|give|add|together|zusammen)\b",
    re.IGNORECASE,
)
"""A number that counts the accelerators named before: `eight make 640 GB`."""


def _multiple(bound: Bound, sentence: Sentence, known: Known) -> bool:
    """`An H100 has 80 GB; eight make 640 GB`: so many times what one has."""
    amount = bound.amount
    if "each" in bound.tags or _single(bound, sentence):
        return False
    counts = {
        a.number
        for a in sentence.amounts
        if a.kind == "count" and a.label in ("accelerator", "device") and a.end <= amount.start
    }
    spelled = _MAKE.finditer(sentence.text, sentence.start, amount.start)
    counts |= {Fraction(NUMBER_WORDS[match["n"].lower()]) for match in spelled}
    counts -= {Fraction(1)}
    slots = known.of(bound.products, amount.kind) if counts else ()
    return any(
        agrees(amount, slot.base * count)
        for slot in slots
        if slot.level == "one" and slot.current and not slot.changed and is_additive(slot.operand)
        if not conflicts(bound, slot) - {"scope", "aggregation"}
        for count in counts
    )


def _single(bound: Bound, sentence: Sentence) -> bool:
    """Whether the words at a number say that it is that of one accelerator."""
    stated = bound.stated.get("scope")
    return (
        stated is not None
        and stated.strong
        and stated.values <= ONE
        and any(word_is_clear(m, bound.amount, sentence) for m in stated.mentions)
    )


ONE = frozenset({"chip", "gpu", "device", "card"})
"""Scopes of one accelerator."""
