"""Totals: what several accelerators have together, and what only one of them has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from kb.derive import is_additive
from kb.prose.bind import Bound
from kb.prose.context import Mention, Sentence
from kb.prose.fit import PART, agrees, conflicts
from kb.prose.known import Known, Slot
from kb.prose.lexicon import NUMBER_WORDS
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, wrong
from kb.prose.situations import CLAUSE, counted
from kb.prose.slots import slots_of


def total(bound: Bound, heads: Sequence[Sentence], known: Known) -> Remark | None:
    """A cell under `8 GPUs` that is near eight times the figure of one, and isn't it."""
    amount = bound.amount
    numbers = (a.number for head in heads for a in head.amounts if a.label == "accelerator")
    count = max(numbers, default=Fraction(1))
    for slot in known.of(bound.products, amount.kind):
        if slot.level != "one" or not slot.current or slot.changed or conflicts(bound, slot):
            continue
        right = slot.base * count
        if amount.unit and Fraction(2, 3) < right / amount.base < Fraction(3, 2):
            value = f"{float(right / amount.unit.factor):.6g} {amount.label}"
            text = f"{count} × {slot.quantity.text} is {value} [{slot.entry.id}]"
            return wrong(amount.start, amount.end, ("unit", "scope"), text, value)
    return None


SAME_LIST = 90
"""How far a total may stand behind the count of what it is the total of."""
_SINGLE = re.compile(r"\b(?:per|each|every|single|one|an?|je|pro|apiece)\b", re.IGNORECASE)


_MAKE = re.compile(
    r"\b(?P<n>two|three|four|six|eight|sixteen|zwei|vier|acht)\s(?:of (?:them|these|those)|make|"
    r"have|hold|give|add|together|zusammen)\b"
    r"|\b(?P<way>\d{1,2}|two|four|eight|sixteen)-(?:way|GPU|chip)\b"
    r"|\bv\d[ep]?-(?P<slice>\d{1,4})\b",
    re.IGNORECASE,
)


def spelled_counts(sentence: Sentence, end: int) -> Iterator[tuple[int, Fraction]]:
    """Numbers of accelerators without their noun: `eight make 640 GB`, `an eight-way server`."""
    for match in _MAKE.finditer(sentence.text, sentence.start, end):
        word = (match["n"] or match["way"] or match["slice"]).lower()
        number = Fraction(int(word) if word.isdigit() else NUMBER_WORDS[word])
        yield match.end(), number
        if match["slice"] and number > 1:
            yield match.end(), number / 2  # some names of slices count the cores of their chips


_EACH_OF = re.compile(
    r"\b(?:each|every|any|one|per)\s(?:of\s)?(?:the\s|its\s|these\s)?\Z", re.IGNORECASE
)


def of_several(bound: Bound, sentence: Sentence, known: Known) -> bool:
    """`a four-chip slice aggregates 128 GB`: the number is that of one, so many times."""
    amount, text = bound.amount, sentence.text
    before = [
        (a.end, a.number)
        for a in counted(sentence)
        if a.label in ("accelerator", "device")
        and a.number > 1
        and 0 < amount.start - a.end < SAME_LIST
        and not _EACH_OF.search(text, max(sentence.start, a.start - 16), a.start)
    ]
    before = before or list(spelled_counts(sentence, amount.start))
    if "each" in bound.tags or bound.strong("aggregation") & PART:
        return False  # a bisection is no sum over devices
    if _of_groups(bound, sentence, known):
        return True
    if not before:
        return False
    around = (
        text[before[-1][0] : amount.start],
        text[amount.end : min(amount.end + 12, sentence.end)],
    )
    if any(_SINGLE.search(words) for words in around):
        return False
    return any(
        agrees(amount, slot.base * before[-1][1])
        for slot in known.of(bound.products, amount.kind)
        if slot.level == "one"
        and slot.current
        and is_additive(slot.operand)
        and not conflicts(bound, slot) - {"scope", "aggregation"}
    )


_GROUPS = re.compile(
    r"\b(?P<n>\d{1,4}|two|three|four|six|eight|ten|twelve)\s(?:\w+\s)?(?:pods|racks|nodes|hosts|servers"
    r"|boards|systems|slices)\b",
    re.IGNORECASE,
)


def _of_groups(bound: Bound, sentence: Sentence, known: Known) -> bool:
    """`2 pods … 470 PFLOPS`: so many times the figure of one group."""
    for match in _GROUPS.finditer(sentence.text, sentence.start, bound.amount.start):
        word = match["n"].lower()
        number = NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word)
        for slot in known.of(bound.products, bound.amount.kind):
            if (
                number > 1
                and slot.level not in ("one", "core", "")
                and slot.current
                and is_additive(slot.operand)
                and agrees(bound.amount, slot.base * number)
                and not conflicts(bound, slot) - {"scope", "aggregation"}
            ):
                return True
    return False


_ALL = re.compile(
    r"\b(?:all|alle)\s(?:of\s)?(?:the\s|its\s|our\s)?(?:\d+|two|four|eight|sixteen|acht|GPUs|chips"
    r"|accelerators|cards)\b"
    r"|\bboth\s(?:of\s)?(?:the\s|its\s|their\s)?(?:\w+\s)?(?:GPUs|chips|dies|accelerators|cards)\b",
    re.IGNORECASE,
)
_APART = re.compile(r"\b(?:per|each|every|apiece|je|pro|jeweils)\b", re.IGNORECASE)


def of_one(bound: Bound, sentence: Sentence, known: Known, *, several: bool) -> Remark | None:
    """`All 72 GPUs share 1.8 TB/s in total`: what one of them has, said of all together.

    `several`: the row or column counts accelerators.
    """
    if bound.strong("aggregation") != {"total"} or "each" in bound.tags:
        return None
    stretch = sentence.text, sentence.start, sentence.end
    whole = _ALL.search(stretch[0], *stretch[1:]) if not several else True
    if not whole or _APART.search(stretch[0], *stretch[1:]):
        return None
    if not any(_before(m, bound, sentence) for m in bound.stated["aggregation"].mentions):
        return None
    found = slots_of(bound, known)
    if not bound.values("direction"):
        found = [s for s in found if "direction" not in s.changed]
    if not found or any(s.level != "one" or not is_additive(s.operand) for s in found):
        return None
    text = f"this is {slot_words(found[0])}: what one has, and not all of them together"
    return wrong(bound.amount.start, bound.amount.end, ("scope",), text)


def _before(mention: Mention, bound: Bound, sentence: Sentence) -> bool:
    """Whether a word stands before a number, or behind it in the same clause."""
    end = bound.amount.end
    if mention.start < end:
        return True
    return CLAUSE.search(sentence.text, end, max(end, mention.start)) is None


def of_counted(bound: Bound, sentence: Sentence, known: Known) -> Remark | None:
    """`8x H200, 640 GB of GPU memory`: what as many of another product have."""
    amount, text = bound.amount, sentence.text
    if amount.kind != "information" or not bound.products or not amount.unit:
        return None
    strong = bool(bound.strong("memory") or bound.strong("interface") & {"hbm"})
    if not (strong or "total" in bound.strong("aggregation")):
        return None
    before = [a for a in counted(sentence) if a.label == "accelerator" and a.number > 1]
    before = [a for a in before if 0 < amount.start - a.end < SAME_LIST]
    if not before or "each" in bound.tags or _APART.search(text, amount.end, amount.end + 12):
        return None
    number, record = before[-1].number, known.product(bound.products[0])
    near = record.not_to_be_confused_with if record else ()
    own = [s for s in known.of(bound.products, amount.kind) if _memory_of_one(s)]
    if any(
        s.statement.status == "disputed" and agrees(amount, s.base * number)
        for s in known.of(bound.products, amount.kind)
    ):
        return None  # the vendor prints one number under two units
    for s in own:
        for step in _PREFIXES:
            if agrees(amount, s.base * number * step):
                total = f"{float(s.base * number / amount.unit.factor):.6g} {amount.label}"
                text = f"{number} × {s.quantity.text} is {total}: another prefix"
                return wrong(amount.start, amount.end, ("unit",), text, total)
    if not (own and strong) or any(agrees(amount, s.base * n) for s in own for n in (1, number)):
        return None
    exact = len(str(amount.number).strip("0")) > 3  # so many digits are no coincidence
    others = known.of_kind(amount.kind) if exact else known.of(tuple(near), amount.kind)
    for slot in others:
        if _memory_of_one(slot) and agrees(amount, slot.base * number):
            right = float(own[0].base * number / amount.unit.factor)
            what = f"{number} × {slot_words(slot)}"
            text = f"this is {what}; {number} × {own[0].quantity.text} is {right:.6g} "
            start, axes = amount.start, ("product_identity",)
            value = f"{right:.6g} {amount.label}"
            return wrong(start, amount.end, axes, text + amount.label, value)
    return None


_PREFIXES = (Fraction(1000), Fraction(1, 1000), Fraction(1024), Fraction(1, 1024))


def _memory_of_one(slot: Slot) -> bool:
    told = slot.axes.get("basis") in ("advertised", "vendor_peak", None)
    return (
        slot.level == "one"
        and slot.current
        and not slot.changed
        and told
        and slot.axes.get("interface") == "hbm"
    )
