"""What the way of printing says: limits, approximations, disputes, third-party copies.

And whether loose fields fit what the catalogue prints under that value.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.compare.pair import SIDES, Item, Judge, Pair
from kb.corpus import ClaimEntry, Corpus
from kb.kept import kept
from kb.model.product import Product
from kb.operand import Operand, misfits, needed_axes, operand_of_claim, printings
from kb.qualifiers import UNSTATED, Basis, Scope, words
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


def contradiction(pair: Pair) -> Iterator[Item]:
    """Loose fields that give a figure of the catalogue another meaning than it has there.

    Only where one word stands in the way: a value that differs in two is another figure.
    """
    for side in SIDES:
        operand = pair.side(side)
        if pair.corpus is None or operand.statement is not None or operand.product is None:
            continue
        if operand.get("basis") in (Basis.MEASURED, Basis.DEVICE_REPORTED):
            continue  # an own observation may well have a printed value
        if found := _other_word(operand, operand.product, pair.corpus):
            yield found


def _other_word(operand: Operand, product: Product, corpus: Corpus) -> Caution | None:
    """What the catalogue says instead; None where some printing of the value fits.

    An open axis may be a second word in the way: 989 TFLOPS are an H100's TF32 with sparsity
    and its BF16 without.
    """
    if any(operand.get(axis) in (None, UNSTATED) for axis in _needs(operand)):
        return None
    doubts = []
    for entry, statement in printings(operand.quantity, operand.metric, product, corpus):
        other = misfits(entry, statement, operand.axes) or _assessed(entry, operand)
        if not other or (set(other) == {"scope"} and _as_many(entry, operand)):
            return None
        if len(other) == 1 and statement.status != "disputed":
            axis, known = next(iter(other.items()))
            named = f"{known} accelerators" if axis == "count" else words(known)
            stated = words(operand.word(axis))
            doubts.append(f"{named} ({entry.id}), and not as {stated}")
    if not doubts:
        return None
    text = f"the catalogue has {operand.quantity.text} of {product.name} as {doubts[0]}"
    return Caution("conflict", text)


def _needs(operand: Operand) -> set[str]:
    """The axes without which the figure has no meaning."""
    return needed_axes(operand.metric, operand.axes, operand.product)


def _as_many(entry: ClaimEntry, operand: Operand) -> bool:
    """Whether two scopes hold as many accelerators: a machine of one chip, and the chip."""
    held = {_held(operand), _held(operand_of_claim(entry))}
    return len(held) == 1 and None not in held


def _held(operand: Operand) -> int | None:
    """The accelerators of a figure; the only core of one is all of it."""
    if operand.get("scope") is Scope.CORE:
        return 1 if operand.cores_per_accelerator == 1 else None
    return operand.accelerators


def _assessed(entry: ClaimEntry, operand: Operand) -> dict[str, object]:
    """The axes that a source leaves open and an assessment settles otherwise."""
    return {
        assessment.axis: assessment.value
        for assessment in entry.claim.assessments
        if entry.claim.value_of(assessment.axis) == UNSTATED
        and operand.get(assessment.axis) not in (None, UNSTATED, assessment.value)
    }


PRINTING_JUDGES: tuple[Judge, ...] = (printing, contradiction)
"""They caution and never refuse."""
