"""Ratios of which one number or both stand in the catalogue: `twice what a v5p has`."""

from __future__ import annotations

import re
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.factors import Factor
from kb.prose.formed import BADNESS, axes_of, judged_pair
from kb.prose.known import Known, Slot
from kb.prose.names import Named
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, fine, unclear, wrong
from kb.prose.slots import counterpart, judged, ratio_holds, slots_of


def against_product(factor: Factor, left: Bound, other: Named, known: Known) -> list[Remark]:
    """A number over the same figure of a product that has none in the sentence."""
    for slot in slots_of(left, known):
        against = counterpart(slot, other.products[0], known)
        if not against or slot.product == other.products[0]:
            continue
        target = against[0]
        if ratio_holds(factor.value, factor.half_step, slot.base, target.base):
            return judged_pair(factor, slot, target, left, left, known)
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


def other_thing(about: Sentence, left: Bound) -> bool:
    """Whether `doubled ICI bandwidth of a v5p` names something else than the number before it."""
    words = about.words().lower()
    if left.amount.kind == "information" and "bandwidth" in words:
        return "capacity" not in words
    if left.amount.kind == "information_rate":
        told, own = about.values("interface"), left.strong("interface")
        return bool(told and own and not told & own) or "capacity" in words
    return left.amount.kind == "operations" and about.has("interface")


def of_products(
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
            results.append((not holds, BADNESS[verdict.kind], slot, target, verdict, ratio))
    if not results:
        return []
    failed, _, slot, target, verdict, ratio = min(results, key=lambda r: r[:2])
    about = f"{slot_words(slot)} against {slot_words(target)}"
    if failed and len({r[5] for r in results}) == 1:
        axes = (*(axes_of(verdict) or ("product_identity",)), "arithmetic")
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
        axes = axes_of(verdict) or ("precision",)
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
