"""Wording: what a slot of the catalogue is, for a message to a reader."""

from __future__ import annotations

from kb.prose.known import Slot

_WORDS = {
    "structured_2_4": "sparse",
    "bidirectional_sum": "both directions added",
    "one_way": "one direction",
    "all_reduce_payload": "all-reduce",
    "ethernet_scale_up": "scale-up",
    "nic": "network",
    "device_reported": "reported by the device",
}


def value_words(slot: Slot) -> str:
    """The value as printed, or what follows from it."""
    if not slot.changed:
        return slot.quantity.text
    steps = ", ".join(_word(slot.axes[axis]) for axis in sorted(slot.changed) if axis in slot.axes)
    value = slot.base / slot.quantity.unit.factor
    return f"{float(value):.6g} {slot.quantity.unit.symbol} ({steps}; from {slot.quantity.text})"


def slot_words(slot: Slot) -> str:
    """The slot in words: `9 PFLOPS, HGX B200, fp8, sparse, gpu [hgx-b200/gpu-peak-fp8-sparse]`."""
    shown = ("interface", "precision", "sparsity", "engine", "direction", "scope")
    words = [_word(slot.axes[axis]) for axis in shown if axis in slot.axes]
    if slot.axes.get("aggregation") not in (None, "per_device", "total"):
        words.append(_word(slot.axes["aggregation"]))
    about = ", ".join((value_words(slot), slot.entry.product.name, *words))
    return f"{about} [{slot.entry.id}]"


def _word(value: str) -> str:
    return _WORDS.get(value, value.replace("_", " "))
