"""What no other judge looks at: stated axes beside their metric, and roles that don't fit.

Every axis that a record states must agree, whatever the metric. A judge of its own says
why an axis matters and how to bridge it; here the rest is only held side by side.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.compare.pair import SIDES, Item, Judge, Pair
from kb.operand import TIMED
from kb.qualifiers import (
    MEMORIES,
    ROLE_OF_INTERFACE,
    ROLES_OF_METRIC,
    UNSTATED,
    Basis,
    Interface,
    Metric,
    Role,
    words,
)
from kb.verdict import Caution

COMPUTE_AXES = ("precision", "accumulator", "output", "sparsity", "engine", "arithmetic",
                "counting")  # fmt: skip
POWERED = (Metric.POWER, Metric.FREQUENCY, Metric.ENERGY)
WORK = (Metric.LATENCY, Metric.RATE, Metric.ENERGY)
"""Metrics of a piece of work: without the work, and how it computes, they say little."""


def leftover(pair: Pair) -> Iterator[Item]:
    """Axes that are stated beside a metric for which no other judge reads them."""
    metric = pair.left.metric
    if metric is not pair.right.metric:
        return
    for axis in _unread(metric):
        left, right = pair.left.get(axis), pair.right.get(axis)
        if left == right:
            continue
        if left is None or right is None:
            if metric in WORK and axis in COMPUTE_AXES:
                yield Caution(axis, f"only one side states its {words(axis)}")
            continue
        if UNSTATED in (left, right):
            yield pair.open(axis, f"the two may differ in {words(axis)}")
        else:
            yield pair.differs(axis, f"the two differ in {words(axis)}")


def _unread(metric: Metric) -> Iterator[str]:
    if metric is not Metric.COMPUTE_THROUGHPUT:
        yield from COMPUTE_AXES
    if metric not in POWERED:
        yield "power_state"
    if metric is not Metric.LINK_BANDWIDTH:
        yield "direction"


def workload(pair: Pair) -> Iterator[Item]:
    """No field of a side names the work that was done, so no verdict can vouch for it."""
    metric = pair.left.metric
    observed = pair.left.get("basis") is pair.right.get("basis") is Basis.MEASURED
    if metric is pair.right.metric and (metric in WORK or (observed and metric in TIMED)):
        yield Caution(
            "workload",
            "nothing here says that both did the same work: the ratio holds for one workload, "
            "with the same shapes and the same quality, and for no other",
        )


def fitting(pair: Pair) -> Iterator[Item]:
    """A link has no capacity, a memory is no link, and an interface keeps its kind of role."""
    for side in SIDES:
        operand = pair.side(side)
        role, interface = operand.get("role"), operand.get("interface")
        allowed = ROLES_OF_METRIC.get(operand.metric)
        if not isinstance(role, Role):
            continue
        if allowed is not None and role not in allowed:
            what = f"{words(interface)} is a {words(role)}, which has no {words(operand.metric)}"
            yield pair.differs("interface", f"{operand.label}: {what}")
        elif isinstance(interface, Interface) and not _may_be(interface, role):
            usual = words(ROLE_OF_INTERFACE[interface])
            why = f"{operand.label}: {words(interface)} is a {usual} and no {words(role)}"
            yield pair.differs("interface", why)


def _may_be(interface: Interface, role: Role) -> bool:
    """Whether an interface can serve a role: links may change theirs, memories may not."""
    usual = ROLE_OF_INTERFACE[interface]
    return role is usual or (usual not in MEMORIES and role not in MEMORIES)


REST_JUDGES: tuple[Judge, ...] = (fitting, leftover, workload)
"""Judged last."""
