"""What the way of printing says: limits, approximations, disputes, third-party copies."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.compare.pair import SIDES, Item, Judge, Pair
from kb.kept import kept
from kb.operand import Operand
from kb.quantity import QuantityError
from kb.verdict import Caution


def printing(pair: Pair) -> Iterator[Item]:
    """What the way of printing says: limits, approximations, third-party copies."""
    for side in SIDES:
        operand = pair.side(side)
        before, after = _of_side(operand)
        yield from before
        if operand.statement is not None and pair.is_copy(operand.statement.source):
            yield Caution("source", f"{operand.label} rests on a third-party copy")
        yield from after


@kept
def _of_side(operand: Operand) -> tuple[tuple[Caution, ...], tuple[Caution, ...]]:
    """What is said of one side, whatever it is set beside: before and after its source."""
    return tuple(_of_quantity(operand)), tuple(_of_product(operand))


def _of_quantity(operand: Operand) -> Iterator[Caution]:
    quantity = operand.quantity
    if quantity.up_to:
        yield Caution("rounding", f"{operand.label} is printed as a limit: {quantity.text}")
    if quantity.approximate:
        yield Caution("rounding", f"{operand.label} is printed as approximate: {quantity.text}")
    if others := _disputed(operand):
        yield Caution(
            "conflict", f"sources disagree about {operand.label}: {', '.join(others)} too"
        )


def _of_product(operand: Operand) -> Iterator[Caution]:
    for entry in operand.claims:
        if entry.override:
            yield Caution("source", f"{entry.id} departs from the catalogue: {entry.override}")
    if operand.product is None and not operand.identity.candidates:
        yield Caution(
            "product_identity",
            f"'{operand.identity.name}' is not in the catalogue, "
            "so nothing about it could be checked",
        )


def _disputed(operand: Operand) -> tuple[str, ...]:
    """What disputed statements print for the claim, where it differs beyond rounding."""
    if operand.statement is None or len(operand.claims) != 1:
        return ()
    claim = operand.claims[0].claim
    found: dict[Fraction, str] = {}
    for statement in claim.statements:
        if statement.status != "disputed" or statement is operand.statement:
            continue
        try:
            other = statement.quantity(claim.metric)
        except QuantityError:
            continue
        same_unit = other.unit.dimension == operand.quantity.unit.dimension
        if not same_unit or not other.interval.overlaps(operand.quantity.interval):
            found.setdefault(other.base, statement.published)
    return tuple(found.values())


PRINTING_JUDGES: tuple[Judge, ...] = (printing,)
"""They caution and never refuse."""
