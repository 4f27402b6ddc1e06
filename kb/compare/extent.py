"""How far a figure reaches: links, directions, and the part of the product it is about.

These three depend on each other: links make up a device, devices make up a board, and a
direction can be halved on any of them. Each yields reasons, cautions and licensed steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from kb.compare.pair import SIDES, Item, Pair
from kb.derive import convert_unit, is_additive, link_to_device, to_device, to_one_way
from kb.operand import Operand
from kb.qualifiers import UNSTATED, Aggregation, Direction, Metric, Scope
from kb.verdict import Caution, Reason, Side, Step

HOW_MANY = "how many accelerators it is about"
LINK_LIKE = (Aggregation.PER_LINK, Aggregation.PER_PORT)


def conversion(pair: Pair) -> Iterator[Item]:
    """A binary prefix, or bits against bytes, is a shown step."""
    if pair.left.metric is pair.right.metric and (step := convert_unit(pair.left, pair.right)):
        yield step


def aggregation(pair: Pair) -> Iterator[Item]:
    """One link, one peer, a whole device and a cut are different figures."""
    if pair.left.metric is not pair.right.metric:
        return
    left, right, items, is_open = pair.settle("aggregation")
    if is_open:
        yield from items
        yield pair.open(
            "aggregation", "one link, one device and a whole system differ by the number of links"
        )
        return
    yield from items
    left, right = normal_aggregation(left, pair.left), normal_aggregation(right, pair.right)
    if left == right:
        return
    why = "they answer different questions about the links, and neither follows from the other"
    for side, own, other in zip(SIDES, (left, right), (right, left), strict=True):
        if own in LINK_LIKE and other in (Aggregation.TOTAL, Aggregation.PER_DEVICE):
            step = link_to_device(pair.side(side), side)
            yield step or pair.unlicensed(side, "aggregation", why, left, right)
            return
    yield pair.differs("aggregation", why, left, right)


def normal_aggregation(value: object, operand: Operand) -> object:
    """`total` is the default, and of one device it is the same as `per_device`."""
    scope = operand.get("scope")
    on_device = isinstance(scope, Scope) and scope.level >= 2
    if value is None or (value is Aggregation.PER_DEVICE and on_device):
        return Aggregation.TOTAL
    return value


def reach(operand: Operand) -> Scope | None:
    """The part that a figure is about: what is per device is one accelerator's anywhere."""
    scope = operand.get("scope")
    if not isinstance(scope, Scope):
        return None
    per_device = operand.get("aggregation") is Aggregation.PER_DEVICE
    return Scope.CHIP if per_device and scope.level == 3 else scope


def devices(operand: Operand) -> int | None:
    """How many accelerators a figure is about."""
    return 1 if reach(operand) is Scope.CHIP else operand.accelerators


def direction(pair: Pair) -> Iterator[Item]:
    """One direction, or both added up: a factor of two."""
    if pair.left.metric is not Metric.LINK_BANDWIDTH or pair.right.metric is not pair.left.metric:
        return
    left, right, items, is_open = pair.settle("direction")
    if is_open:
        yield from items
        yield pair.open("direction", "one direction and the sum of both differ by a factor of two")
        return
    yield from items
    if left == right:
        return
    side = SIDES[0] if left == Direction.BIDIRECTIONAL_SUM else SIDES[1]
    step = to_one_way(_assumed(pair, side), side)
    if step is None:
        yield pair.unlicensed(
            side,
            "direction",
            "no source states that the figure adds two equal directions, so it can't be halved",
            left,
            right,
        )
    else:
        yield step


def _assumed(pair: Pair, side: Side) -> Operand:
    """The operand with its direction as an assessment settles it."""
    operand = pair.side(side)
    axes = {**operand.axes, "direction": Direction.of(str(pair.assessed(side, "direction")[0]))}
    return Operand(operand.label, operand.identity, operand.metric, operand.quantity, axes)


def scope(pair: Pair) -> Iterator[Item]:
    """One accelerator, a part of one, and a system of many."""
    if pair.left.metric is not pair.right.metric:
        return
    left, right = reach(pair.left), reach(pair.right)
    if _missing(pair) or (left is None) is not (right is None):
        yield pair.open("scope", "a chip, a board and a pod differ by the number of accelerators")
        return
    if left is None or right is None:
        return
    if (left is Scope.DIE) is not (right is Scope.DIE):
        # However many: a count of dies makes no accelerator.
        yield pair.differs("scope", _why(pair), _shown(pair.left), _shown(pair.right))
        return
    miscounts = tuple(_miscounts(pair))
    if miscounts:
        yield from miscounts
        return
    yield from _dies(pair)
    if _unknown_sizes(pair, left, right):
        unsized = [side for side in SIDES if devices(pair.side(side)) is None]
        why = f"how many accelerators each {left} holds is not said"
        yield pair.open("scope", why, *unsized, settles=HOW_MANY)
        return
    if _agree(pair, left, right):
        if left is not right and 3 in (left.level, right.level):
            yield Caution(
                "scope",
                f"a {left} against a {right}, each with {pair.left.accelerators} accelerators",
            )
        return
    if left is right and _system_figure(pair):
        yield Caution(
            "scope", f"each figure is that of its whole {left}; the two differ in size or shape"
        )
        return
    if stuck := _undivided(pair, left, right):
        yield _apart(pair, stuck[0])
    else:
        yield from _to_devices(pair, left, right)


def _missing(pair: Pair) -> bool:
    return any(pair.value(side, "scope") == UNSTATED for side in SIDES)


def _agree(pair: Pair, left: Scope, right: Scope) -> bool:
    if left.level == right.level < 3:
        return True
    counts = devices(pair.left), devices(pair.right)
    if left is right and counts[0] == counts[1]:
        return True
    # Links and ports of as many accelerators: nothing has to be divided.
    links = pair.left.metric is Metric.LINK_BANDWIDTH
    additive = links or (is_additive(pair.left) and is_additive(pair.right))
    return additive and None not in counts and counts[0] == counts[1]


def _unknown_sizes(pair: Pair, left: Scope, right: Scope) -> bool:
    """Whether two sums over systems of one kind may be sums over unlike numbers.

    Two boards, racks or pods of one product are alike; its hosts and slices need not be.
    """
    fixed = pair.same_product and left in (Scope.BOARD, Scope.RACK, Scope.POD)
    counts = devices(pair.left), devices(pair.right)
    return (
        left is right
        and left.level == 3
        and None in counts
        and not (fixed and counts == (None, None))
        and is_additive(pair.left)
        and is_additive(pair.right)
    )


def _miscounts(pair: Pair) -> Iterator[Item]:
    """A stated count that can't be that of the scope."""
    for side in SIDES:
        if (found := miscount(pair.side(side))) is None:
            continue
        state, why = found
        if state == "differs":
            yield pair.differs("scope", why)
        else:
            yield pair.open("scope", why, side, settles=HOW_MANY)


def miscount(operand: Operand) -> tuple[Literal["differs", "open"], str] | None:
    """What is wrong with the stated count: it counts dies, or it is of another size."""
    if not operand.miscounted:
        return None
    scope, count = operand.get("scope"), operand.get("count")
    dies, product = _dies_per_accelerator(operand), operand.product
    whole = product.count_in(scope, Scope.GPU) if product and isinstance(scope, Scope) else None
    if dies and whole and count == whole * dies:
        why = f"{count} of {operand.label} are dies: {whole} accelerators of {dies} each"
        return "differs", why
    return "open", operand.miscounted


def _system_figure(pair: Pair) -> bool:
    """Bisection and the like belong to a whole system, whatever its size."""
    whole = (Aggregation.BISECTION, Aggregation.ALL_REDUCE_PAYLOAD, Aggregation.SWITCH)
    of_system = any(pair.side(side).get("aggregation") in whole for side in SIDES)
    return of_system or pair.left.metric is Metric.COUNT


def _undivided(pair: Pair, left: Scope, right: Scope) -> list[Side]:
    """The sides that no licence brings to one accelerator, those of a known product first.

    What is no sum stays undivided whatever the product is, so it is definite.
    """
    stuck: list[Side] = [
        side
        for side, own in zip(SIDES, (left, right), strict=True)
        if own.level != 2 and to_device(pair.side(side), side) is None
    ]
    return sorted(stuck, key=lambda side: bool(pair.side(side).identity.candidates))


def _apart(pair: Pair, stuck: Side) -> Reason:
    """The reason that two scopes stay apart: `stuck` can't be divided."""
    shown = _shown(pair.left), _shown(pair.right)
    if all(is_additive(pair.side(side)) for side in SIDES):
        return pair.unlicensed(stuck, "scope", _why(pair), *shown)
    return pair.differs("scope", _why(pair), *shown)


def _to_devices(pair: Pair, left: Scope, right: Scope) -> Iterator[Step]:
    """The steps that bring both sides to one accelerator."""
    for side, own in zip(SIDES, (left, right), strict=True):
        if own.level != 2 and (step := to_device(pair.side(side), side)):
            yield step


def _dies(pair: Pair) -> Iterator[Item]:
    """A count of accelerators that is really a count of dies."""
    if pair.left.metric is not Metric.COUNT:
        return
    for side in SIDES:
        operand = pair.side(side)
        if counted := dies_counted(operand):
            count, dies = counted
            yield pair.differs(
                "product_identity",
                f"{operand.quantity.text} of {operand.label} "
                f"counts dies: {count} accelerators of {dies} dies each",
                pair.left.quantity.text,
                pair.right.quantity.text,
            )


def dies_counted(operand: Operand) -> tuple[int, int] | None:
    """The accelerators and the dies of each, where a count of accelerators counts dies."""
    own, dies = operand.get("scope"), _dies_per_accelerator(operand)
    if operand.quantity.unit.name != "accelerator" or dies is None or operand.product is None:
        return None
    count = operand.product.count_in(own, Scope.GPU) if isinstance(own, Scope) else None
    if count and count != operand.quantity.number == count * dies:
        return count, dies
    return None


def _dies_per_accelerator(operand: Operand) -> int | None:
    if operand.product is None:
        return None
    parts = (operand.product.composition.get(s) for s in (Scope.GPU, Scope.CHIP))
    return next((part.count for part in parts if part and part.of is Scope.DIE), None)


def _why(pair: Pair) -> str:
    if Scope.DIE in (pair.left.get("scope"), pair.right.get("scope")):
        return "a die is no accelerator, and its share is not stated"
    if not (is_additive(pair.left) and is_additive(pair.right)):
        return (
            "the figure of a system is not the sum of its accelerators' figures here, so "
            "dividing it gives nothing"
        )
    return "no composition says how many accelerators the system holds"


def _shown(operand: Operand) -> str:
    count = operand.accelerators
    scope = operand.word("scope")
    return f"{scope} of {count}" if count and count > 1 else scope


EXTENT_JUDGES = (conversion, aggregation, direction, scope)
"""Judged in this order, so that steps read from the unit outwards."""
