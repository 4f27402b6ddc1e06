"""Ratios and shares in a sentence: do they hold, and may they be formed at all.

A ratio of two numbers goes through the one `compare`; what it refuses or leaves open is
said here too. A sentence that itself refuses the ratio is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.factors import AHEAD, NO_FIGURE, Factor, factors, per_cost
from kb.prose.known import Known, Slot
from kb.prose.lazy import kept
from kb.prose.names import Named
from kb.prose.noun import by_noun, is_ratio
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, fine, unclear, wrong
from kb.prose.slots import NO_PEAK, counterpart, judged, ratio_holds, slots_of
from kb.verdict import StepKind, Verdict, VerdictKind

_STEP_AXES = {
    StepKind.DIVIDE_BY_COUNT: "scope",
    StepKind.MULTIPLY_BY_COUNT: "scope",
    StepKind.LINK_TO_DEVICE: "aggregation",
    StepKind.BOTH_DIRECTIONS_TO_ONE: "direction",
    StepKind.SPARSE_TO_DENSE: "sparsity",
    StepKind.CONVERT_UNIT: "unit",
}


def ratios(
    sentence: Sentence, bound: Sequence[Bound], before: Sequence[Bound], known: Known
) -> Iterator[Remark]:
    """Judge every stated ratio of a sentence, and comparative words between two numbers."""
    if sentence.has("doubt") or per_cost(sentence):
        return
    subject: Bound | None = None
    done = False
    for factor in factors(sentence):
        found, subject = _ratio(factor, sentence, bound, before, subject, known)
        done = done or bool(found)
        yield from found
    stated = any(a.kind in ("ratio", "percent") for a in sentence.amounts)
    if not (done or stated) and len(bound) == 2 and AHEAD.search(sentence.words()):
        yield from _comparison(bound[0], bound[1], known)


def _ratio(
    factor: Factor,
    sentence: Sentence,
    bound: Sequence[Bound],
    before: Sequence[Bound],
    subject: Bound | None,
    known: Known,
) -> tuple[list[Remark], Bound | None]:
    """The judgement on one ratio, and the number that it is a ratio of."""
    left = [b for b in bound if b.amount.end <= factor.start]
    right = [b for b in bound if b.amount.start >= factor.end]
    other = _other_product(factor, sentence, bound)
    if other is not None and left and (factor.word or not right):
        about = Sentence(sentence.text, factor.start, other.end, sentence.table)
        about = _own_stretch(factor, sentence) or about
        if NO_FIGURE.search(about.words()):
            return [], subject
        if _other_thing(about, left[-1]):
            return _of_products(factor, sentence, known, about), subject
        found = _against_product(factor, left[-1], other, known)
        if found or len(left) < 2:
            return found, subject
    if other is None and (told := by_noun(factor, sentence, bound)):
        two, one = sorted(told, key=lambda item: item.amount.base)
        good = is_ratio(factor, one, two)
        return [fine(factor.start, factor.end) if good else _fails(factor, one, two, known)], one
    return _of_numbers(factor, sentence, bound, before, subject, known)


_NEXT = re.compile(r";\s|,\s(?:while|whereas|but|and)\s")
"""What begins a statement that the factor is no part of."""


def _of_numbers(
    factor: Factor,
    sentence: Sentence,
    bound: Sequence[Bound],
    before: Sequence[Bound],
    subject: Bound | None,
    known: Known,
) -> tuple[list[Remark], Bound | None]:
    """The judgement on a ratio of two numbers that stand in the sentence."""
    left = [b for b in bound if b.amount.end <= factor.start]
    right = [
        b
        for b in bound
        if b.amount.start >= factor.end
        if not (left and _NEXT.search(sentence.text, factor.end, b.amount.start))
    ]
    pairs = _pairs(left, right, subject, before)
    for one, two in pairs:
        if one.amount.kind != two.amount.kind or one.amount.base == two.amount.base:
            continue  # nobody states the ratio of a number to itself
        holds = ratio_holds(factor.value, factor.half_step, one.amount.base, two.amount.base)
        turned = ratio_holds(factor.value, factor.half_step, two.amount.base, one.amount.base)
        if holds or (turned and not (left and right)):
            first, second = (one, two) if holds else (two, one)
            return _may_be_formed(factor, first, second, known), one
    same = [
        (a, b)
        for a, b in pairs
        if a.amount.kind == b.amount.kind and a.amount.base != b.amount.base
        if not _of_another(factor, sentence, a, b)
    ]
    if (
        same
        and (not factor.word or _from_to(sentence, same[0]))
        and (len(same) == 1 or (left and right) or factor.divided)
    ):
        if any(is_ratio(factor, a, b) for i, a in enumerate(bound) for b in bound[i + 1 :]):
            return [], subject  # it is the ratio of two other numbers
        one, two = same[0]
        if factor.divided and (factor.value > 1) != (one.amount.base > two.amount.base):
            one, two = two, one
        if one.amount.kind in ("information", "information_rate", "operations", "power"):
            return [_fails(factor, one, two, known)], one
    if not bound:
        return _of_products(factor, sentence, known, _own_stretch(factor, sentence)), subject
    return [], subject


def _fails(factor: Factor, one: Bound, two: Bound, known: Known) -> Remark:
    """What the ratio of two numbers is, where another one is stated."""
    real = float(one.amount.base / two.amount.base)
    sides = f"{float(one.amount.number):g} over {float(two.amount.number):g}"
    text = f"{sides} {two.amount.label} is {real:.3g}, not {float(factor.value):g}"
    axes = (*(_axes(_verdict(one, two, known)) or ("unit",)), "arithmetic")
    return wrong(factor.start, factor.end, axes, text, factor.written(real))


def _of_another(factor: Factor, sentence: Sentence, one: Bound, two: Bound) -> bool:
    """Whether two numbers have the ratio that another factor of the sentence states."""
    left, right = one.amount.base, two.amount.base
    return any(
        ratio_holds(other.value, other.half_step, left, right)
        for other in factors(sentence)
        if other.start != factor.start
    )


def _own_stretch(factor: Factor, sentence: Sentence) -> Sentence | None:
    """What one of several factors is a factor of: `2x the memory and 4.7x the peak of B`."""
    starts = kept(sentence, "factor_starts", lambda: sorted(f.start for f in factors(sentence)))
    if len(starts) < 2:
        return None
    following = bisect_right(starts, factor.start)
    end = starts[following] if following < len(starts) else sentence.end
    return Sentence(sentence.text, factor.start, end, sentence.table)


def _from_to(sentence: Sentence, pair: tuple[Bound, Bound]) -> bool:
    """`It quadruples, from A to B`: the only two numbers, so the word speaks of them."""
    first, second = sorted((b.amount for b in pair), key=lambda a: a.start)
    lead = sentence.text[max(sentence.start, first.start - 6) : first.start].lower()
    between = sentence.text[first.end : second.start].lower()
    several = sum(a.kind == first.kind for a in sentence.amounts) > 2
    return not several and lead.endswith(("from ", "von ")) and between in (" to ", " auf ")


def _pairs(
    left: Sequence[Bound], right: Sequence[Bound], subject: Bound | None, before: Sequence[Bound]
) -> list[tuple[Bound, Bound]]:
    """Which two numbers a ratio may be of, the most likely first."""
    if left and right:
        heads = [subject] if subject in left and subject is not None else []
        return [(a, right[0]) for a in (*heads, *reversed(left))]
    if len(left) >= 2:
        return [(left[-2], left[-1]), (left[-1], left[-2])]
    if len(right) >= 2:
        return [(right[0], right[1])]
    if left and before:
        return [(left[0], before[-1])]
    return []


def _other_product(factor: Factor, sentence: Sentence, bound: Sequence[Bound]) -> Named | None:
    """A product named behind the factor without a number of its own: `twice what a v5p had`."""
    taken = {name for b in bound for name in b.names if b.amount.start > factor.end}
    behind = [n for n in sentence.names if n.start > factor.end and not n.software]
    return next((n for n in behind if n not in taken and len(n.products) == 1), None)


def _against_product(factor: Factor, left: Bound, other: Named, known: Known) -> list[Remark]:
    for slot in slots_of(left, known):
        against = counterpart(slot, other.products[0], known)
        if not against or slot.product == other.products[0]:
            continue
        target = against[0]
        if ratio_holds(factor.value, factor.half_step, slot.base, target.base):
            return _judged_pair(factor, slot, target, left, left, known)
        fitting = [
            s
            for product in known.corpus.products
            for s in counterpart(slot, product, known)[:1]
            if product != slot.product
            and ratio_holds(factor.value, factor.half_step, slot.base, s.base)
        ]
        real = float(slot.base / target.base)
        hint = f"; the factor fits {slot_words(fitting[0])}" if fitting else ""
        text = f"{slot_words(slot)} over {slot_words(target)} is {real:.3g}{hint}"
        axes = ("product_identity", "arithmetic")
        return [wrong(factor.start, factor.end, axes, text, factor.written(real))]
    return []


def _may_be_formed(factor: Factor, one: Bound, two: Bound, known: Known) -> list[Remark]:
    left, right = slots_of(one, known), slots_of(two, known)
    if not left or not right:
        return [fine(factor.start, factor.end)] if not (left or right) else []
    best = min(
        ((a, b) for a in left[:4] for b in right[:4]),
        key=lambda pair: _BADNESS[judged(*pair, known).kind],
    )
    return _judged_pair(factor, *best, one, two, known)


_BADNESS = {
    VerdictKind.COMPARABLE: 0,
    VerdictKind.AFTER_DERIVATION: 1,
    VerdictKind.UNDETERMINED: 2,
    VerdictKind.NOT_COMPARABLE: 3,
}


def _judged_pair(
    factor: Factor, left: Slot, right: Slot, one: Bound, two: Bound, known: Known
) -> list[Remark]:
    verdict = judged(left, right, known)
    axes = _axes(verdict)
    about = f"{slot_words(left)} against {slot_words(right)}"
    if left.product == right.product and _labelled(axes, one, two):
        return [fine(factor.start, factor.end, about)]
    if verdict.kind is VerdictKind.NOT_COMPARABLE:
        why = "; ".join(r.why for r in verdict.reasons if r.state == "differs")
        axes = tuple(dict.fromkeys((*axes, *_skipped(verdict))))
        return [wrong(factor.start, factor.end, axes, f"{about}: {why}")]
    if verdict.kind is VerdictKind.UNDETERMINED:
        why = "; ".join(r.why for r in verdict.reasons)
        return [unclear(factor.start, factor.end, axes, f"{about}: {why}")]
    if verdict.ratio and not ratio_holds(
        factor.value, factor.half_step * 2, verdict.ratio, Fraction(1)
    ):
        steps = "; ".join(step.step for step in verdict.derivation)
        text = f"{about}: like for like the ratio is {float(verdict.ratio):.3g} ({steps})"
        axes = tuple(_STEP_AXES[s.kind] for s in verdict.derivation if s.kind in _STEP_AXES)
        return [wrong(factor.start, factor.end, axes or ("product_identity",), text)]
    return [fine(factor.start, factor.end, about)]


def _skipped(verdict: Verdict) -> tuple[str, ...]:
    """The axes of the steps that the sentence left out."""
    return tuple(_STEP_AXES[s.kind] for s in verdict.derivation if s.kind in _STEP_AXES)


def _labelled(axes: tuple[str, ...], one: Bound, two: Bound) -> bool:
    """Whether the sentence itself speaks of every axis that differs."""
    return all(one.values(axis) or two.values(axis) for axis in axes)


def _axes(verdict: Verdict | None) -> tuple[str, ...]:
    if verdict is None:
        return ()
    states = {"differs"} if verdict.kind is VerdictKind.NOT_COMPARABLE else {"open"}
    found = [r.axis for r in verdict.reasons if r.state in states]
    return tuple(dict.fromkeys(axis for axis in found if axis not in NO_PEAK))


def _verdict(one: Bound, two: Bound, known: Known) -> Verdict | None:
    left, right = slots_of(one, known), slots_of(two, known)
    return judged(left[0], right[0], known) if left and right else None


def _comparison(one: Bound, two: Bound, known: Known) -> Iterator[Remark]:
    """`A leads`, `B is faster`: two numbers set against each other without a ratio."""
    left, right = slots_of(one, known), slots_of(two, known)
    if not left or not right or one.products == two.products:
        return
    verdict = min(
        (judged(a, b, known) for a in left[:3] for b in right[:3]), key=lambda v: _BADNESS[v.kind]
    )
    engines = {s.axes.get("engine") for s in (*left, *right) if not s.changed}
    if _axes(verdict) == ("engine",) and len(engines) > 2:
        return  # the product prints one rate for all of its engines
    start, end = one.amount.start, two.amount.end
    if verdict.kind is VerdictKind.NOT_COMPARABLE:
        why = "; ".join(r.why for r in verdict.reasons if r.state == "differs")
        yield wrong(start, end, _axes(verdict), f"{verdict.left} against {verdict.right}: {why}")
    elif verdict.kind is VerdictKind.UNDETERMINED:
        yield unclear(
            start,
            end,
            _axes(verdict),
            f"{verdict.left} against {verdict.right}: what is open decides",
        )


def _other_thing(about: Sentence, left: Bound) -> bool:
    """Whether `doubled ICI bandwidth of a v5p` names something else than the number before it."""
    words = about.words().lower()
    if left.amount.kind == "information" and "bandwidth" in words:
        return "capacity" not in words
    if left.amount.kind == "information_rate":
        told, own = about.values("interface"), left.strong("interface")
        return bool(told and own and not told & own) or "capacity" in words
    return left.amount.kind == "operations" and about.has("interface")


def _of_products(
    factor: Factor, sentence: Sentence, known: Known, thing: Sentence | None = None
) -> list[Remark]:
    """`B200 has 4.7 times the HBM bandwidth of v6e`: both numbers come from the catalogue."""
    hardware = [n for n in sentence.names if len(n.products) == 1 and not n.software]
    if len(hardware) != 2 or hardware[0].products == hardware[1].products:
        return []
    if _LED.fullmatch(sentence.text, sentence.start, hardware[0].start):
        hardware.reverse()  # `Compared with A, B has twice the memory`
    found = _slots_by_words(thing or sentence, hardware[0].products[0], known)
    results = []
    for slot in found:
        for target in counterpart(slot, hardware[1].products[0], known):
            verdict = judged(slot, target, known)
            ratio = verdict.ratio or slot.base / target.base
            holds = ratio_holds(factor.value, factor.half_step, ratio, Fraction(1))
            results.append((not holds, _BADNESS[verdict.kind], slot, target, verdict, ratio))
    if not results:
        return []
    failed, _, slot, target, verdict, ratio = min(results, key=lambda r: r[:2])
    about = f"{slot_words(slot)} against {slot_words(target)}"
    if failed and len({r[5] for r in results}) == 1:
        axes = (*(_axes(verdict) or ("product_identity",)), "arithmetic")
        return [
            wrong(
                factor.start,
                factor.end,
                axes,
                f"{about} is {float(ratio):.3g}",
                factor.written(float(ratio)),
            )
        ]
    if failed or not verdict.allows_ratio:
        axes = _axes(verdict) or ("precision",)
        return [unclear(factor.start, factor.end, axes, f"{about}: which values are meant?")]
    return [fine(factor.start, factor.end, about)]


_LED = re.compile(
    r"(?:compared (?:with|to)|relative to|against|versus|vs\.?|next to|over|im vergleich zu[mr]?)"
    r"\s(?:(?:the|a|an|der|dem|its|predecessor|NVIDIA|AMD|Google)\s)*",
    re.IGNORECASE,
)


def _slots_by_words(sentence: Sentence, product: str, known: Known) -> list[Slot]:
    """The printed values of a product that the sentence's words describe."""
    words = sentence.words().lower()
    rate = "bandwidth" in words or "bandbreite" in words
    kind = (
        "information_rate"
        if rate
        else "information"
        if sentence.has("memory") or "capacity" in words
        else "operations"
    )
    if kind == "operations" and not sentence.has("precision"):
        return []
    allowed = {axis: sentence.values(axis) for axis in ("interface", "precision", "sparsity")}
    metric = (
        "memory_bandwidth" if rate and sentence.has("memory") and not allowed["interface"] else ""
    )
    return [
        slot
        for slot in known.of([product], kind)
        if slot.current
        and not slot.changed
        and slot.level == "one"
        and slot.axes.get("basis") in ("vendor_peak", "advertised")
        and (not metric or slot.metric == metric)
        and all(not v or slot.axes.get(a) is None or slot.axes[a] in v for a, v in allowed.items())
        and slot.axes.get("aggregation") in (None, "per_device", "total")
        and (kind != "information" or slot.axes.get("interface") == "hbm")
    ]
