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
from kb.prose.context import Mention, Sentence
from kb.prose.fit import PART, agrees, conflicts, matching
from kb.prose.known import Known, Slot
from kb.prose.numbers import JUDGED, Amount
from kb.prose.syntax import changes, hardware, name_is_clear, next_clause, word_is_clear
from kb.prose.whole import spelled_counts


def right_reading(
    bound: Bound, sentence: Sentence, around: Surroundings, known: Known
) -> Bound | None:
    """Another reading that the sentence allows and that makes the number right, if there is one."""
    readings = [bound]
    if _shared_unit(bound, sentence, around, known):
        return replace(bound, names=())
    if not name_is_clear(bound, sentence, around):
        if _contested(bound, sentence, around) and not _printed(bound, known):
            return replace(bound, names=())
        readings += _others(bound, sentence, around)
        if _unnamed(bound, sentence) and _of_any(bound, known):
            return replace(bound, names=())
    for reading in readings:
        loose = _without_loose(reading, sentence, around)
        for slot in matching(bound.amount, known.of(reading.products, bound.amount.kind)):
            if not slot.current:
                continue
            if reading is not bound and not conflicts(reading, slot):
                return reading
            if loose is not None and _fits(loose, slot):
                return loose
    if _of_slice(bound, around, known):
        return replace(bound, names=())
    shown = (_multiple, _of_links, _part)
    return next((r for r in readings if any(way(r, sentence, known) for way in shown)), None)


def _fits(bound: Bound, slot: Slot) -> bool:
    derived = bool(slot.changed)  # a value that nobody printed must fit every word
    return not conflicts(bound, slot) and not (derived and conflicts(bound, slot, weak=True))


def _without_loose(bound: Bound, sentence: Sentence, around: Surroundings) -> Bound | None:
    """The number without the words that belong to other numbers; None where all are its own."""
    remark = _is_remark(sentence, around)
    loose = [
        axis
        for axis, stated in bound.stated.items()
        if _loose(stated, bound, sentence)
        or (axis == "scope" and _place(stated, around))
        or (axis in _WHOLE and _between_devices(sentence, around))
        or (remark and axis != "precision" and _of_heads_only(stated, around))
    ]
    kept = {axis: stated for axis, stated in bound.stated.items() if axis not in loose}
    return replace(bound, stated=kept) if loose else None


def _shared_unit(bound: Bound, sentence: Sentence, around: Surroundings, known: Known) -> bool:
    """`| HBM (GB) | 32 | 16 |`: a unit that stands for several is in binary or decimal for none."""
    amount = bound.amount
    shared = sentence.given is not None or "alike" in bound.tags or len(around.heads) > 1
    above = {name.start for s in around.above for name in hardware(s)}
    # A list under a heading has one unit for all of its items.
    shared = shared or (not bound.near and any(n.start in above for n in bound.names))
    if amount.unit is None or not shared:
        return False
    return any(
        slot.current
        and not slot.changed
        and slot.quantity.number == amount.number
        and slot.quantity.unit.prefix != amount.unit.prefix
        and slot.quantity.unit.counts_bits == amount.unit.counts_bits
        and abs(amount.base / slot.base - 1) < WIDEST_PREFIX
        for slot in known.of(bound.products, amount.kind)
    )


WIDEST_PREFIX = Fraction(1, 8)
"""How far a decimal and a binary prefix of one size are apart at most, up to tera."""


def _contested(bound: Bound, sentence: Sentence, around: Surroundings) -> bool:
    """Whether another product is named around, of which the number may be."""
    own = {product for name in bound.names for product in name.products}
    return any(
        own.isdisjoint(name.products)
        for s in (sentence, *around.heads)
        for name in hardware(s)
        if not name.family
    )


def _printed(bound: Bound, known: Known) -> bool:
    """Whether the digits are some printed value of the product that the number is near to."""
    amount = bound.amount
    return any(
        slot.current
        and not slot.changed
        and (agrees(amount, slot.base) or slot.quantity.number == amount.number)
        for kind in JUDGED
        for slot in known.of(bound.products, kind)
    )


def _others(bound: Bound, sentence: Sentence, around: Surroundings) -> Iterator[Bound]:
    """The number read as that of each other product that is named around it."""
    near = [n for s in (sentence, *around.heads) for n in hardware(s)]
    if not bound.near or bound.family or _beyond(bound, sentence):
        near += [n for s in (*around.before, *around.above) for n in hardware(s)]
    for name in dict.fromkeys(near):
        if name.products and name not in bound.names:
            yield replace(bound, names=(name,))


def _beyond(bound: Bound, sentence: Sentence) -> bool:
    """`Intel gives 1,835 TFLOPS; the 1,979 of the H100 …`: the name begins another statement."""
    end = bound.amount.end
    return bool(bound.names) and all(
        n.start >= end and ";" in sentence.text[end : n.start] for n in bound.names
    )


_UNNAMED = re.compile(
    r"(?:\b|(?<=['’]))(?:(?:its|the|their|s)\s(?:\w+\s)?(?:successor|predecessor|sibling|rival|competitor)s?"
    r"|generations?\s(?:after|before|\d)|others?|theirs"
    r"|(?:next|previous|following|earlier|newer|older|latest|newest)\s(?:generation|chip|card|part|GPU|"
    r"one|model)s?|the\s(?:second|third|fourth|fifth|sixth)\s(?:has|had|gives|reaches)|Nachfolger\w*|Vorgänger\w*)\b",
    re.IGNORECASE,
)


def _unnamed(bound: Bound, sentence: Sentence) -> bool:
    """`X 4.8 TB/s; the generation after that 7.7 TB/s`: of a product that has no name here."""
    ends = [n.end for n in bound.names if sentence.start <= n.start and n.end < bound.amount.start]
    start = max(ends, default=sentence.start)
    return _UNNAMED.search(sentence.text, start, bound.amount.start) is not None


def _of_any(bound: Bound, known: Known) -> bool:
    """Whether some product has this value under these words."""
    slots = matching(bound.amount, known.of_kind(bound.amount.kind))
    return any(slot.current and not conflicts(bound, slot) for slot in slots)


_WHOLE = frozenset({"scope", "sold_as", "aggregation"})
_BETWEEN = re.compile(r"\b(?:GPU|chip|device)[- ]to[- ](?:GPU|chip|device)\b", re.IGNORECASE)


def _between_devices(sentence: Sentence, around: Surroundings) -> bool:
    """`GPU-to-GPU bandwidth` of a board is what one of its GPUs has."""
    return any(_BETWEEN.search(s.words()) for s in (sentence, *around.heads))


def _is_remark(sentence: Sentence, around: Surroundings) -> bool:
    """`| 192 GB | direction of 128 GB/s |`: a cell of words, behind other figures."""
    first = next(a for a in sentence.amounts if a.kind in JUDGED)
    words = sentence.text[sentence.start : first.start].split()
    figures = any(a.unit is not None for head in around.heads for a in head.amounts)
    return len(words) > 1 and bool(around.heads) and (figures or bool(around.beside))


def _of_heads_only(stated: Stated, around: Surroundings) -> bool:
    return bool(stated.mentions) and all(
        any(head.start <= m.start < head.end for head in around.heads) for m in stated.mentions
    )


def _place(stated: Stated, around: Surroundings) -> bool:
    """`| Level (H100 node) |` over the row heads: where the rows stand, and of what none is."""
    corner = around.heads[-1] if around.heads else None
    return corner is not None and all(
        corner.start <= m.start < corner.end and "(" in corner.text[corner.start : m.start]
        for m in stated.mentions
    )


def _loose(stated: Stated, bound: Bound, sentence: Sentence) -> bool:
    """Whether each word on an axis may belong to another number of the sentence."""
    named = {name.start for name in bound.names}
    amount = bound.amount
    return bool(stated.mentions) and all(
        m.start not in named
        and (
            (m.end <= amount.start and changes(sentence, amount))
            or next_clause(sentence, amount, m)
            or (
                not word_is_clear(m, amount, sentence)
                and any(
                    word_is_clear(m, other, sentence)
                    for other in sentence.amounts
                    if other is not amount
                    and (
                        other.kind in JUDGED or _counts_behind(other, amount, m) or _bare(other, m)
                    )
                )
            )
        )
        for m in stated.mentions
    )


def _multiple(bound: Bound, sentence: Sentence, known: Known) -> bool:
    """`An H100 has 80 GB; eight make 640 GB`: so many times what one has."""
    amount = bound.amount
    if "each" in bound.tags or _single(bound, sentence) or bound.strong("aggregation") & PART:
        return False
    counts = {
        a.number
        for a in sentence.amounts
        if a.kind == "count" and a.label in ("accelerator", "device") and a.end <= amount.start
    }
    counts |= {number for _, number in spelled_counts(sentence, amount.start)}
    counts -= {Fraction(1)}
    slots = known.of(bound.products, amount.kind) if counts else ()
    return any(
        agrees(amount, slot.base * count)
        for slot in slots
        if slot.level == "one" and slot.current and not slot.changed and is_additive(slot.operand)
        if not conflicts(bound, slot) - {"scope", "aggregation"}
        for count in counts
    )


def _of_slice(bound: Bound, around: Surroundings, known: Known) -> bool:
    """`| | v6e-16 |` over `14,688`: so many times what one chip has."""
    counts = [Fraction(n) for head in around.heads for n in _SLICE.findall(head.words())]
    return any(
        agrees(bound.amount, slot.base * count)
        for slot in (known.of(bound.products, bound.amount.kind) if counts else ())
        if slot.level == "one" and slot.current and is_additive(slot.operand)
        if not conflicts(bound, slot) - {"scope", "aggregation"}
        for count in counts
    )


_SLICE = re.compile(r"\bv\d[ep]?-(\d{1,4})\b")


def _part(bound: Bound, sentence: Sentence, known: Known) -> bool:
    """`150 GB/s (3 x 200 Gbps)`: a part of a figure that the product has."""
    amount = bound.amount
    before = [a for a in sentence.amounts if a.end <= amount.start][-1:]
    crossed = before and _CROSS.fullmatch(sentence.text, before[0].end, amount.start)
    if not crossed or before[0].kind not in ("count", "bare") or before[0].number <= 1:
        return False
    return any(
        slot.current and agrees(amount, slot.base / before[0].number)
        for slot in known.of(bound.products, amount.kind)
        if not conflicts(bound, slot) - {"aggregation", "direction"}
    )


_CROSS = re.compile(r"\s?[×x*]\s?")


def _of_links(bound: Bound, sentence: Sentence, known: Known) -> bool:
    """`9e10 bytes/s per link over 4 links gives 360 GB/s`."""
    if bound.strong("aggregation") & PART:
        return False
    counts = [a.number for a in sentence.amounts if a.kind == "count" and a.label == "link"]
    return any(
        agrees(bound.amount, slot.base * count)
        for slot in (known.of(bound.products, bound.amount.kind) if counts else ())
        if slot.axes.get("aggregation") == "per_link" and slot.current
        if not conflicts(bound, slot) - {"aggregation", "scope"}
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


def _bare(other: Amount, mention: Mention) -> bool:
    """`1.1 PFLOPS in A (2.25 in BF16)`: the word stands behind a number without its unit."""
    return other.kind == "bare" and other.number > 1 and mention.start >= other.end


def _counts_behind(other: Amount, amount: Amount, mention: Mention) -> bool:
    """`2.77 TB/s, with up to 8,960 chips in a pod`: the word is of what is counted."""
    behind = amount.end <= min(other.start, mention.start)
    inside = mention.start <= other.start < mention.end
    return behind and not inside and other.kind in ("count", "bare") and other.number > 1
