"""Numbers that somebody measured or needs: what no data sheet has to confirm, and its bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.fit import conflicts
from kb.prose.known import Slot
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, unclear, wrong

TOLD = frozenset({"device_reported", "usable"})
"""What a device says of itself."""
TOO_FAST = Fraction(102, 100)
"""How far above a peak a measured rate may be: clocks and counts are rounded."""


def observed(bound: Bound) -> bool:
    """Whether the number is what somebody saw or needs, and not what a product has."""
    told = bound.strong("basis") & TOLD
    seen = bound.values("basis")
    return (
        bool(told)
        or "measured" in (bound.strong("basis") if "peak" in bound.strong("rated") else seen)
        or ("achieved" in seen and "peak" not in bound.strong("rated"))
        or "bus" in bound.strong("aggregation")
        or ("cap" in bound.tags and bound.amount.kind == "power")
        or (
            # A job may need any amount of memory; a rate belongs to a machine.
            "use" in bound.tags and bound.amount.kind == "information"
        )
    )


def quoted(bound: Bound, same: Sequence[Slot]) -> bool:
    """Whether `achieves 1,979 TFLOPS` quotes a printed peak: no run hits such digits."""
    exact = [s for s in same if s.current and s.base == bound.amount.base]
    if "basis" in bound.stated and not bound.stated["basis"].strong and bound.strong("direction"):
        # A measurement is spoken of elsewhere; at the number stands what a link is printed with.
        return any(not s.changed and conflicts(bound, s) == {"direction"} for s in exact)
    near = (s for s in same if s.changed == {"sparsity"} and s.current)
    digits = bound.amount.number >= HUNDRED or bound.amount.number.denominator >= HUNDRED
    told = bound.values("basis") == {"achieved"} and bound.amount.kind == "operations"
    return told and digits and any((*exact, *near))


HUNDRED = 100
"""Three digits, before or behind the point."""


_AS_MEASURED = re.compile(
    r"\s?,?\s(?:as )?(?:we )?(?:measured|benchmarked|observed|timed|gemessen)\b", re.IGNORECASE
)
_PEAK = re.compile(r"\b(?:peak|theoretical)\b[^.;,]{0,40}(?:\bis\b|\bof\b|:|=)\s\Z", re.IGNORECASE)


def measured_peak(bound: Bound, sentence: Sentence) -> Remark | None:
    """`its peak is 780 TFLOPS, as measured`: what a run reached, given as what a chip can do."""
    amount = bound.amount
    if amount.kind not in ("operations", "information_rate"):
        return None
    start = max(sentence.start, amount.start - 60)
    behind = _AS_MEASURED.match(sentence.text, amount.end, sentence.end)
    if behind is None or _PEAK.search(sentence.text, start, amount.start) is None:
        return None
    text = "a measured rate is no peak: it is what one run reached"
    return wrong(amount.start, amount.end, ("basis",), text)


def above_peak(bound: Bound, slots: Sequence[Slot]) -> Remark | None:
    """A measured rate above everything that the product is printed with."""
    if bound.amount.kind not in ("operations", "information_rate") or not observed(bound):
        return None
    if "bus" in bound.strong("aggregation"):
        return _above_links(bound, slots)
    group = bound.values("scope") and not bound.values("scope") & {"chip", "gpu", "device"}
    fair = [s for s in slots if not conflicts(bound, s) and (group or s.level == "one")]
    if not fair or bound.amount.base <= max(s.base for s in fair) * TOO_FAST:
        return _above_dense(bound, fair)
    top = max(fair, key=lambda slot: slot.base)
    return wrong(
        bound.amount.start,
        bound.amount.end,
        ("basis", "timing_boundary"),
        f"a measured rate can't be above the peak, {slot_words(top)}: the clock stopped before "
        "the work was done, or operations were miscounted",
    )


def _above_links(bound: Bound, slots: Sequence[Slot]) -> Remark | None:
    """A bus bandwidth above both directions of the link that joins the accelerators."""
    scale_up = [s for s in slots if s.level == "one" and s.axes.get("interface") in _SCALE_UP]
    top = max(scale_up, key=lambda slot: slot.base, default=None)
    if top is None or bound.amount.base <= top.base * TOO_FAST:
        return None
    text = f"a bus bandwidth can't be above both directions of the link, {slot_words(top)}"
    return wrong(bound.amount.start, bound.amount.end, ("basis", "interface"), text)


_SCALE_UP = frozenset({"nvlink", "ici", "infinity_fabric", "neuronlink", "ethernet_scale_up"})


def _above_dense(bound: Bound, fair: Sequence[Slot]) -> Remark | None:
    """A measured rate above the dense peak of its format, where nothing is said of sparsity."""
    amount = bound.amount
    if bound.values("sparsity") or not bound.strong("precision") or amount.kind != "operations":
        return None
    dense = [s for s in fair if s.axes.get("sparsity") == "dense" and s.level == "one"]
    if not dense or amount.base <= max(s.base for s in dense) * TOO_FAST:
        return None
    top = max(dense, key=lambda slot: slot.base)
    text = f"more than the dense peak, {slot_words(top)}: was structured sparsity used?"
    return unclear(amount.start, amount.end, ("basis", "sparsity"), text)
