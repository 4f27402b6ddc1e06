"""Ratios of printed figures, written out: lint calls none valid that `kb compare` refuses."""

from __future__ import annotations

import random
from collections import Counter

from kb.prose.answer import answer
from kb.prose.known import Known, Slot
from kb.prose.slots import judged
from kb.verdict import VerdictKind

PAIRS = 500
REFUSED = (VerdictKind.NOT_COMPARABLE, VerdictKind.UNDETERMINED)
SCOPES = {
    "gpu": "per GPU",
    "chip": "per chip",
    "board": "of the whole board",
    "rack": "of the whole rack",
    "pod": "of the whole pod",
    "host": "of the whole system",
}
LINKS = {"nvlink": "NVLink", "ici": "ICI", "nic": "network", "pcie": "PCIe"}
WAYS = {"bidirectional_sum": " with both directions added", "one_way": " in one direction"}
SPARSITY = {"dense": "dense ", "structured_2_4": "sparse "}
BASIS = {"usable": "usable ", "device_reported": "reported "}


def wording(slot: Slot) -> str:
    """What a claim is called with every axis that it states; empty where no words are at hand."""
    axes = {axis: str(value) for axis, value in slot.operand.axes.items()}
    scope, link = SCOPES.get(axes.get("scope", "")), LINKS.get(axes.get("interface", ""))
    if scope is None or "several" in slot.axes.values():
        return ""
    match str(slot.metric):
        case "compute_throughput" if axes.get("precision", "unstated") != "unstated":
            sparsity = SPARSITY.get(axes.get("sparsity", ""), "")
            return f"{sparsity}{axes['precision'].upper()} peak {scope}"
        case "link_bandwidth" if link and axes.get("aggregation") in ("total", "per_device"):
            return f"{link} bandwidth{WAYS.get(axes.get('direction', ''), '')} {scope}"
        case "memory_bandwidth" if axes.get("interface") == "hbm":
            return f"HBM bandwidth {scope}"
        case "memory_capacity" if axes.get("interface") == "hbm":
            return f"{BASIS.get(axes.get('basis', ''), '')}HBM capacity {scope}"
        case "power":
            return f"power {scope}"
    return ""


def test_no_ratio_is_valid_that_compare_refuses_or_leaves_open(catalogue: Known) -> None:
    kinds = ("information", "information_rate", "operations", "power")
    slots = [s for kind in kinds for s in catalogue.of_kind(kind) if not s.changed]
    told = [(s, wording(s)) for s in slots if s.statement.status == "current" and wording(s)]
    met = Counter[tuple[VerdictKind, str]]()
    chosen = random.Random(2)  # noqa: S311 -- the same sentences on every run, no secret
    while met.total() < PAIRS:
        (one, first), (two, second) = chosen.sample(told, 2)
        if one.product == two.product or one.quantity.unit.kind != two.quantity.unit.kind:
            continue
        text = (
            f"The {one.entry.product.name} has a {first} of {one.quantity.text}, which is "
            f"{float(one.base / two.base):.3g} times the {two.quantity.text} {second} of the "
            f"{two.entry.product.name}."
        )
        kind, verdict = judged(one, two, catalogue).kind, answer(text, catalogue).verdict
        met[kind, verdict] += 1
        assert kind not in REFUSED or verdict in ("invalid", "ambiguous"), (kind, text)
    assert met[VerdictKind.COMPARABLE, "valid"] > PAIRS // 50
    assert sum(met[kind, "invalid"] for kind in REFUSED) > PAIRS // 2
