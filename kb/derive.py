"""Licensed steps: how one side may be brought to where the other one stands.

Each function returns a step with its licence, or None where nothing licenses it. A factor
is never a habit: it comes from a definition, a composition, or a vendor's statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction

from kb.corpus import ClaimEntry, Corpus
from kb.model.product import DirectionSum, Links
from kb.operand import Operand
from kb.qualifiers import Aggregation, Basis, Direction, Metric, Role, Scope, Sparsity
from kb.quantity import Quantity, QuantityError
from kb.verdict import Side, Step, StepKind

ADDITIVE = frozenset(
    {
        Metric.MEMORY_CAPACITY,
        Metric.MEMORY_BANDWIDTH,
        Metric.LINK_BANDWIDTH,
        Metric.COMPUTE_THROUGHPUT,
    }
)
"""Metrics whose system figure is the sum of the accelerators' figures."""

ADDITIVE_AGGREGATIONS = (None, Aggregation.TOTAL, Aggregation.PER_DEVICE, Aggregation.UNSTATED)


def is_additive(operand: Operand) -> bool:
    """Whether a system figure may be divided by its accelerators.

    Never bisection, all-reduce or switch figures, latency, power, a total over several
    kinds of part, a measured rate of many together, or the memory of a host.
    """
    includes = operand.get("includes")
    several = isinstance(includes, tuple) and len(includes) > 1
    together = operand.get("basis") is Basis.MEASURED and operand.metric in (
        Metric.COMPUTE_THROUGHPUT,
        Metric.LINK_BANDWIDTH,
    )
    return (
        operand.metric in ADDITIVE
        and not several
        and not together
        and operand.get("role") is not Role.HOST_MEMORY
        and operand.get("aggregation") in ADDITIVE_AGGREGATIONS
    )


def convert_unit(left: Operand, right: Operand) -> Step | None:
    """The exact conversion between two units, where it is more than spelling.

    Decimal prefixes are free. A binary prefix, or bits against bytes, is a shown step.
    """
    a, b = left.quantity.unit, right.quantity.unit
    if a.name == b.name or a.dimension != b.dimension:
        return None
    binary = "binary" in (a.prefix, b.prefix)
    if not binary and a.counts_bits == b.counts_bits:
        return None
    side: Side = "left" if a.prefix == "binary" or a.counts_bits else "right"
    source, target = (a, b) if side == "left" else (b, a)
    ratio = source.factor / target.factor
    return Step(
        StepKind.CONVERT_UNIT,
        side,
        f"{source.symbol} to {target.symbol}: multiply by {_exact(ratio)}",
        "exact by definition (1 byte = 8 bits, 1 GiB = 2^30 bytes, 1 GB = 10^9 bytes)",
    )


def to_device(operand: Operand, side: Side) -> Step | None:
    """From a group of accelerators, or from a core, to one accelerator."""
    scope = operand.get("scope")
    if not isinstance(scope, Scope) or not is_additive(operand):
        return None
    word = operand.product.accelerator if operand.product else None
    if scope is Scope.CORE:
        cores = operand.cores_per_accelerator
        if cores is None:
            return None
        return Step(
            StepKind.MULTIPLY_BY_COUNT,
            side,
            f"multiply by {cores} cores per {word or 'accelerator'}",
            _composition_licence(operand, word or Scope.CHIP),
            Fraction(cores),
        )
    count = operand.accelerators
    if scope.level != 3 or count is None:
        return None
    licence = _composition_licence(operand, scope)
    known = operand.product.count_in(scope, Scope.CHIP) if operand.product else None
    if operand.get("count") is not None and known != count:
        licence = f"the record states {count} accelerators per {scope}"
    return Step(
        StepKind.DIVIDE_BY_COUNT,
        side,
        f"divide by {count} {word or 'accelerator'}s per {scope}",
        licence,
        Fraction(1, count),
    )


def link_to_device(operand: Operand, side: Side) -> Step | None:
    """From one link or port to all of one accelerator, by the stated number of links."""
    links = _links(operand)
    if links is None:
        return None
    return Step(
        StepKind.LINK_TO_DEVICE,
        side,
        f"multiply by {links.count} {links.unit}s",
        f"{_cited(links.source, links.locator)} states {links.count} {links.unit}s per accelerator",
        Fraction(links.count),
    )


def to_one_way(operand: Operand, side: Side) -> Step | None:
    """Half of a figure that is stated to add two equal directions.

    The statement is about the vendor's own figures: measured directions need not be equal.
    """
    licence = None if operand.get("basis") is Basis.MEASURED else _direction_sum(operand)
    if licence is None or operand.get("direction") is not Direction.BIDIRECTIONAL_SUM:
        return None
    return Step(
        StepKind.BOTH_DIRECTIONS_TO_ONE,
        side,
        "divide by 2: both directions to one",
        f"{_cited(licence.source, licence.locator)}: {licence.reasoning}",
        Fraction(1, 2),
    )


def to_dense(operand: Operand, side: Side, corpus: Corpus | None) -> Step | None:
    """From a sparse rate to the dense one: the printed row, else the stated factor."""
    if operand.get("sparsity") is not Sparsity.STRUCTURED_2_4:
        return None
    twin = _dense_twin(operand, corpus)
    if twin is not None:
        quantity = twin.claim.current.quantity(operand.metric)
        return Step(
            StepKind.SPARSE_TO_DENSE,
            side,
            f"take the printed dense value {quantity.text}",
            f"{twin.id}, {_cited(twin.claim.current.source, twin.claim.current.locator)}",
            replaces=quantity,
            source=twin.claim.current.source or "",
        )
    stated = next((e.claim.dense_factor for e in operand.claims if e.claim.dense_factor), None)
    if stated is None:
        return None
    return Step(
        StepKind.SPARSE_TO_DENSE,
        side,
        f"divide by {stated.factor}: sparse to dense",
        f"{_cited(stated.source, stated.locator)} states the factor for this row",
        Fraction(1, stated.factor),
        source=stated.source,
    )


def _dense_twin(operand: Operand, corpus: Corpus | None) -> ClaimEntry | None:
    """The catalogue's dense claim that differs from the operand in sparsity alone.

    Only for a figure that the catalogue prints as sparse: the dense row says nothing about
    a measured rate, or about a figure that belongs to another product.
    """
    if corpus is None:
        return None
    printed = (
        entry.claim.value_of("sparsity", statement)
        for entry in operand.claims
        for statement in entry.claim.statements
    )
    if Sparsity.STRUCTURED_2_4 not in printed:
        return None
    return next((entry for entry, _ in _rows(operand, corpus, Sparsity.DENSE)), None)


def dense_row(operand: Operand, corpus: Corpus | None) -> Quantity | None:
    """What the catalogue prints as the dense rate of the operand's product and format."""
    rows = () if corpus is None else _rows(operand, corpus, Sparsity.DENSE)
    return next((quantity for _, quantity in rows), None)


def _rows(
    operand: Operand, corpus: Corpus, sparsity: Sparsity
) -> Iterator[tuple[ClaimEntry, Quantity]]:
    """The vendor's rows of the operand's product that differ from it in sparsity at most."""
    if operand.product is None or _family(operand.get("basis")) != "vendor":
        return
    for entry in corpus.claims_of(operand.product.product):
        claim = entry.claim
        if claim.metric is not operand.metric or claim.value_of("sparsity") != sparsity:
            continue
        if _family(claim.value_of("basis")) != "vendor" or any(
            _differs(claim.value_of(axis), operand.get(axis))
            for axis in ("precision", "accumulator", "engine")
        ):
            continue
        scope, own = claim.value_of("scope"), operand.get("scope")
        if not (isinstance(scope, Scope) and isinstance(own, Scope)):
            continue
        if scope is not own and not scope.level == own.level == 2:
            continue
        try:
            yield entry, claim.current.quantity(claim.metric)
        except QuantityError:
            continue


def _family(basis: object) -> str:
    """The family of a basis; a missing one is read as the vendor's."""
    return basis.family if isinstance(basis, Basis) else "vendor"


def _differs(a: object, b: object) -> bool:
    return a is not None and b is not None and a != b


def _links(operand: Operand) -> Links | None:
    if operand.product is None:
        return None
    wanted = operand.get("interface")
    return next((links for links in operand.product.links if links.interface == wanted), None)


def _direction_sum(operand: Operand) -> DirectionSum | None:
    if operand.product is None:
        return None
    wanted = operand.get("interface")
    return next((s for s in operand.product.direction_sums if s.interface == wanted), None)


def _composition_licence(operand: Operand, scope: Scope) -> str:
    if operand.product is None:
        return "composition stated in the record"
    part = operand.product.composition.get(scope)
    text = f"composition of {operand.product.product}"
    return f"{text}, {_cited(part.source, part.locator)}" if part and part.source else text


def _cited(source: str | None, locator: str | None) -> str:
    return f"{source or 'no source'} ({locator})" if locator else source or "no source"


def _exact(value: Fraction) -> str:
    """Every digit: factors between units are powers of two and ten, so their decimals end."""
    exact = Context(prec=60).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{exact.normalize():f}"
