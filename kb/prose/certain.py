"""The value that a sentence must mean, where its words leave only one.

A suggestion is text that can stand in place of the number. It is made only where every value
that fits the words agrees; a reported or usable figure, and the figure of one link, fit only
where the words ask for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from kb.prose.bind import Bound
from kb.prose.fit import PART, conflicts
from kb.prose.known import Slot
from kb.qualifiers import Metric

_TOLD = frozenset({"device_reported", "usable"})
_CAUTIONS = ("up to ", "~")


def certain(bound: Bound, slots: Sequence[Slot]) -> str:
    """The one right value as it may be written; empty where several or none are possible."""
    fitting = [slot for slot in slots if _meant(bound, slot)]
    # What is printed for this part says more than an eighth of a rounded total.
    if any(not slot.changed for slot in fitting):
        fitting = [s for s in fitting if not s.changed or s.changed - {"scope", "aggregation"}]
    if not fitting or len({slot.base for slot in fitting}) > 1:
        return ""
    return written(min(fitting, key=lambda slot: len(slot.changed)), bound)


def written(slot: Slot, bound: Bound) -> str:
    """The slot's value: as printed, or in the unit of the number where a step changed it."""
    if not slot.changed:
        text = slot.quantity.text
        for caution in _CAUTIONS:
            text = text.removeprefix(caution)
        return text
    unit = bound.amount.unit
    if unit is None:
        return ""
    return f"{float(slot.base / unit.factor):.6g} {bound.amount.label}"


def _meant(bound: Bound, slot: Slot) -> bool:
    link = bool(bound.strong("direction") or bound.strong("aggregation") - {"total"})
    whole = bound.values("scope") or bound.values("sold_as") or bound.values("aggregation")
    return (
        slot.current
        and (bool(whole) or slot.level in ("one", ""))
        and not conflicts(bound, slot)
        and not conflicts(bound, slot, weak=True)
        and (slot.metric is Metric.LINK_BANDWIDTH or not (link or "link" in bound.stated))
        and (slot.axes.get("basis") not in _TOLD or bool(bound.strong("basis") & _TOLD))
        and slot.axes.get("aggregation") not in PART - bound.values("aggregation")
    )
