"""Shares of a figure: `83 % of 918 TFLOPs` must hold, and be taken of the fitting peak."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.fit import conflicts, matching
from kb.prose.known import Known, Slot
from kb.prose.numbers import Amount
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, fine, wrong
from kb.prose.slots import NO_PEAK, judged, ratio_holds, slots_of
from kb.verdict import VerdictKind

NEIGHBOURS = 8
"""A share is taken of numbers that stand near it; so a long list costs no more."""


def shares(
    sentence: Sentence, bound: Sequence[Bound], before: Sequence[Bound], known: Known
) -> Iterator[Remark]:
    """`P % of Y`: the share must hold, and its denominator must be the fitting peak."""
    for percent, pair in shares_of(sentence, bound, before):
        lead = max(sentence.start, percent.start - 20), percent.start
        more = _MORE.match(sentence.text, percent.end, sentence.end)
        if pair is None and not more and (of := _utilisation(percent, sentence, [*before, *bound])):
            yield from _of_peak(percent, *of, known)
        elif (
            pair is None
            or more
            or _aside(percent, sentence, bound)
            or _UP.search(sentence.text, *lead)
        ):
            yield from _increase(percent, sentence, bound)
            yield from _across(percent, sentence, bound, before, known)
        else:
            yield _share(percent, *pair, known)


Pair = tuple[Bound, Bound]


def shares_of(
    sentence: Sentence, bound: Sequence[Bound], before: Sequence[Bound]
) -> Iterator[tuple[Amount, Pair | None]]:
    """Every percentage with the two numbers near it whose share it is."""
    everything = [*before, *bound]
    for percent in (a for a in sentence.amounts if a.kind == "percent"):
        around = sorted(everything, key=lambda b: abs(b.amount.start - percent.start))
        slack = percent.half_step / 100 + Fraction(1, 200)
        pairs = (
            (one, two)
            for one, two in _share_pairs(around[:NEIGHBOURS])
            if ratio_holds(percent.number / 100, slack, one.amount.base, two.amount.base)
        )
        yield percent, next(pairs, None)


_MFU = re.compile(r"\b(?:MFU|HFU|(?:FLOPS?|compute) utili[sz]ation)\b")
NEAR = 30
"""How far a word for utilisation may stand from its percentage."""


def _utilisation(percent: Amount, sentence: Sentence, around: Sequence[Bound]) -> Pair | None:
    """The rate and the peak of an MFU: the only two rates of work that stand around it."""
    start, end = max(sentence.start, percent.start - NEAR), min(sentence.end, percent.end + NEAR)
    if _MFU.search(sentence.text, start, end) is None:
        return None
    rates = sorted(
        (b for b in around if b.amount.kind == "operations"), key=lambda b: b.amount.base
    )
    if len(rates) != 2 or rates[0].amount.base == rates[1].amount.base:
        return None
    percents = sum(a.kind == "percent" for a in sentence.amounts)
    return (rates[0], rates[1]) if percents == 1 else None


def _of_peak(percent: Amount, one: Bound, two: Bound, known: Known) -> Iterator[Remark]:
    """An MFU that is the quotient of neither the peak beside it nor another one of the product."""
    stated, slack = percent.number / 100, percent.half_step / 100 + Fraction(1, 100)
    products = one.products or two.products
    peaks = [s.base for s in known.of(products, "operations")]
    if any(abs(one.amount.base / peak - stated) <= slack for peak in (two.amount.base, *peaks)):
        return
    real = f"{float(100 * one.amount.base / two.amount.base):.3g} %"
    sides = f"{float(one.amount.number):g} of {float(two.amount.number):g} {two.amount.label}"
    text = f"{sides} is {real}, not {float(percent.number):g} %"
    yield wrong(percent.start, percent.end, ("unit", "arithmetic"), text, real)


_MORE = re.compile(
    r"\s(?:more|higher|larger|bigger|faster|greater|increase|mehr|höher|größer|schneller|"
    r"(?P<less>less|lower|smaller|slower|fewer|weniger|decrease))\b"
    r"(?=\s?(?:[.,;:)]|\Z)|\s(?:than|als|of|bandwidth|memory|HBM|capacity|compute|power|peak)\b)",
    re.IGNORECASE,
)


_UP = re.compile(
    r"\b(?:up|(?:gain|increase|rise|jump|growth) of|rises|rose|grows|grew|increases|increased"
    r"|climbs|steigt|wächst"
    r"|(?P<less>down|(?:drop|decrease|reduction|cut) of|falls|fell|drops|dropped|sinkt))"
    r"\s(?:by\s|about\s|some\s|um\s)?\Z",
    re.IGNORECASE,
)
"""What says before a percentage that it is a difference, and no share."""


def _increase(percent: Amount, sentence: Sentence, bound: Sequence[Bound]) -> Iterator[Remark]:
    """`141 GB against 80 GB, 76 % more`: checked where the sentence has one pair of a kind."""
    lead = max(sentence.start, percent.start - 20), percent.start
    match = _MORE.match(sentence.text, percent.end, sentence.end) or _UP.search(
        sentence.text, *lead
    )
    if match is None:
        return
    around = sorted(bound, key=lambda b: abs(b.amount.start - percent.start))[:NEIGHBOURS]
    near = sorted(around, key=lambda b: b.amount.start)
    if named := _from_to(percent, sentence, bound):
        near = named
    elif _OTHERS.match(sentence.text, percent.end, sentence.end):
        return  # of other things, such as chips
    pairs = [(a, b) for a, b in _share_pairs(near) if a.amount.base > b.amount.base]
    noun = _NOUN.match(sentence.text, percent.end, sentence.end)
    told = [p for p in pairs if noun and p[0].amount.kind == noun.lastgroup]
    pairs = told if len(told) == 1 else pairs
    if not pairs:
        return
    less = match["less"] is not None
    real = [
        100 * (1 - b.amount.base / a.amount.base if less else a.amount.base / b.amount.base - 1)
        for a, b in pairs
    ]
    real = [value for value in real if abs(value) > 2] or real  # equal numbers don't differ
    if any(abs(value - percent.number) <= max(percent.half_step, value / 50) for value in real):
        yield fine(percent.start, percent.end)
    elif (
        len(real) == 1
        and abs(real[0]) > 2
        and (told or sum(a.kind == "percent" for a in sentence.amounts) == 1)
    ):
        (one, two), right = pairs[0], f"{float(real[0]):.3g} %"
        sides = f"{float(one.amount.number):g} and {float(two.amount.number):g}"
        text = f"{sides} {two.amount.label} differ by {right}, not {float(percent.number):g} %"
        yield wrong(percent.start, percent.end, ("unit", "arithmetic"), text, right)


def _across(
    percent: Amount,
    sentence: Sentence,
    bound: Sequence[Bound],
    before: Sequence[Bound],
    known: Known,
) -> Iterator[Remark]:
    """`A pod has X. One chip has Y, 5 % more than the pod`: may the two be set side by side."""
    if len(bound) != 1 or len(before) != 1 or not _MORE.match(sentence.text, percent.end):
        return
    one, two = sorted((bound[0], before[0]), key=lambda b: -b.amount.base)
    holds = one.amount.kind == two.amount.kind and ratio_holds(
        1 + percent.number / 100, percent.half_step / 100, one.amount.base, two.amount.base
    )
    pairs = [(a, b) for a in slots_of(one, known)[:4] for b in slots_of(two, known)[:4]]
    verdicts = [judged(*pair, known) for pair in pairs] if holds else []
    if verdicts and all(v.kind is VerdictKind.NOT_COMPARABLE for v in verdicts):
        reasons = [r for r in verdicts[0].reasons if r.state == "differs"]
        axes = tuple(dict.fromkeys(r.axis for r in reasons if r.axis not in NO_PEAK))
        text = f"{slot_words(pairs[0][0])} against {slot_words(pairs[0][1])}: "
        text += "; ".join(r.why for r in reasons)
        yield wrong(percent.start, percent.end, axes, text)


_PAIR = re.compile(
    r"\s(?:more|larger|bigger|faster|higher|less|smaller|slower|lower)?[^().,;]{0,40}\(",
    re.IGNORECASE,
)
_SET = re.compile(
    r"\s(?:[KMGTPE]?i?B(?:/s)?\s)?(?:vs\.?|versus|against|to|und|and)\s", re.IGNORECASE
)


def _aside(percent: Amount, sentence: Sentence, bound: Sequence[Bound]) -> bool:
    """`55 % larger (279 vs 180 GB)`: the two that the share is of stand in brackets behind it."""
    behind = [b.amount for b in bound if b.amount.start >= percent.end][:2]
    if len(behind) < 2:
        return False
    opened = _PAIR.fullmatch(sentence.text, percent.end, behind[0].start)
    return opened is not None and bool(
        _SET.fullmatch(sentence.text, behind[0].end, behind[1].start)
    )


_NOUN = re.compile(
    r"\s(?:more|less|higher|larger|greater|faster|lower|smaller)\s(?:HBM\s|GPU\s|memory\s(?=band))?"
    r"(?:(?P<information>capacity|memory|HBM)|(?P<information_rate>bandwidth))\b",
    re.IGNORECASE,
)
"""Which of several pairs a difference is one of: `43 % more memory`."""


_FROM = re.compile(r",?\s(?:from|von|de)\s", re.IGNORECASE)
_OTHERS = re.compile(r",?\s(?:from|von|de)\s\d", re.IGNORECASE)
_TO = re.compile(r"\s(?:to|auf|à|a)\s", re.IGNORECASE)


def _from_to(percent: Amount, sentence: Sentence, bound: Sequence[Bound]) -> list[Bound]:
    """The two numbers of `38 % from 80 to 94 GB`."""
    behind = [b for b in bound if b.amount.start >= percent.end]
    for one, two in pairwise(behind):
        lead = _FROM.fullmatch(sentence.text, percent.end, one.amount.start)
        if lead and _TO.fullmatch(sentence.text, one.amount.end, two.amount.start):
            return [one, two]
    return []


def _share_pairs(bound: Sequence[Bound]) -> Iterator[tuple[Bound, Bound]]:
    for one in bound:
        for two in bound:
            if one is not two and one.amount.kind == two.amount.kind:
                yield one, two


def _share(percent: Amount, one: Bound, two: Bound, known: Known) -> Remark:
    """A share of a measured value in a peak: direction, sparsity, format and scope must agree."""
    slots = slots_of(two, known)
    axes = _other_way(one, two, slots)
    formats = one.strong("precision")
    slots = [s for s in slots if s.axes.get("precision") in formats] or slots
    for axis in ("sparsity", "precision"):
        values = {s.axes[axis] for s in slots if axis in s.axes}
        stated = one.strong(axis) or (frozenset({"dense"}) if axis == "sparsity" else frozenset())
        sparse_peak = axis != "sparsity" or "structured_2_4" in values
        if (
            values
            and stated
            and not stated & values
            and sparse_peak
            and two.amount.kind == "operations"
        ):
            axes.append(axis)
    if "precision" in axes and _other_mode(one, two, known):
        axes.append("sparsity")
    if (
        slots
        and one.strong("scope")
        and not any(s.level == "one" for s in slots)
        and one.strong("scope") <= {"chip", "gpu"}
    ):
        axes.append("scope")
    if axes:
        what = slot_words(slots[0]) if slots else f"{float(two.amount.number):g} {two.amount.label}"
        text = f"the share is taken of {what}, which differs in {', '.join(axes)}"
        return wrong(percent.start, percent.end, tuple(axes), text)
    return fine(percent.start, percent.end)


def _other_way(one: Bound, two: Bound, slots: Sequence[Slot]) -> list[str]:
    """The axes on which a share of a link's rate counts another way than the rate."""
    ways = _ways(one), _ways(two)
    if all(ways) and not ways[0] & ways[1]:
        return ["direction", "basis"]
    both = {s.axes.get("direction") for s in slots} == {"bidirectional_sum"}
    if ways[1] or not both:
        return []
    if "bus" in one.strong("aggregation"):
        return ["direction", "basis"]
    return ["direction"] if ways[0] == {"one_way"} else []


def _other_mode(one: Bound, two: Bound, known: Known) -> bool:
    """Whether the same number is the rate of the right format in another mode."""
    return any(
        slot.axes.get("precision") in one.strong("precision")
        and "sparsity" in conflicts(two, slot)
        and slot.current
        for slot in matching(two.amount, known.of(two.products, two.amount.kind))
    )


PCIE_BOTH_WAYS = frozenset(Fraction(n) * 10**9 for n in (32, 64, 128, 256))
"""GB/s of a x16 link of generations 3 to 6 with both directions added; one way is half."""


def _ways(bound: Bound) -> frozenset[str]:
    stated = bound.strong("direction")
    if "bus" in bound.strong("aggregation"):
        return frozenset({"one_way"})
    if stated or "pcie" not in bound.values("interface"):
        return stated
    # Vendors print a x16 link with both directions added.
    both = (
        not {"measured", "achieved"} & bound.strong("basis") and bound.amount.base in PCIE_BOTH_WAYS
    )
    return frozenset({"bidirectional_sum"}) if both else frozenset()
