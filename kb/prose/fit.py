"""Fitting a number to the catalogue: does the value agree, and on which axes do words differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache

from kb.prose.bind import Bound, Stated
from kb.prose.known import GROUPS, Slot, Slots, level_of
from kb.prose.numbers import Amount
from kb.qualifiers import Scope

WIDEST = 0.025
"""However few digits are printed, a value farther off than this is another value."""

_NONE: frozenset[str] = frozenset()
AXES = frozenset(
    (
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
)
"""The axes on which words can rule a value out."""

DATA = frozenset({"memory_capacity", "memory_bandwidth", "link_bandwidth"})
"""Metrics of a memory or a link."""

PART = frozenset({"per_link", "per_port", "per_axis", "bisection", "all_reduce_payload"})
"""Aggregations that are no plain total of their scope."""


def agrees(amount: Amount, value: Fraction) -> bool:
    """Whether a printed number may stand for a value: equal, or rounded to the printed digits."""
    low, high = allowed(amount)
    return low <= float(value) <= high


def allowed(amount: Amount) -> tuple[float, float]:
    """What the printed digits allow, in base units.

    Floats will do: they hold more digits than sources print.
    """
    base, step = amount.floats
    slack = base * WIDEST
    if not amount.approximate:
        slack = min(slack, step)
    above = slack
    if amount.kind == "operations" and step * 2 < base:
        above = max(slack, min(step * 2 * (1 - 1e-6), base * WIDEST))  # 3,958 cut to 3.9 P
    spare = base * 1e-9
    return base - slack - spare, base + above + spare


def matching(amount: Amount, slots: Iterable[Slot]) -> list[Slot]:
    """The slots whose value the number may stand for."""
    low, high = allowed(amount)
    if isinstance(slots, Slots):
        return slots.within(low, high)
    return [slot for slot in slots if low <= slot.value <= high]


@lru_cache(maxsize=4096)
def conflicts(bound: Bound, slot: Slot, *, weak: bool = False) -> frozenset[str]:
    """The axes on which words at the number (or, `weak`, elsewhere) rule the slot out."""
    found = [
        axis
        for axis, stated in bound.stated.items()
        if stated[1] is not weak and axis in AXES and _rules_out(axis, stated, slot)
    ]
    found += _role(bound, slot, weak=weak)
    if not weak:
        if "aggregation" in bound.stated:
            found += _of_all(bound, slot)
        if slot.statement.status == "superseded":
            found += _silent(bound, slot)
    return frozenset(found) if found else _NONE


def _of_all(bound: Bound, slot: Slot) -> frozenset[str]:
    """`180 GB of total memory` on a board: the total of a group is not that of one accelerator."""
    single = bound.strong("scope") & {"chip", "gpu", "device", "card"}
    group = bound.values("sold_as") | bound.strong("scope")
    total = bound.strong("aggregation") == {"total"} and bound.near
    additive = slot.entry.claim.metric in ("memory_capacity", "memory_bandwidth")
    apart = total and additive and slot.level == "one" and bool(group) and not single
    return frozenset({"scope"}) if apart else frozenset()


def _silent(bound: Bound, slot: Slot) -> frozenset[str]:
    """Axes that an outdated statement leaves open while the sentence states them."""
    return frozenset(axis for axis in ("direction",) if axis in slot.open and bound.strong(axis))


def _rules_out(axis: str, stated: Stated, slot: Slot) -> bool:
    """Whether the stated words on one axis can't be said of the slot."""
    metrics = _METRICS.get(axis)
    if metrics is not None and slot.entry.claim.metric not in metrics:
        return False
    value = slot.axes.get(axis)
    own = _OWN_WAY.get(axis)
    if own is not None:
        return own(stated.values, value, slot)
    return value is not None and value not in stated.values


def _scope(values: frozenset[str], value: str | None, slot: Slot) -> bool:
    network = slot.axes.get("interface") == "nic"  # its cards are no accelerators
    levels = {level_of(v) for v in values - ({"card"} if network else set())}
    if "domain" in levels:  # how many a link domain joins is up to the product
        levels |= set(GROUPS.values())
    if "slice" in levels:
        levels.add("board")  # a slice of eight chips is one host
    if network and levels <= {"one"} and slot.axes.get("aggregation") == "per_port":
        return False  # hosts are built with a port for each accelerator
    if value == "core" and "device" in values:
        return False  # what software calls a device may be one core of a chip
    if value == "core" and "one" in levels and _single_core(slot):
        return False
    return bool(levels) and value is not None and level_of(value) not in levels


def _single_core(slot: Slot) -> bool:
    """Whether a chip of this product is one core, so that either word says the other."""
    return slot.entry.product.count_in(Scope.CHIP, Scope.CORE) == 1


def _sparsity(values: frozenset[str], value: str | None, slot: Slot) -> bool:
    if slot.entry.product.is_dense_only:
        return values == {"structured_2_4"}
    if value is None and values == {"dense"}:
        return slot.entry.claim.id.endswith("-sparse")  # which pattern its source leaves open
    return value is not None and value not in values


def _engine(values: frozenset[str], value: str | None, slot: Slot) -> bool:  # noqa: ARG001
    return value is not None and value not in values and "both" not in values


def _interface(values: frozenset[str], value: str | None, slot: Slot) -> bool:  # noqa: ARG001
    if "ethernet" in values and value in ("nic", "ethernet_scale_up"):
        return False  # some vendors scale up over Ethernet
    return value not in values and not (value == "several" and "hbm" in values)


def _aggregation(values: frozenset[str], value: str | None, slot: Slot) -> bool:
    if values == {"per_link"} and slot.axes.get("interface") == "pcie":
        return False  # a card has one link to its host
    if values <= {"total"}:
        return value in PART
    return value is not None and value not in values and "total" not in values


def _basis(values: frozenset[str], value: str | None, slot: Slot) -> bool:  # noqa: ARG001
    # A sentence on a measurement also names the figure that it is measured against.
    family = getattr(slot.operand.get("basis"), "family", "vendor")
    return values == {"advertised"} and family != "vendor"


_OWN_WAY: dict[str, Callable[[frozenset[str], str | None, Slot], bool]] = {
    "scope": _scope,
    "sparsity": _sparsity,
    "engine": _engine,
    "interface": _interface,
    "aggregation": _aggregation,
    "basis": _basis,
}
"""Axes on which more than equal words decides."""

_METRICS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("precision", "sparsity", "engine"), frozenset({"compute_throughput"})),
    **dict.fromkeys(("direction", "aggregation"), frozenset({"link_bandwidth"})),
    "interface": DATA,
    "power_state": frozenset({"power"}),
}
"""The metrics that an axis can say something about, where it isn't all of them."""


def _role(bound: Bound, slot: Slot, *, weak: bool) -> frozenset[str]:
    """`memory` rules out links, and `interconnect` memories, where no interface is named."""
    said = bound.stated
    if not ("memory" in said or "link" in said) or slot.entry.claim.metric not in DATA:
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
