"""Fitting a number to the catalogue: does the value agree, and on which axes do words differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from kb.prose.bind import Bound, Stated
from kb.prose.known import Slot, level_of
from kb.prose.numbers import Amount

WIDEST = 0.025
"""However few digits are printed, a value farther off than this is another value."""

AXES = (
    "interface",
    "scope",
    "precision",
    "sparsity",
    "engine",
    "direction",
    "aggregation",
    "basis",
    "power_state",
)

COMPUTE_ONLY = frozenset({"precision", "sparsity", "engine"})
LINK_ONLY = frozenset({"direction", "aggregation"})
DATA = frozenset({"memory_capacity", "memory_bandwidth", "link_bandwidth"})
"""Metrics of a memory or a link."""

PART = frozenset({"per_link", "per_port", "per_axis", "bisection", "all_reduce_payload"})
"""Aggregations that are no plain total of their scope."""


def agrees(amount: Amount, value: Fraction) -> bool:
    """Whether a printed number may stand for a value: equal, or rounded to the printed digits."""
    return _agrees(amount, float(value))


def _agrees(amount: Amount, value: float) -> bool:
    # Floats will do: no source prints as many digits as they hold.
    base, step = amount.floats
    slack = base * WIDEST
    if not amount.approximate:
        slack = min(slack, step)
    return abs(base - value) <= slack + base * 1e-9


_NEARLY = 0.026


def matching(amount: Amount, slots: Iterable[Slot]) -> list[Slot]:
    """The slots whose value the number may stand for."""
    base = amount.floats[0]
    low, high = base * (1 - _NEARLY), base * (1 + _NEARLY)
    return [s for s in slots if low <= s.value <= high and _agrees(amount, s.value)]


def conflicts(bound: Bound, slot: Slot, *, weak: bool = False) -> frozenset[str]:
    """The axes on which words at the number (or, `weak`, elsewhere) rule the slot out."""
    return (
        frozenset(
            axis
            for axis in AXES
            if (stated := bound.stated.get(axis)) is not None
            and stated.strong is not weak
            and _rules_out(axis, stated, slot, bound.stated)
        )
        | _role(bound, slot, weak=weak)
        | (frozenset() if weak else _silent(bound, slot))
    )


def _silent(bound: Bound, slot: Slot) -> frozenset[str]:
    """Axes that an outdated statement leaves open while the sentence states them."""
    if slot.statement.status != "superseded":
        return frozenset()
    return frozenset(axis for axis in ("direction",) if axis in slot.open and bound.strong(axis))


def _rules_out(axis: str, stated: Stated, slot: Slot, others: Mapping[str, Stated]) -> bool:
    values = stated.values
    compute = slot.entry.claim.metric == "compute_throughput"
    link = slot.entry.claim.metric == "link_bandwidth"
    data = slot.entry.claim.metric in DATA
    if (axis in COMPUTE_ONLY and not compute) or (axis in LINK_ONLY and not link):
        return False
    if axis == "interface" and not data:
        return False
    value = slot.axes.get(axis)
    match axis:
        case "scope":
            network = slot.axes.get("interface") == "nic"  # its cards are no accelerators
            levels = {level_of(v) for v in values - ({"card"} if network else set())}
            if not levels:
                return False
            return value is not None and level_of(value) not in levels
        case "sparsity":
            none = slot.entry.product.sparse_mode
            if none is not None and none.mode == "none":
                return values == {"structured_2_4"}
        case "engine":
            if "both" in values or value is None:
                return False
        case "aggregation":
            return _aggregation(values, value)
        case "basis":
            return _basis(values, slot)
        case "power_state":
            return slot.entry.claim.metric == "power" and value is not None and value not in values
        case "interface":
            return value not in values and not (value == "several" and "hbm" in values)
        case _:
            pass
    return value is not None and value not in values


def _aggregation(values: frozenset[str], value: str | None) -> bool:
    if values <= {"total"}:
        return value in PART
    return value is not None and value not in values and "total" not in values


def _basis(values: frozenset[str], slot: Slot) -> bool:
    basis = slot.operand.get("basis")
    family = getattr(basis, "family", "vendor")
    if values == {"advertised"}:
        return family != "vendor"
    # A sentence on a measurement also names the figure that it is measured against.
    return False


def _role(bound: Bound, slot: Slot, *, weak: bool) -> frozenset[str]:
    """`memory` rules out links, and `interconnect` memories, where no interface is named."""
    if slot.entry.claim.metric not in DATA:
        return frozenset()
    if "interface" in bound.stated and bound.stated["interface"].strong:
        return frozenset()
    for axis, metrics in (
        ("memory", ("memory_capacity", "memory_bandwidth")),
        ("link", ("link_bandwidth",)),
    ):
        stated = bound.stated.get(axis)
        if stated and stated.strong is not weak and slot.entry.claim.metric not in metrics:
            both = {"memory", "link"} <= set(bound.stated)
            return frozenset() if both else frozenset({"interface"})
    return frozenset()
