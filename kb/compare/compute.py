"""What a compute rate needs besides: number format, sparsity and the unit that computes."""

from __future__ import annotations

from collections.abc import Iterator

from kb.compare.pair import SIDES, Item, Judge, Pair
from kb.derive import to_dense
from kb.qualifiers import UNSTATED, WIDE, Metric, Sparsity, words
from kb.verdict import Caution, Side

WANTED = ("accumulator", "output", "arithmetic", "counting")
"""Axes that a rate should state; one that is left open is a caution."""


def _both_compute(pair: Pair) -> bool:
    return pair.left.metric is pair.right.metric is Metric.COMPUTE_THROUGHPUT


def precision(pair: Pair) -> Iterator[Item]:
    """Number formats are not interchangeable."""
    if not _both_compute(pair):
        return
    left, right, items, is_open = pair.settle("precision")
    if is_open:
        yield from items
        yield pair.open("precision", "rates of different number formats differ by factors")
        return
    yield from items
    if left != right:
        yield pair.differs(
            "precision", "the rate of one number format says nothing about another", left, right
        )
    for axis in WANTED:
        yield from _wanted(pair, axis)


def _wanted(pair: Pair, axis: str) -> Iterator[Item]:
    left, right = pair.left.get(axis), pair.right.get(axis)
    definite = left not in (None, UNSTATED) and right not in (None, UNSTATED)
    if definite and left != right:
        yield pair.differs(axis, f"the two rates differ in {words(axis)}")
    elif left != right or left == UNSTATED:
        # Named on one side only is as open as unstated: half of a pair settles nothing.
        yield Caution(axis, f"{words(axis)} is unstated for at least one side")


def sparsity(pair: Pair) -> Iterator[Item]:
    """A rate that counts structural zeros is not available to a dense model."""
    if not _both_compute(pair):
        return
    left, right, items, is_open = pair.settle("sparsity")
    if is_open:
        yield from items
        yield pair.open(
            "sparsity",
            "a sparse rate counts multiplications by zero, so the two readings differ by a factor",
        )
        return
    yield from items
    for side in SIDES:
        if pair.value(side, "sparsity") is None and (mode := _dense_by_design(pair, side)):
            yield mode
    left, right = left or Sparsity.DENSE, right or Sparsity.DENSE
    if left == right:
        return
    side = SIDES[0] if left == Sparsity.STRUCTURED_2_4 else SIDES[1]
    step = to_dense(pair.side(side), side, pair.corpus)
    if step is None:
        yield pair.unlicensed(
            side,
            "sparsity",
            "a sparse peak is not available to a dense model, and nothing licenses a step from "
            "this row to a dense one",
            left,
            right,
        )
    else:
        yield step
        if pair.is_copy(step.source):
            yield Caution("source", f"the step to dense rests on a third-party copy: {step.source}")


def _dense_by_design(pair: Pair, side: Side) -> Caution | None:
    product = pair.side(side).product
    if product is None or not product.is_dense_only:
        return None
    return Caution(
        "sparsity", f"{product.product} has no structured-sparse mode, so its rate is read as dense"
    )


def engine(pair: Pair) -> Iterator[Item]:
    """Matrix and vector units have different peaks for one format."""
    if not _both_compute(pair):
        return
    left, right = (pair.left.get("engine"), pair.right.get("engine"))
    stated = [value for value in (left, right) if value not in (None, UNSTATED)]
    if len(stated) == 2 and left != right:
        yield pair.differs("engine", "matrix and vector units have different peaks")
    elif UNSTATED in (left, right):
        yield pair.open("engine", "matrix and vector units have different peaks")
    elif len(stated) == 1:
        if _wide(pair) or stated[0] != "matrix":
            yield pair.open(
                "engine",
                "matrix and vector units have different peaks for this "
                "format, and one side does not say which it means",
            )
        else:
            yield Caution("engine", "one side does not name the matrix unit")
    elif _wide(pair):
        yield Caution(
            "engine", "neither side says whether the matrix or the vector unit has this rate"
        )


def _wide(pair: Pair) -> bool:
    return any(pair.side(side).get("precision") in WIDE for side in SIDES)


COMPUTE_JUDGES: tuple[Judge, ...] = (precision, sparsity, engine)
"""Judged for two compute rates only."""
