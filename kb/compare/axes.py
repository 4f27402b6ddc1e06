"""How each axis is judged. One function an axis; each yields reasons, cautions and steps."""

from __future__ import annotations

from collections.abc import Iterator

from kb.compare.pair import SIDES, Item, Judge, Pair
from kb.operand import HARDWARE, Operand
from kb.qualifiers import UNSTATED, Basis, Boundary, Layer, Metric, PowerState, words
from kb.verdict import Caution, Reason, Side

DOLLAR = "USD"
"""The only currency of the vocabulary, so a price that can be read states it."""

SOFTWARE = (Layer.FRAMEWORK, Layer.COMPUTE_API)
"""Layers that have no peak, no capacity and no links of their own."""


def layer(pair: Pair) -> Iterator[Item]:
    """Framework, compute API and accelerator are different layers."""
    left, right = pair.left.layer, pair.right.layer
    if any(pair.side(side).is_open("layer") for side in SIDES):
        yield pair.open("layer", "a framework, a compute API and an accelerator are no rivals")
        return
    if left is not None and right is not None and left is not right:
        yield pair.differs(
            "layer",
            "a framework, a compute API and an accelerator are different "
            "layers of one stack, not rivals",
            left,
            right,
        )
        return
    for side in SIDES:
        if (own := _software(pair.side(side))) is not None:
            yield pair.differs(
                "layer",
                f"a {words(own)} has no hardware figure of its own; name the accelerator that "
                f"{pair.side(side).quantity.text} belongs to",
                left,
                right,
            )
            return


def _software(operand: Operand) -> Layer | None:
    """The layer of a framework or compute API that is given a vendor's hardware figure."""
    named = operand.product.layer if operand.product else None
    if named not in SOFTWARE:
        named = operand.layer
    basis = operand.get("basis")
    vendor = basis is None or (isinstance(basis, Basis) and basis.family == "vendor")
    return named if named in SOFTWARE and vendor and operand.metric in HARDWARE else None


def identity(pair: Pair) -> Iterator[Item]:
    """A name that several products share names none of them."""
    for side in SIDES:
        operand = pair.side(side)
        if operand.identity.candidates:
            among = ", ".join(operand.identity.candidates)
            reason = pair.open("product_identity", f"'{operand.identity.name}' may mean {among}")
            yield type(reason)(
                "product_identity",
                "open",
                pair.left.identity.name,
                pair.right.identity.name,
                reason.why,
                f"the exact product instead of '{operand.identity.name}'",
            )


def metric(pair: Pair) -> Iterator[Item]:
    """Different quantities have no ratio, however close their digits."""
    left, right = pair.left, pair.right
    if left.metric is right.metric:
        return
    links = {left.metric, right.metric} == {Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH}
    if links:
        yield pair.differs(
            "interface",
            "one figure is the rate of a memory, the other of a link; they limit different things",
            _what(pair, "left"),
            _what(pair, "right"),
        )
    yield pair.differs("metric", "they measure different quantities", left.metric, right.metric)
    if left.quantity.unit.dimension != right.quantity.unit.dimension:
        yield pair.differs(
            "unit",
            "the units have different dimensions",
            left.quantity.unit.symbol,
            right.quantity.unit.symbol,
        )


def unit(pair: Pair) -> Iterator[Item]:
    """One metric can still be printed in units of different dimensions."""
    left, right = pair.left.quantity, pair.right.quantity
    if pair.left.metric is not pair.right.metric:
        return
    if left.unit.dimension == right.unit.dimension:
        if left.unit.name == "part" and not _one_slot(pair):
            yield pair.open("unit", "a number without a named part does not say what it counts")
        return
    if {left.unit.kind, right.unit.kind} == {"flop_rate", "op_rate"}:
        if pair.left.get("precision") == pair.right.get("precision"):
            yield Caution(
                "unit",
                f"{left.label} and {right.label} count the same operations here, "
                "since the number format is the same",
            )
        return
    if "part" in (left.unit.name, right.unit.name):
        yield pair.open("unit", "a number without a named part does not say what it counts")
        return
    counted = pair.left.metric is Metric.COUNT
    why = "they count different things" if counted else "the units have different dimensions"
    yield pair.differs("unit", why, left.label, right.label)


def _one_slot(pair: Pair) -> bool:
    """Whether the catalogue has both numbers under one id, so that both count the same."""
    left, right = ({entry.claim.id for entry in o.claims} for o in (pair.left, pair.right))
    return bool(left & right)


def role(pair: Pair) -> Iterator[Item]:
    """Interfaces compare by what they are for."""
    if pair.left.metric is not pair.right.metric:
        return
    needed = "interface" in pair.needed["left"] | pair.needed["right"]
    left, right = (None if o.is_open("role") else o.get("role") for o in (pair.left, pair.right))
    if left is None or right is None:
        # A total over several kinds names them instead of an interface: see `includes`.
        unnamed = [side for side in SIDES if not _kinds(pair, side)]
        if unnamed and (needed or left is not right):
            yield _without_interface(pair, unnamed)
        elif any(_without_role(pair.side(side)) for side in SIDES):
            yield pair.open("role", "an interface whose role is open may serve another purpose")
        return
    if left != right:
        yield pair.differs(
            "interface",
            f"a {words(left)} and a {words(right)} limit different things",
            _what(pair, "left"),
            _what(pair, "right"),
        )
    elif pair.left.get("interface") != pair.right.get("interface"):
        if left == "scale_up_link":
            yield Caution(
                "topology",
                f"{_what(pair, 'left')} and {_what(pair, 'right')} differ in topology and reach: "
                "the whole rate goes to one peer through a switch, and is split over the axes "
                "of a torus or over direct links",
            )
        else:
            yield Caution(
                "interface",
                f"{_what(pair, 'left')} and {_what(pair, 'right')} serve "
                f"the same role, {words(left)}",
            )
    elif left == "scale_up_link" and (joined := _topologies(pair)):
        yield Caution("topology", f"a {joined}: a total is split over their axes differently")
    elif left == "on_chip_memory" and not _one_slot(pair):
        yield Caution(
            "interface",
            "on-chip memories differ in level and in who fills them: a cache is no scratchpad",
        )


def _without_role(operand: Operand) -> bool:
    """Whether a figure names its memory or link and leaves open what that is for."""
    named = operand.get("interface") not in (None, UNSTATED)
    return named and operand.get("role") in (None, UNSTATED)


def _topologies(pair: Pair) -> str:
    """How the accelerators of each side are joined, where both say so and differ."""
    left, right = (_topology(pair.side(side)) for side in SIDES)
    return f"{left} against a {right}" if left and right and left != right else ""


def _topology(operand: Operand) -> str | None:
    parts = operand.product.composition.values() if operand.product else ()
    return next((part.topology for part in parts if part.topology), None)


def _without_interface(pair: Pair, unnamed: list[Side]) -> Reason:
    """Open where a figure may have one; a claim of the catalogue without one is about none."""
    needed = any("interface" in pair.needed[side] for side in SIDES)
    if not needed and all(pair.side(side).statement is not None for side in unnamed):
        why = "one figure is about a memory or a link, the other about neither"
        stated = [pair.side(side).get("interface") or "none" for side in SIDES]
        return pair.differs("interface", why, *stated)
    return pair.open(
        "interface", "without its interface it is open which memory or link the figure describes"
    )


def includes(pair: Pair) -> Iterator[Item]:
    """A total over several kinds of part is no total over one of them."""
    if pair.left.get("includes") is None and pair.right.get("includes") is None:
        return
    left, right = (_kinds(pair, side) for side in SIDES)
    if left and right and left != right and pair.left.metric is pair.right.metric:
        yield pair.differs(
            "includes",
            "the totals add up different kinds of part",
            " + ".join(sorted(left)),
            " + ".join(sorted(right)),
        )


def basis(pair: Pair) -> Iterator[Item]:
    """A vendor's figure, a device's report and a measurement answer different questions."""
    left, right = (pair.value(side, "basis") for side in SIDES)
    if isinstance(left, Basis) and isinstance(right, Basis) and UNSTATED not in (left, right):
        if left.family != right.family:
            families = frozenset((left.family, right.family))
            if pair.left.metric is pair.right.metric is Metric.COUNT:
                yield Caution("basis", f"{left} against {right}: a count is the same either way")
            else:
                yield pair.differs("basis", _why_apart(pair, families))
        elif left is not right:
            yield Caution("basis", f"{left} against {right}: both are the vendor's words")
        return
    known = left if isinstance(left, Basis) and left != UNSTATED else right
    explicit = UNSTATED in (left, right)
    if (isinstance(known, Basis) and known.family != "vendor") or explicit:
        if pair.left.metric not in (Metric.LATENCY, Metric.RATE) or explicit:
            yield pair.open(
                "basis",
                "a peak and an observation have no ratio, and one side does not say which it is",
            )
    elif known is not None:
        yield Caution("basis", "one side does not say whether it is the vendor's figure")


def _why_apart(pair: Pair, families: frozenset[str]) -> str:
    """Why two kinds of figure have no ratio; label and reserve explain one product's capacity."""
    if families == _MEASURED:
        return (
            "a measured value may be given as a fraction of its own "
            "peak, never as a ratio to a vendor's figure"
        )
    capacity = pair.left.metric is pair.right.metric is Metric.MEMORY_CAPACITY
    if capacity and pair.same_product:
        return _CAPACITY_WHY.get(families, "they come from different kinds of observation")
    if pair.left.metric is Metric.POWER and families == _REPORTED:
        return "the limit that is set on a device is not the vendor's figure"
    return "one figure is a vendor's word and the other was observed, so they are of two kinds"


_MEASURED = frozenset(("vendor", "measured"))
_REPORTED = frozenset(("vendor", "device_reported"))
_CAPACITY_WHY = {
    _REPORTED: "what a device reports and what is advertised "
    "differ by label and reservation, not by hardware",
    frozenset(("vendor", "usable")): "what a program may use is not what is advertised: software "
    "reserves a part, and a label may mean another prefix",
}


def power_state(pair: Pair) -> Iterator[Item]:
    """A default limit and a maximum are different figures."""
    if pair.left.metric is not pair.right.metric:
        return
    if pair.left.metric not in (Metric.POWER, Metric.FREQUENCY, Metric.ENERGY):
        return
    left, right = pair.left.get("power_state"), pair.right.get("power_state")
    definite = isinstance(left, PowerState) and isinstance(right, PowerState)
    if definite and UNSTATED not in (left, right):
        if left is not right:
            yield pair.differs("power_state", "one limit is set where the other is not")
    elif left is not right:
        yield Caution("power_state", "one side leaves open which power limit or clock it means")
    elif pair.left.metric is not Metric.ENERGY:
        yield Caution("power_state", "neither side says which power limit or clock it means")


def boundary(pair: Pair) -> Iterator[Item]:
    """Intervals that enclose different things have no ratio."""
    if pair.left.metric is not pair.right.metric:
        left, right = pair.left.get("boundary"), pair.right.get("boundary")
        if Boundary.DISPATCH_ONLY in (left, right):
            yield pair.differs("boundary", _NO_RATE.format("dispatch-only"))
        return
    left, right = (pair.value(side, "boundary") for side in SIDES)
    bases = {pair.left.get("basis"), pair.right.get("basis")}
    mixed = Basis.MEASURED in bases and bases != {Basis.MEASURED}
    if mixed:
        yield from _one_boundary(pair)
        return
    if left is None and right is None:
        return
    if None in (left, right) or UNSTATED in (left, right):
        yield pair.open(
            "boundary", "without its boundary a short time may be a dispatch or a finished result"
        )
    elif left != right:
        yield pair.differs("boundary", "the two intervals enclose different things")
    elif left in NO_WORK and pair.left.metric is not Metric.LATENCY:
        yield pair.differs("boundary", _NO_RATE.format(words(left)))
    elif left is Boundary.DISPATCH_ONLY:
        yield Caution(
            "boundary",
            "both intervals end before the work is done: they say how fast "
            "calls are enqueued, nothing else",
        )


NO_WORK = frozenset({Boundary.TRACE, Boundary.LOWER, Boundary.COMPILE, Boundary.DISPATCH_ONLY})
"""Intervals that end before the device has done any work."""

_NO_RATE = "a {} interval ends before the work is done and yields no rate"


def _one_boundary(pair: Pair) -> Iterator[Item]:
    """A measurement beside a figure that has no boundary."""
    measured = next(side for side in SIDES if pair.side(side).get("basis") is Basis.MEASURED)
    if "boundary" not in pair.needed[measured]:
        return
    stated = pair.side(measured).get("boundary")
    if stated == UNSTATED:
        yield pair.open(
            "boundary", "without its boundary a fast rate may be that of enqueueing the work"
        )
    elif stated is None:
        yield Caution("boundary", "the measurement does not say what its interval encloses")
    elif stated in NO_WORK and pair.left.metric is not Metric.LATENCY:
        yield pair.differs("boundary", _NO_RATE.format(words(stated)))


def terms(pair: Pair) -> Iterator[Item]:
    """Prices under different terms are different prices."""
    left, right = pair.left.get("terms"), pair.right.get("terms")
    if pair.left.metric is not Metric.PRICE or pair.right.metric is not Metric.PRICE:
        return
    left, right = left if isinstance(left, dict) else {}, right if isinstance(right, dict) else {}
    for side, stated in zip(SIDES, (left, right), strict=True):
        currency = stated.get("currency", DOLLAR)
        if currency != "USD" and pair.side(side).quantity.unit.kind == "money_rate":
            why = "a price in dollars has another currency in its terms"
            yield pair.differs("terms", why, pair.side(side).quantity.text, currency)
            return
    left, right = {"currency": DOLLAR, **left}, {"currency": DOLLAR, **right}
    names = ("currency", "term", "region", "date")
    missing = [name for name in names if left.get(name) is None or right.get(name) is None]
    if missing:
        settles = f"its {', '.join(missing)}"
        yield pair.open("terms", f"a price needs {settles}", settles=settles)
    for name in names:
        a, b = left.get(name), right.get(name)
        if name not in missing and a != b:
            yield pair.differs("terms", f"the prices differ in {name}", a, b)


def _kinds(pair: Pair, side: Side) -> frozenset[str]:
    operand = pair.side(side)
    stated = operand.get("includes")
    if isinstance(stated, tuple):
        return frozenset(str(item) for item in stated)
    interface = operand.get("interface")
    return frozenset() if interface in (None, UNSTATED) else frozenset((str(interface),))


def _what(pair: Pair, side: Side) -> str:
    operand = pair.side(side)
    interface = operand.get("interface")
    return str(interface if interface is not None else operand.metric)


AXIS_JUDGES: tuple[Judge, ...] = (
    layer,
    identity,
    metric,
    unit,
    role,
    includes,
    basis,
    power_state,
    boundary,
    terms,
)
"""Judged before what a compute rate and a link need besides."""
