"""How each axis is judged. One function an axis; each yields reasons, cautions and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kb.compare.pair import SIDES, Item, Pair
from kb.derive import to_dense
from kb.qualifiers import UNSTATED, Basis, Boundary, Layer, Metric, PowerState, Precision, Sparsity
from kb.verdict import Caution

Judge = Callable[[Pair], Iterator[Item]]


def layer(pair: Pair) -> Iterator[Item]:
    """Framework, compute API and accelerator are different layers."""
    left, right = pair.left.layer, pair.right.layer
    if left is not None and right is not None and left is not right:
        yield pair.differs("layer", "a framework, a compute API and an accelerator are different "
                           "layers of one stack, not rivals", left, right)  # fmt: skip
        return
    software = left in (Layer.FRAMEWORK, Layer.COMPUTE_API) and left is right
    bases = pair.left.get("basis"), pair.right.get("basis")
    if software and any(isinstance(b, Basis) and b.family == "vendor" for b in bases):
        yield pair.differs("layer", f"a {left} has no hardware figure of its own; name the "
                           "accelerator that the value belongs to", left, right)  # fmt: skip


def identity(pair: Pair) -> Iterator[Item]:
    """A name that several products share names none of them."""
    for side in SIDES:
        operand = pair.side(side)
        if operand.identity.candidates:
            among = ", ".join(operand.identity.candidates)
            reason = pair.open("product_identity", f"'{operand.identity.name}' may mean {among}")
            yield type(reason)("product_identity", "open", pair.left.identity.name,
                               pair.right.identity.name, reason.why,
                               f"the exact product instead of '{operand.identity.name}'")  # fmt: skip


def metric(pair: Pair) -> Iterator[Item]:
    """Different quantities have no ratio, however close their digits."""
    left, right = pair.left, pair.right
    if left.metric is right.metric:
        return
    links = {left.metric, right.metric} == {Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH}
    if links:
        yield pair.differs("interface", "one figure is the rate of a memory, the other of a link; "
                           "they limit different things", _what(pair, "left"), _what(pair, "right"))  # fmt: skip
    yield pair.differs("metric", "they measure different quantities", left.metric, right.metric)
    if left.quantity.unit.dimension != right.quantity.unit.dimension:
        yield pair.differs("unit", "the units have different dimensions",
                           left.quantity.unit.symbol, right.quantity.unit.symbol)  # fmt: skip


def unit(pair: Pair) -> Iterator[Item]:
    """One metric can still be printed in units of different dimensions."""
    left, right = pair.left.quantity, pair.right.quantity
    if pair.left.metric is not pair.right.metric or left.unit.dimension == right.unit.dimension:
        return
    if {left.unit.kind, right.unit.kind} == {"flop_rate", "op_rate"}:
        yield Caution("unit", f"{left.label} and {right.label} count the same operations here, "
                      "since the number format is the same")  # fmt: skip
        return
    yield pair.differs("unit", "the units have different dimensions", left.label or "parts",
                       right.label or "parts")  # fmt: skip


def role(pair: Pair) -> Iterator[Item]:
    """Interfaces compare by what they are for."""
    if pair.left.metric is not pair.right.metric:
        return
    needed = "interface" in pair.needed["left"] | pair.needed["right"]
    left, right = pair.left.get("role"), pair.right.get("role")
    if left is None or right is None:
        if needed:
            yield pair.open("interface", "without its interface it is open which memory or link "
                            "the figure describes")  # fmt: skip
        return
    if left != right:
        yield pair.differs("interface", f"a {_words(left)} and a {_words(right)} limit different "
                           "things", _what(pair, "left"), _what(pair, "right"))  # fmt: skip
    elif pair.left.get("interface") != pair.right.get("interface"):
        if left == "scale_up_link":
            yield Caution("topology", f"{_what(pair, 'left')} and {_what(pair, 'right')} differ in "
                          "topology and reach: through a switch the whole rate can go to one peer, "
                          "in a torus it is split over the axes")  # fmt: skip
        else:
            yield Caution("interface", f"{_what(pair, 'left')} and {_what(pair, 'right')} serve "
                          f"the same role, {_words(left)}")  # fmt: skip


def includes(pair: Pair) -> Iterator[Item]:
    """A total over several kinds of part is no total over one of them."""
    if pair.left.get("includes") is None and pair.right.get("includes") is None:
        return
    left, right = (_kinds(pair, side) for side in SIDES)
    if left and right and left != right and pair.left.metric is pair.right.metric:
        yield pair.differs("includes", "the totals add up different kinds of part",
                           " + ".join(sorted(left)), " + ".join(sorted(right)))  # fmt: skip


def basis(pair: Pair) -> Iterator[Item]:
    """A vendor's figure, a device's report and a measurement answer different questions."""
    left, right = (pair.value(side, "basis") for side in SIDES)
    if isinstance(left, Basis) and isinstance(right, Basis) and UNSTATED not in (left, right):
        if left.family != right.family:
            yield pair.differs("basis", _BASIS_WHY.get(frozenset((left.family, right.family)),
                               "they come from different kinds of observation"))  # fmt: skip
        elif left is not right:
            yield Caution("basis", f"{left} against {right}: both are the vendor's words")
        return
    known = left if isinstance(left, Basis) and left != UNSTATED else right
    explicit = UNSTATED in (left, right)
    if isinstance(known, Basis) and known.family != "vendor" or explicit:
        if pair.left.metric not in (Metric.LATENCY, Metric.RATE) or explicit:
            yield pair.open("basis", "a peak and an observation have no ratio, and one side does "
                            "not say which it is")  # fmt: skip
    elif known is not None:
        yield Caution("basis", "one side does not say whether it is the vendor's figure")


_BASIS_WHY = {
    frozenset(("vendor", "measured")): "a measured value may be given as a fraction of its own "
    "peak, never as a ratio to a vendor's figure",
    frozenset(("vendor", "device_reported")): "what a device reports and what is advertised "
    "differ by label and reservation, not by hardware",
    frozenset(("vendor", "usable")): "software reserves a part of the advertised capacity",
}


def precision(pair: Pair) -> Iterator[Item]:
    """Number formats are not interchangeable."""
    if pair.left.metric is not Metric.COMPUTE_THROUGHPUT is not pair.right.metric:
        return
    if pair.left.metric is not pair.right.metric:
        return
    left, right, items, is_open = pair.settle("precision")
    if is_open:
        yield pair.open("precision", "rates of different number formats differ by factors")
        return
    yield from items
    if left != right:
        yield pair.differs("precision", "the rate of one number format says nothing about another",
                           left, right)  # fmt: skip
    for axis in ("accumulator", "output", "arithmetic", "counting"):
        yield from _wanted(pair, axis)


def _wanted(pair: Pair, axis: str) -> Iterator[Item]:
    left, right = pair.left.get(axis), pair.right.get(axis)
    definite = left not in (None, UNSTATED) and right not in (None, UNSTATED)
    if definite and left != right:
        yield pair.differs(axis, f"the two rates differ in {_words(axis)}")
    elif UNSTATED in (left, right):
        yield Caution(axis, f"{_words(axis)} is unstated for at least one side")


def sparsity(pair: Pair) -> Iterator[Item]:
    """A rate that counts structural zeros is not available to a dense model."""
    if pair.left.metric is not Metric.COMPUTE_THROUGHPUT or pair.left.metric is not pair.right.metric:
        return
    left, right, items, is_open = pair.settle("sparsity")
    if is_open:
        yield pair.open("sparsity", "a sparse rate counts multiplications by zero, so the two "
                        "readings differ by a factor")  # fmt: skip
        return
    yield from items
    for side, value in zip(SIDES, (left, right), strict=True):
        if value is None and (mode := _dense_by_design(pair, side)):
            yield mode
    left, right = left or Sparsity.DENSE, right or Sparsity.DENSE
    if left == right:
        return
    side = SIDES[0] if left == Sparsity.STRUCTURED_2_4 else SIDES[1]
    step = to_dense(pair.side(side), side, pair.corpus)
    if step is None:
        yield pair.differs("sparsity", "a sparse peak is not available to a dense model, and no "
                           "source gives the dense value of this row", left, right)  # fmt: skip
    else:
        yield step


def _dense_by_design(pair: Pair, side: str) -> Caution | None:
    product = pair.left.product if side == "left" else pair.right.product
    if product is None or product.sparse_mode is None or product.sparse_mode.mode != "none":
        return None
    return Caution("sparsity", f"{product.product} has no structured-sparse mode, so its rate is "
                   "read as dense")  # fmt: skip


def engine(pair: Pair) -> Iterator[Item]:
    """Matrix and vector units have different peaks for one format."""
    if pair.left.metric is not Metric.COMPUTE_THROUGHPUT or pair.left.metric is not pair.right.metric:
        return
    left, right = (pair.left.get("engine"), pair.right.get("engine"))
    stated = [value for value in (left, right) if value not in (None, UNSTATED)]
    if len(stated) == 2 and left != right:
        yield pair.differs("engine", "matrix and vector units have different peaks")
    elif UNSTATED in (left, right):
        yield pair.open("engine", "matrix and vector units have different peaks")
    elif len(stated) == 1:
        wide = pair.left.get("precision") in (Precision.FP32, Precision.FP64)
        if wide or stated[0] != "matrix":
            yield pair.open("engine", "matrix and vector units have different peaks for this "
                            "format, and one side does not say which it means")  # fmt: skip
        else:
            yield Caution("engine", "one side does not name the matrix unit")


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


def boundary(pair: Pair) -> Iterator[Item]:
    """Intervals that enclose different things have no ratio."""
    if pair.left.metric is not pair.right.metric:
        left, right = pair.left.get("boundary"), pair.right.get("boundary")
        if Boundary.DISPATCH_ONLY in (left, right):
            yield pair.differs("boundary", "a dispatch-only interval ends before the work is done "
                               "and yields no rate")  # fmt: skip
        return
    left, right = (pair.value(side, "boundary") for side in SIDES)
    bases = {pair.left.get("basis"), pair.right.get("basis")}
    mixed = Basis.MEASURED in bases and bases != {Basis.MEASURED}
    if mixed or (left is None and right is None):
        return
    if None in (left, right) or UNSTATED in (left, right):
        yield pair.open("boundary", "without its boundary a short time may be a dispatch or a "
                        "finished result")  # fmt: skip
    elif left != right:
        yield pair.differs("boundary", "the two intervals enclose different things")
    elif left is Boundary.DISPATCH_ONLY:
        yield Caution("boundary", "both intervals end before the work is done: they say how fast "
                      "calls are enqueued, nothing else")  # fmt: skip


def terms(pair: Pair) -> Iterator[Item]:
    """Prices under different terms are different prices."""
    left, right = pair.left.get("terms"), pair.right.get("terms")
    if pair.left.metric is not Metric.PRICE or pair.right.metric is not Metric.PRICE:
        return
    left, right = left if isinstance(left, dict) else {}, right if isinstance(right, dict) else {}
    for name in ("currency", "term", "region", "date"):
        a, b = left.get(name), right.get(name)
        if a is None or b is None:
            yield pair.open("terms", f"a price needs its {name}")
        elif a != b:
            yield pair.differs("terms", f"the prices differ in {name}", a, b)


def printing(pair: Pair) -> Iterator[Item]:
    """What the way of printing says: limits, approximations, third-party copies."""
    for side in SIDES:
        operand = pair.side(side)
        quantity = operand.quantity
        if quantity.up_to:
            yield Caution("rounding", f"{operand.label} is printed as a limit: {quantity.text}")
        if quantity.approximate:
            yield Caution("rounding", f"{operand.label} is printed as approximate: {quantity.text}")
        source = operand.statement.source if operand.statement else None
        if source and pair.corpus and (entry := pair.corpus.sources.get(source)):
            if entry.value.kind == "third_party_copy":
                yield Caution("source", f"{operand.label} rests on a third-party copy ({source})")
        if operand.product is None and not operand.identity.candidates:
            yield Caution("product_identity", f"'{operand.identity.name}' is not in the catalogue, "
                          "so nothing about it could be checked")  # fmt: skip


def _kinds(pair: Pair, side: str) -> frozenset[str]:
    operand = pair.left if side == "left" else pair.right
    stated = operand.get("includes")
    if isinstance(stated, tuple):
        return frozenset(str(item) for item in stated)
    interface = operand.get("interface")
    return frozenset() if interface is None else frozenset((str(interface),))


def _what(pair: Pair, side: str) -> str:
    operand = pair.left if side == "left" else pair.right
    interface = operand.get("interface")
    return str(interface if interface is not None else operand.metric)


def _words(value: object) -> str:
    return str(value).replace("_", " ")


AXIS_JUDGES: tuple[Judge, ...] = (
    layer, identity, metric, unit, role, includes, basis, precision, sparsity, engine,
    power_state, boundary, terms, printing,
)  # fmt: skip
"""Every axis but scope, aggregation and direction, which depend on each other."""
