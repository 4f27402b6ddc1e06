"""Claims that belong together: one quantity of a product at two scopes or sparsities.

Two claims are of one kind where they agree on every axis. An axis that one leaves out and
the other calls unstated is the same silence. What is stated on one side only differs, but
for the finer axes of arithmetic, which vendors' tables of systems leave out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.corpus import ClaimEntry, Corpus
from kb.kept import kept
from kb.model.claim import AXES
from kb.qualifiers import UNSTATED, Aggregation, Basis, Scope
from kb.quantity import Quantity, QuantityError, decimal_text
from kb.source import Place

FINER = ("engine", "accumulator", "output", "counting", "arithmetic", "power_state", "role")
"""Axes on which silence on one side is no difference between two rows of one vendor."""

_WHOLE = (Aggregation.TOTAL, Aggregation.PER_DEVICE)


def siblings(
    entry: ClaimEntry, product: str, corpus: Corpus, *, apart: tuple[str, ...] = ()
) -> Iterator[tuple[ClaimEntry, Quantity]]:
    """Claims of `product` that are of one kind with `entry` but for the axes `apart`.

    Each comes with its current quantity; claims that can't be read are left out.
    """
    for other in corpus.claims_of(product):
        if other.claim.metric is not entry.claim.metric or other.id == entry.id:
            continue
        if next(_differing(entry, other, apart), None) is None and (quantity := current(other)):
            yield other, quantity


def differing(left: ClaimEntry, right: ClaimEntry, apart: tuple[str, ...] = ()) -> list[str]:
    """The axes on which two claims differ, without those in `apart`."""
    return list(_differing(left, right, apart))


def _differing(left: ClaimEntry, right: ClaimEntry, apart: tuple[str, ...]) -> Iterator[str]:
    one, other = _all_known(left), _all_known(right)
    for axis in AXES:
        a, b = one[axis], other[axis]
        if a != b and axis not in apart and not ((a is None or b is None) and axis in FINER):
            yield axis


@kept  # a claim is set beside every other one
def _all_known(entry: ClaimEntry) -> dict[str, object]:
    """What is known on each axis."""
    return {axis: _known(entry, axis) for axis in AXES}


def current(entry: ClaimEntry) -> Quantity | None:
    """What the claim's current statement prints; None where that is no quantity."""
    try:
        return entry.claim.current.quantity(entry.claim.metric)
    except QuantityError:
        return None  # the unit rules say why


def current_place(entry: ClaimEntry) -> Place:
    """Where the claim's current statement prints its value."""
    claim = entry.claim
    return entry.place.at("statements", claim.statements.index(claim.current), "published")


def in_unit(value: Fraction, like: Quantity) -> str:
    """A value in base units, written in the unit of a printed one."""
    return f"{decimal_text(value / like.unit.factor, 5)} {like.unit.symbol}"


def _known(entry: ClaimEntry, axis: str) -> object:
    value = entry.axes.get(axis)
    if value is None or value == UNSTATED:
        return None
    if isinstance(value, Scope):
        return value.level if value.level == 2 else value
    if isinstance(value, Basis):
        return value.family
    return None if value in _WHOLE else value
