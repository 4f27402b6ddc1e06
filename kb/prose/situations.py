"""Mistakes that no single number shows.

Times without a boundary, software as hardware, slices on too few hosts, miscounted parts,
devices that are half a chip.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from kb.prose.bind import Bound
from kb.prose.context import Mention, Sentence
from kb.prose.fit import agrees, matching
from kb.prose.known import Known, Slot
from kb.prose.names import Named
from kb.prose.numbers import Amount
from kb.prose.owned import owned, softwares
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, fine, unclear, wrong
from kb.prose.slots import slots_of
from kb.qualifiers import Scope

_COMPARED = re.compile(r"\b(?:and|against|than|while|whereas|versus|vs|und|gegen|als)\b", re.I)


def timing(
    sentence: Sentence, before: Sequence[Sentence], above: Sequence[Sentence]
) -> Iterator[Remark]:
    """Times of a run need to say what they enclose; a wait is no overhead of waiting."""
    times = [a for a in sentence.amounts if a.kind == "time"]
    if not times:
        return
    first, last = times[0], times[-1]
    around = (sentence, *before[:1], *above)
    boundary = frozenset[str]().union(*(s.values("boundary") for s in around))
    own = sentence.values("boundary")
    told = None if sentence.has("doubt") else _DURATION.search(sentence.words())
    runs = any(s.names or s.has("software") for s in around)
    blocked = any(m.axis == "boundary" and m.value == "warm_host" for m in sentence.mentions)
    if blocked and sentence.has("blame") and not sentence.has("doubt"):
        text = (
            "waiting for the result is part of the run: without it the clock sees the dispatch only"
        )
        yield wrong(first.start, last.end, ("timing_boundary", "layer"), text)
    elif told and own == {"unsynchronised"}:
        text = "nothing waited for the result, so this is the time of the dispatch only"
        yield wrong(first.start, last.end, ("timing_boundary",), text)
    elif (
        _AS_TIME.search(sentence.words())
        and own == {"first_call"}
        and len({a.base for a in times}) == 1
    ):
        text = "a first call contains compilation, so it is no execution time"
        yield wrong(first.start, last.end, ("timing_boundary",), text)
    elif boundary & {"first_call", "compile"} and not boundary & {"warm_host"} and len(times) == 1:
        text = "does this time contain compilation? A first call may"
        yield unclear(first.start, last.end, ("timing_boundary", "basis"), text)
    elif not boundary and runs and len(times) > 1 and softwares(sentence) > 1:
        if _COMPARED.search(sentence.text[first.end : last.start]):
            text = "did the clock wait for the result on both sides?"
            yield unclear(first.start, last.end, ("timing_boundary", "layer"), text)
    elif boundary:
        yield fine(first.start, last.end)


_DURATION = re.compile(
    r"\b(?:takes?|took|finish(?:es|ed)?|completes?|completed|runs? in|ran in|dauert|lief in)\b",
    re.IGNORECASE,
)
_AS_TIME = re.compile(
    r"\bas (?:the|its|our) (?:(?:execution|kernel|run|step) ?time|runtime)\b", re.IGNORECASE
)


def layers(sentence: Sentence, bound: Sequence[Bound], known: Known) -> Iterator[Remark]:
    """A framework or a compute API has no peak of its own."""
    yield from owned(sentence, bound)
    hardware_only = not any(name.software for name in sentence.names)
    if (hardware_only and not sentence.has("software")) or sentence.has("doubt"):
        return
    yield from _unlike(sentence)
    if any(not n.software for b in bound for n in b.names):
        return
    kinds = {"operations", "information_rate"}
    if softwares(sentence) > 1 and not any("use" in b.tags for b in bound):
        kinds.add("information")
    software = [
        b
        for b in bound
        if b.amount.kind in kinds and (any(n.software for n in b.names) or _is_peak(b, known))
    ]
    if software and not sentence.values("basis") & {"measured", "achieved"}:
        text = "a framework or compute API has no such figure; name the accelerator that has it"
        yield wrong(software[0].amount.start, software[-1].amount.end, ("layer",), text)


def _is_peak(bound: Bound, known: Known) -> bool:
    """Whether a rate of work is a vendor's peak to the last of three digits or more."""
    amount = bound.amount
    if bound.names or amount.kind != "operations" or len(str(amount.number).strip("0/")) < 3:
        return False
    return any(
        slot.base == amount.base and slot.current and not slot.changed
        for slot in matching(amount, known.of_kind(amount.kind))
    )


_SET_AGAINST = re.compile(
    r"\s(?:against|versus|vs\.?|compared (?:to|with)|instead of|beats?|outperforms?)"
    r"(?:\s(?:the|a|an))?\s"
    r"|\s(?:is|are|was|were|runs?|ran)\s[^;\n]{0,50}\b\w+er than(?:\s(?:the|a|an))?\s",
    re.IGNORECASE,
)


def measured_peaks(bound: Sequence[Bound], known: Known) -> Iterator[Remark]:
    """`A run tops out at 750 TFLOPS, so 750 TFLOPS is the published peak`."""
    for one, two in pairwise(bound):
        rate = one.amount.kind in ("operations", "information_rate", "information")
        if not rate or (one.amount.kind, one.amount.base) != (two.amount.kind, two.amount.base):
            continue
        seen = bool(one.strong("basis") & {"measured", "achieved"} or one.strong("software"))
        seen = seen or "bus" in one.strong("aggregation")
        seen = seen or "use" in one.tags
        peak = two.strong("rated") and not two.strong("basis") & {"measured", "achieved"}
        peak = peak or two.strong("basis") == {"advertised"}
        if seen and peak and not slots_of(two, known):
            text = "a measured rate is no peak: it is what one run reached"
            yield wrong(two.amount.start, two.amount.end, ("basis",), text)


def _is_software(item: Named | Mention) -> bool:
    return item.software if isinstance(item, Named) else True


def _unlike(sentence: Sentence) -> Iterator[Remark]:
    """`JAX against the B200`: software set against an accelerator as if they were of one kind."""
    both: list[Named | Mention] = [n for n in sentence.names if n.products]
    both += [m for m in sentence.mentions if m.axis == "software"]
    both.sort(key=lambda item: item.start)
    for one, two in pairwise(both):
        if _is_software(one) == _is_software(two):
            continue
        between = sentence.text[one.end : two.start]
        lead = sentence.text[max(sentence.start, one.start - 4) : one.start].lower()
        placed = lead.endswith((" on ", "for ")) or sentence.text.startswith(" on ", two.end)
        if _SET_AGAINST.fullmatch(between) and not placed:
            text = "a framework or compute API against an accelerator: they are different layers"
            yield wrong(one.start, two.end, ("layer",), text)


def slices(sentence: Sentence, known: Known) -> Iterator[Remark]:
    """`A 4x4 slice on one host`: chips, hosts and VMs of a topology."""
    products = [p for n in sentence.names for p in n.products]
    topologies = [a for a in sentence.amounts if a.kind == "topology"]
    for index, topology in enumerate(topologies):
        following = topologies[index + 1 :]
        start = topology.start if index else sentence.start
        end = following[0].start if following else sentence.end
        size = 1
        for side in topology.parts:
            size *= side
        slots = [
            s
            for s in known.of(products, "count")
            if s.axes.get("scope") == "slice" and s.operand.get("count") == size
        ]
        if not slots or not sentence.has("scope", "slice"):
            continue
        told = [a for a in counted(sentence) if start <= a.start < end]
        for amount in told:
            same = [s for s in slots if s.quantity.unit.name == amount.label]
            if any(a.label == amount.label and a.number == s.base for s in same for a in told):
                same = [s for s in same if s.base == amount.number]  # the others count its parts
            if same and all(s.base != amount.number for s in same):
                text = f"a slice of {size} chips has {same[0].quantity.text} [{same[0].entry.id}]"
                yield wrong(amount.start, amount.end, ("scope",), text, same[0].quantity.text)
            elif same:
                yield fine(amount.start, amount.end)


def counts(sentence: Sentence, known: Known, heads: Sequence[Sentence] = ()) -> Iterator[Remark]:
    """How many parts a product has: chips of a pod, GPUs of a board, cores of a chip."""
    if any(a.kind == "topology" for a in sentence.amounts) or sentence.has("doubt"):
        return
    for amount in counted(sentence):
        product = _nearest(sentence, amount) or _of_row(heads)
        if product is None:
            continue
        slots = [s for s in known.of([product], "count") if s.quantity.unit.name == amount.label]
        around = (sentence, *heads)
        groups = {m.value for s in around for m in s.mentions if m.axis in ("scope", "sold_as")}
        groups &= _GROUPS
        if amount.label == "accelerator":
            slots = [
                s for s in slots if s.axes.get("scope") in groups and not s.operand.get("count")
            ]
        else:
            slots = [s for s in slots if s.axes.get("scope") in ("chip", "gpu", "core")]
        if any(s.base == amount.number for s in slots):
            yield fine(amount.start, amount.end)
        elif slots and amount.label == "accelerator":
            yield from _miscounted(amount, slots, groups, sentence, known, told=bool(heads))


_GROUPS = frozenset({"board", "host", "pod", "rack"})
_OF = re.compile(
    r"\b(?:of|has|have|with|holds?|carries|contains?|per|aus|mit|hat|bis zu|comprises?|"
    r"joins?|scales?(?:\sup)?\sto|packs?|links?|connects?|combines?|houses?|integrates?|includes?|"
    r"up to)\b"
    r"|['’]s\s\Z|\b(?:is|are|counts|(?:stop|end|max out)s?\sat)\s\Z",
    re.I,
)


def _miscounted(
    amount: Amount,
    slots: Sequence[Slot],
    groups: set[str],
    sentence: Sentence,
    known: Known,
    *,
    told: bool,
) -> Iterator[Remark]:
    """A whole with a number of accelerators that belongs to another product, or is too large."""
    right = max(slots, key=lambda s: s.current)
    lead = max(sentence.start, amount.start - 30), amount.start
    if not told and not _OF.search(sentence.text, *lead):
        return
    others = [
        s
        for s in known.of_kind("count")
        if s.product != right.product
        and s.quantity.unit.name == "accelerator"
        and s.axes.get("scope") == right.axes.get("scope")
        and s.base == amount.number
    ]
    text = f"{right.entry.product.name} has {right.quantity.text} [{right.entry.id}]"
    if others and "pod" in groups:
        text += f"; {amount.number} is {slot_words(others[0])}"
        yield wrong(
            amount.start, amount.end, ("product_identity", "scope"), text, right.quantity.text
        )
    elif amount.number > right.base and not _of_both(amount, right, sentence, known):
        yield wrong(amount.start, amount.end, ("scope",), text, right.quantity.text)


def _of_both(amount: Amount, right: Slot, sentence: Sentence, known: Known) -> bool:
    """`256 chips for training and 8 on a host`: the product's number for two kinds of whole."""
    told = any(a.number == right.base for a in counted(sentence) if a.label == amount.label)
    slots = known.of([right.product], "count")
    return told and any(
        s.base == amount.number and s.quantity.unit.name == amount.label for s in slots
    )


def counted(sentence: Sentence) -> Iterator[Amount]:
    """The plain counts of a sentence."""
    return (a for a in sentence.amounts if a.kind == "count")


def _of_row(heads: Sequence[Sentence]) -> str | None:
    """The product of a table's row or column."""
    named = (n for head in heads for n in head.names if len(n.products) == 1 and not n.software)
    return next((name.products[0] for name in named), None)


def _nearest(sentence: Sentence, amount: Amount) -> str | None:
    named = [n for n in sentence.names if len(n.products) == 1 and not n.software]
    if not named:
        return None
    before = [n for n in named if n.start < amount.start]
    if any(_counts_it(sentence, amount, n) for n in sentence.names):
        return None  # `as much as 95 H200s`: any number of them may be meant
    if not before and CLAUSE.search(sentence.text, amount.end, named[0].start):
        return None  # `A pods have 4,096 chips, B pods 256`
    return (before[-1] if before else named[0]).products[0]


def _counts_it(sentence: Sentence, amount: Amount, name: Named) -> bool:
    """Whether the product itself is counted."""
    inside = amount.start < name.start < amount.end and amount.number > 1
    return inside or sentence.text[amount.end : max(amount.end, name.start)] == " "


CLAUSE = re.compile(r"[,;:]\s")


def devices(sentence: Sentence, bound: Sequence[Bound], known: Known) -> Iterator[Remark]:
    """Where software sees two devices a chip, memory of N devices has two readings."""
    if sentence.has("scope", "core"):
        return  # the sentence says what a device is
    chips = [a.number for a in counted(sentence) if a.label == "accelerator" and a.number > 1]
    for amount in (a for a in counted(sentence) if a.label == "device" and a.number > 1):
        for item in bound:
            if (remark := _of_device(item, amount, chips, known)) is not None:
                yield remark
                return
            for product in item.products:
                record = known.product(product)
                cores = record.count_in(Scope.CHIP, Scope.CORE) if record else None
                if not cores or cores < 2 or item.amount.kind != "information":
                    continue
                for slot in known.of([product], "information"):
                    per_device = item.amount.base / amount.number
                    if slot.level == "one" and per_device in (slot.base, slot.base / cores):
                        text = f"a device of software is one of {cores} cores of a chip: are "
                        text += f"{amount.number} chips or {amount.number} such devices meant?"
                        yield unclear(item.amount.start, item.amount.end, ("layer", "scope"), text)
                        return


def _of_device(
    item: Bound, devices: Amount, chips: Sequence[Fraction], known: Known
) -> Remark | None:
    """`four chips are 8 devices with 192 GiB each`: what a whole chip has, said of a part of it."""
    amount = item.amount
    if "each" not in item.tags or amount.start < devices.end or amount.kind != "information":
        return None
    for slot in known.of(item.products, amount.kind):
        record = slot.entry.product
        cores = record.count_in(Scope.CHIP, Scope.CORE)
        if not cores or cores < 2 or devices.number / cores not in chips:
            continue
        if slot.level == "one" and slot.current and agrees(amount, slot.base):
            text = f"this is {slot_words(slot)}; a device of software is one of {cores} cores"
            return wrong(amount.start, amount.end, ("scope", "layer"), text)
    return None


def work_over_time(sentence: Sentence, bound: Sequence[Bound]) -> Iterator[Remark]:
    """Operations over a time as a share of a peak."""
    work = [a for a in sentence.amounts if a.kind == "work"]
    times = [a for a in sentence.amounts if a.kind == "time"]
    shares = [a for a in sentence.amounts if a.kind == "percent"]
    peaks = [b.amount for b in bound if b.amount.kind == "operations"]
    if not (work and times and shares and peaks):
        return
    share = work[0].number / times[0].base / peaks[-1].base
    stated = shares[0].number / 100
    if abs(share - stated) > max(shares[0].half_step / 100, share / Fraction(50)):
        right = f"{float(share) * 100:.3g} %"
        done = f"{float(work[0].number):g} operations in {float(times[0].base):g} s"
        text = f"{done} are {right} of the peak"
        yield wrong(shares[0].start, shares[0].end, ("basis", "unit"), text, right)
