"""Explaining a number that the catalogue doesn't have: which mistake would make it.

Tried in this order: another label on the same digits, a factor of ten, another product's
value, a division that isn't allowed, a habitual factor of two. Where no mistake explains
it, the number stays open: an unknown source may print it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.certain import certain, written
from kb.prose.context import Sentence
from kb.prose.fit import PART, agrees, allowed, conflicts, matching
from kb.prose.habit import habitual
from kb.prose.known import Known, Slot
from kb.prose.phrase import slot_words, value_words
from kb.prose.remark import Remark, fine, unclear, unknown, wrong

_POWERS = [Fraction(10) ** n for n in (-6, -3, -2, -1, 1, 2, 3, 6)]
_PREFIXES = frozenset((Fraction(1000), Fraction(1, 1000)))
_STEPS = frozenset((*_POWERS, *(Fraction(1024) ** n for n in (-2, -1, 1, 2))))
"""What lies between two prefixes of one kind."""


def explain(
    bound: Bound,
    sentence: Sentence,
    slots: Sequence[Slot],
    known: Known,
    disputed: Slot | None = None,
) -> Remark | None:
    """The mistake that makes this number, an open question, or None where it may be anything."""
    expected = [s for s in slots if s.current and not conflicts(bound, s) and not s.changed]
    if found := _no_such_mode(bound, known):
        return found
    if disputed is not None and (found := _both_printed(bound, disputed)):
        return found
    if disputed is not None and (found := relabelled(bound, expected, slots, known)):
        return found
    habit = None if disputed else habitual(bound, expected, slots)
    other = None if disputed else elsewhere(bound, known, expected)
    if other is not None and _says_so(bound, sentence):
        return None
    if habit and other:
        # Both mistakes make this number; only its author knows which it was.
        habit = replace(other, axes=tuple(dict.fromkeys((*other.axes, *habit.axes))))
    for found in (
        relabelled(bound, expected, slots, known),
        habit or other,
        division(bound, sentence, slots),
        _power_of_ten(bound, expected),
    ):
        if found is not None:
            return found
    return _disputed(bound, disputed) if disputed is not None else _unexplained(bound, expected)


def _disputed(bound: Bound, disputed: Slot) -> Remark:
    """A value that one document prints and others don't."""
    has = disputed.entry.claim.current.published
    text = f"{disputed.statement.published} is disputed; the catalogue has {has}: "
    text += "which document is meant?"
    axes = ("basis", "sparsity") if "sparsity" in disputed.open else ("basis",)
    return unclear(bound.amount.start, bound.amount.end, axes, text)


def _unexplained(bound: Bound, expected: Sequence[Slot]) -> Remark | None:
    """A number that no known mistake makes: with more digits, of an unknown source, or anything."""
    amount = bound.amount
    if any(abs(amount.base / slot.base - 1) <= _slack(slot) for slot in expected):
        return fine(amount.start, amount.end)  # the catalogue has it with fewer digits
    if expected and bound.near:
        has = "; ".join(dict.fromkeys(slot_words(slot) for slot in expected[:2]))
        text = f"the catalogue doesn't have this figure; it has {has}: who prints it?"
        return unknown(amount.start, amount.end, text)
    return None


CLOSER = Fraction(1, 100)
"""How far a figure with more digits may be from the one that the catalogue prints."""


def _slack(slot: Slot) -> Fraction:
    """What the printed digits of a value leave open, as a share of it."""
    return min(CLOSER, slot.quantity.half_step / slot.quantity.number)


_IS = re.compile(r"\b(?:which|that|it|this)\s(?:is|was|are|belongs?|were)\b", re.IGNORECASE)


def _says_so(bound: Bound, sentence: Sentence) -> bool:
    """Whether the sentence itself gives the number to another: `which is the GB200 part`."""
    end = bound.amount.end
    return any(
        name.start > end and name not in bound.names and _IS.search(sentence.text, end, name.start)
        for name in sentence.names
    )


def _both_printed(bound: Bound, disputed: Slot) -> Remark | None:
    """A vendor who prints one number under GB here and under GiB there."""
    claim = disputed.entry.claim
    now, then = claim.current.quantity(claim.metric), disputed.quantity
    if now.number != then.number or now.unit.prefix == then.unit.prefix:
        return None
    text = f"the vendor prints both {now.text} and {then.text}: which one is meant?"
    return unclear(bound.amount.start, bound.amount.end, ("unit",), text)


def _no_such_mode(bound: Bound, known: Known) -> Remark | None:
    """A structured-sparse rate of matrix units that have no such mode."""
    if bound.strong("sparsity") != {"structured_2_4"} or bound.amount.kind != "operations":
        return None
    records = [product for name in bound.products if (product := known.product(name))]
    modes = {product.sparse_mode.mode for product in records if product.sparse_mode}
    if modes != {"none"}:
        return None
    text = f"{records[0].name} has no structured-sparse mode, so no rate with sparsity"
    return wrong(bound.amount.start, bound.amount.end, ("sparsity", "engine"), text)


def _digits(number: Fraction) -> str:
    return re.sub(r"\D", "", f"{float(number):.9g}").strip("0")


def relabelled(
    bound: Bound, expected: Sequence[Slot], slots: Sequence[Slot], known: Known
) -> Remark | None:
    """The digits of a known value under another label: GiB for GB, bits for bytes, a rate."""
    amount = bound.amount
    for slot in _same_digits(bound, known):
        unit = slot.quantity.unit
        if amount.unit is None or unit.name == amount.unit.name:
            continue
        ratio = amount.base / slot.base
        other_kind = slot not in slots
        binary = (unit.prefix == "binary") != (amount.unit.prefix == "binary")
        label = binary or unit.counts_bits != amount.unit.counts_bits or ratio in _STEPS
        if not other_kind and not label:
            continue
        if other_kind and (bound.family or agrees_any(bound, expected)):
            continue
        if other_kind and not any(bound.strong(a) for a in ("interface", "memory", "link")):
            continue  # an amount of data near a product may be that of anything
        if binary and slot.axes.get("interface") == "on_chip":
            text = f"the source prints {slot.quantity.text}: is the decimal unit meant?"
            return unclear(amount.start, amount.end, ("unit",), text)
        if binary and _part_of_both(bound, slot, slots):
            text = f"the vendor prints both labels and this as {slot.quantity.text}"
            return unclear(amount.start, amount.end, ("unit",), f"{text}: which one is meant?")
        axes = ("unit", "interface") if other_kind else ("unit",)
        message = f"the digits are those of {slot_words(slot)}, under another unit"
        suggestion = "" if other_kind else written(slot, bound)
        if slot.axes.get("basis") in ("device_reported", "usable"):
            axes = ("unit", "basis")
        return wrong(amount.start, amount.end, axes, message, suggestion)
    return None


def _part_of_both(bound: Bound, part: Slot, slots: Sequence[Slot]) -> bool:
    """Whether the whole of this part, or a part of this whole, is printed under this label too."""
    amount = bound.amount
    ones = [
        slot.quantity.number
        for slot in slots
        if slot.quantity.unit == amount.unit
        and slot.level == "one"
        and slot.axes.get("interface") == part.axes.get("interface")
    ]
    if part.level == "core":
        return any(number / amount.number in (2, 4, 8) for number in ones)
    return part.level != "one" and any(
        amount.number > n and (amount.number / n).denominator == 1 for n in ones
    )


def agrees_any(bound: Bound, slots: Sequence[Slot]) -> bool:
    """Whether the number is a known one after all."""
    return any(agrees(bound.amount, slot.base) for slot in slots)


def _same_digits(bound: Bound, known: Known) -> Iterator[Slot]:
    """Printed values of the product with the same number, in any unit of data or work."""
    digits = _digits(bound.amount.number)
    kinds = [bound.amount.kind]
    if bound.amount.kind in ("information", "information_rate"):
        kinds += ["information_rate" if kinds[0] == "information" else "information"]
    for kind in kinds:
        for slot in known.of(bound.products, kind):
            if slot.changed or not slot.current:
                continue
            strays = conflicts(bound, slot) - (AXES_OF_KIND if kind != bound.amount.kind else set())
            same = slot.quantity.number == bound.amount.number
            if not bound.values("interface") and slot.axes.get("interface", "hbm") == "on_chip":
                continue  # a bare amount of data is not that of a cache
            cut = slot.quantity.unit.prefix == "binary" and _cut(bound, slot)
            if not strays and (
                same
                or cut
                or (
                    kind == kinds[0] and _digits(slot.quantity.number) == digits and len(digits) > 2
                )
            ):
                yield slot


AXES_OF_KIND = {"interface", "direction", "aggregation", "scope"}
"""Axes that say nothing where the number is of another kind than the words."""


def _cut(bound: Bound, slot: Slot) -> bool:
    """Whether three digits of a binary count were dropped: 275040 MiB as 275 GB."""
    number = slot.quantity.number / 1000
    decimal = bound.amount.unit is not None and bound.amount.unit.prefix == "decimal"
    return (
        decimal
        and slot.quantity.number > 10_000
        and abs(number - bound.amount.number) <= bound.amount.half_step
    )


def _power_of_ten(bound: Bound, expected: Sequence[Slot]) -> Remark | None:
    if not (bound.near or any(bound.strong(a) for a in ("interface", "precision", "memory"))):
        return None
    if bound.strong("aggregation") & PART:
        return None  # of a bisection or a link there are as many figures as ways to cut
    if len(_digits(bound.amount.number)) < 2:
        return None
    low, high = allowed(bound.amount)
    for slot in expected:
        octets = bound.amount.unit is not None and not bound.amount.unit.counts_bits
        whole = slot.metric == "link_bandwidth" and slot.axes.get("aggregation") not in PART
        if octets and whole and low <= 8 * slot.value <= high:
            message = f"eight times {slot_words(slot)}: bits counted as bytes"
            right = written(slot, bound)
            return wrong(bound.amount.start, bound.amount.end, ("unit",), message, right)
        if slot.axes.get("aggregation") in PART - bound.values("aggregation"):
            continue  # of one link only where the words speak of one
        value = float(slot.base)
        for power in _POWERS:
            if slot.metric == "power" and power not in _PREFIXES:
                continue  # a rack needs any multiple of what one of its parts needs
            if low <= value * float(power) <= high:
                message = f"a power of ten away from {slot_words(slot)}"
                right = written(slot, bound)
                return wrong(bound.amount.start, bound.amount.end, ("unit",), message, right)
    return None


def elsewhere(bound: Bound, known: Known, expected: Sequence[Slot]) -> Remark | None:
    """The value of another product under the same words; its confusables are asked first."""
    records = [record for name in bound.products if (record := known.product(name))]
    told = _what_is_told(bound)
    if not records or not (bound.near or told):
        return None  # a number that only stands near the product may be of anything
    product = records[0]
    near = {name for record in records for name in record.not_to_be_confused_with}
    if bound.strong("scope") <= {"gpu", "chip"} and bound.strong("scope"):
        near |= known.wholes(product.product)
    kin = known.kin(product.product)
    # Round numbers and memory sizes meet by chance; a number of three digits hardly does, nor
    # one of two beside the words of a value that the product has and prints otherwise.
    needed = 2 if told and expected else 3
    rare = bound.amount.kind != "information" and len(_digits(bound.amount.number)) >= needed
    found = [
        slot
        for slot in _alike(bound, known, near)
        if slot.product not in bound.products
        and slot.current
        and (not slot.changed or (rare and _as_stated(bound, slot)))
        and not conflicts(bound, slot) - {"scope"}
        and (slot.product in near or not conflicts(bound, slot))
        and _interface_told(bound, slot)
        and (slot.product in near or slot.axes.get("basis") not in ("device_reported", "usable"))
        and (slot.product in near or slot.product in kin or rare)
        and (len(_digits(bound.amount.number)) > 1 or slot.base == bound.amount.base)
        and _same_sort(slot, expected)
        and slot.axes.get("interface") != "nic"  # a system's cards are no property of its chip
    ]
    if not found:
        return None
    slot = min(found, key=lambda s: (s.product not in near, len(conflicts(bound, s))))
    apart = {"scope"} if expected and all(s.level != slot.level for s in expected) else set()
    axes = ("product_identity", *sorted(conflicts(bound, slot) | apart))
    right = f"; {product.name} has {value_words(expected[0])}" if expected else ""
    suggestion = certain(bound, known.of(bound.products, bound.amount.kind))
    return wrong(
        bound.amount.start, bound.amount.end, axes, f"this is {slot_words(slot)}{right}", suggestion
    )


def _what_is_told(bound: Bound) -> bool:
    """Whether words at the number say what it is a figure of."""
    axes = ("interface", "precision", "memory")
    if any(bound.strong(axis) for axis in axes) or bound.tags & {"paired", "bandwidth"}:
        return True
    # What is said at the first number of a row holds for all of it.
    return "row" in bound.tags and any(bound.values(axis) for axis in axes)


def _as_stated(bound: Bound, slot: Slot) -> bool:
    """Whether the only step is to the dense rate, and the words say dense."""
    return slot.changed == {"sparsity"} and bound.strong("sparsity") == {slot.axes["sparsity"]}


def _alike(bound: Bound, known: Known, near: Collection[str]) -> list[Slot]:
    """Slots with this value, and those of confusable products that print it under GiB for GB."""
    amount, slots = bound.amount, known.of_kind(bound.amount.kind)
    relabelled = [
        slot
        for slot in slots
        if slot.product in near
        and amount.unit is not None
        and slot.quantity.number == amount.number
        and slot.quantity.unit.prefix != amount.unit.prefix
        and Fraction(9, 10) < slot.base / amount.base < Fraction(11, 10)
    ]
    return [*matching(amount, slots), *relabelled]


def _interface_told(bound: Bound, slot: Slot) -> bool:
    """Whether the words speak of the slot's link; a rate without a word may be a memory's."""
    told, own = bound.values("interface"), slot.axes.get("interface", "hbm")
    alike = any(own == link or own in _ROLE.get(link, ()) for link in told)
    return alike or own == "hbm" or (not told and "link" in bound.stated)


def _same_sort(slot: Slot, expected: Sequence[Slot]) -> bool:
    """Whether the product in question has a value of this sort at all."""
    return any(
        slot.metric is other.metric
        and slot.axes.get("interface", "")
        in (other.axes.get("interface", ""), *_ROLE.get(other.axes.get("interface", ""), ()))
        for other in expected
    )


_ROLE = {
    "nvlink": ("ici", "infinity_fabric", "neuronlink", "ethernet_scale_up"),
    "ici": ("nvlink", "ethernet_scale_up"),
}


def division(bound: Bound, sentence: Sentence, slots: Sequence[Slot]) -> Remark | None:
    """A figure that is no sum over devices, divided by their number."""
    counts = {a.number for a in sentence.amounts if a.kind in ("count", "bare") and a.number > 1}
    for slot in slots:
        if slot.axes.get("aggregation") not in PART or slot.changed:
            continue
        if "interface" in conflicts(bound, slot):
            continue
        for count in counts:
            if agrees(bound.amount, slot.base / count):
                kind = slot.axes["aggregation"].replace("_", " ")
                message = (
                    f"{slot_words(slot)} divided by {count}: a {kind} figure is no sum over devices"
                )
                return wrong(
                    bound.amount.start, bound.amount.end, ("aggregation", "scope"), message
                )
    return None
