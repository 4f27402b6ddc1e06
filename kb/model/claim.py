"""Claims and statements: one fact slot, and what each source printed for it."""

from typing import Annotated, Literal

from pydantic import Field

from kb.model.base import Day, Line, Record, Slug, Text, Whole
from kb.qualifiers import (
    OTHER_INTERFACE,
    UNSTATED,
    Aggregation,
    Arithmetic,
    Basis,
    Boundary,
    Counting,
    Direction,
    Engine,
    Interface,
    Layer,
    Metric,
    PowerState,
    Precision,
    Role,
    Scope,
    Sparsity,
    Word,
)
from kb.quantity import Quantity, parse_quantity

Unstated = Literal["unstated"]
"""The source leaves the axis open: legal on every axis, and never a default."""

OtherInterface = Annotated[str, Field(pattern=OTHER_INTERFACE)]
"""A memory or link without a word of its own: `other` and the name that its source prints."""


class Qualified(Record):
    """The axes on which a number can be qualified. A field left out does not apply."""

    scope: Scope | Unstated | None = None
    """The part of the product that the number is about."""
    count: Whole | Unstated | None = None
    """How many accelerators make up the scope, where the composition does not say."""
    interface: Interface | Unstated | OtherInterface | None = None
    """The memory or link that the number is about; `other NAME` for one that has no word here."""
    role: Role | Unstated | None = None
    """What the interface is for, where it differs from the usual role."""
    direction: Direction | None = None
    """Which directions of a link are counted."""
    aggregation: Aggregation | None = None
    """Over what the number is added up."""
    sparsity: Sparsity | None = None
    """Whether structural zeros are counted as work."""
    precision: Precision | None = None
    """Number format of the multiplied operands."""
    accumulator: Precision | None = None
    """Number format in which products are added up."""
    output: Precision | None = None
    """Number format of the result."""
    engine: Engine | None = None
    """The unit that does the arithmetic."""
    basis: Basis | None = None
    """Where the number comes from."""
    boundary: Boundary | None = None
    """What a measured interval encloses."""
    layer: Layer | Unstated | None = None
    """The layer of the stack that the number belongs to."""
    arithmetic: Arithmetic | None = None
    """Whether the format runs natively."""
    counting: Counting | None = None
    """How operations are counted."""
    power_state: PowerState | None = None
    """The power limit or clock that the number holds for."""
    includes: Annotated[tuple[Interface, ...], Field(min_length=1)] | None = None
    """The kinds of memory or link that a total adds up."""
    terms: dict[Literal["currency", "term", "region", "date"], Text] | None = None
    """Terms of a price."""


AXES: tuple[str, ...] = tuple(Qualified.model_fields)
"""Names of the axes, in the order in which they are judged and shown."""

AxisName = Literal[
    "scope",
    "interface",
    "role",
    "direction",
    "aggregation",
    "sparsity",
    "precision",
    "accumulator",
    "output",
    "engine",
    "basis",
    "boundary",
    "layer",
    "arithmetic",
    "counting",
    "power_state",
]
"""Axes whose value an assessment may settle or a source may back."""

AXIS_WORDS: dict[str, type[Word]] = {
    "scope": Scope,
    "interface": Interface,
    "role": Role,
    "direction": Direction,
    "aggregation": Aggregation,
    "sparsity": Sparsity,
    "precision": Precision,
    "accumulator": Precision,
    "output": Precision,
    "engine": Engine,
    "basis": Basis,
    "boundary": Boundary,
    "layer": Layer,
    "arithmetic": Arithmetic,
    "counting": Counting,
    "power_state": PowerState,
}
"""The closed set of words on each axis that has one."""


def words_on(axis: str) -> tuple[tuple[str, str], ...]:
    """What may be written on an axis of `AXIS_WORDS`, each with its sentence."""
    found = [(word.value, word.sentence) for word in AXIS_WORDS[axis]]
    if UNSTATED not in dict(found):
        found.append((UNSTATED, "The source does not say."))
    if axis == "interface":
        told = "One that has no word here, by the name that its source prints; it states a role."
        found.append(("other NAME", told))
    return tuple(found)


class Statement(Qualified):
    """What one source printed for a claim, with the qualifiers that this source states."""

    published: Line
    """Number and unit as printed: `1,638 GB/s`."""
    header: Line | None = None
    """The table header that carries the unit, where the cell holds the number alone."""
    source: Slug | None = None
    """Id of the source in `specs/sources.yml`."""
    locator: Line | None = None
    """Where in the source: table, row, page."""
    as_of: Day | None = None
    """The day for which the source speaks; a statement without one never wins by date."""
    status: Literal["current", "concurring", "superseded", "disputed"] = "current"
    """`current` is the statement the claim stands on; a concurring one prints the same value
    elsewhere; superseded and disputed ones print another."""
    note: Text | None = None
    """What a reader must know about this statement."""

    def quantity(self, metric: Metric) -> Quantity:
        """The printed value; raises `QuantityError` where it is none of `metric`."""
        return parse_quantity(self.published, metric)


class Assessment(Record):
    """An explicit, sourced judgement that settles what the vendor leaves unstated."""

    axis: AxisName
    """The axis that is settled."""
    value: Text
    """The word on that axis."""
    reasoning: Text
    """Why this value holds."""
    sources: tuple[Slug, ...] = ()
    """Sources that carry it."""
    evidence: tuple[Slug, ...] = ()
    """Evidence records that carry it."""


class DenseFactor(Record):
    """The vendor's own statement of how a sparse row divides down to the dense value."""

    factor: Whole
    """Sparse rate over dense rate."""
    source: Slug
    """Id of the source that states it."""
    locator: Line
    """Where in the source."""


class Claim(Qualified):
    """One fact slot of a product: a metric, its qualifiers, and the statements about it.

    Qualifiers written on the claim hold for each statement that has none of its own on
    that axis. They are backed by the current statement's source, or by `backed_by`.
    """

    id: Slug
    """Name of the slot inside its product: `chip-hbm-bandwidth`."""
    metric: Metric
    """What is measured."""
    statements: Annotated[tuple[Statement, ...], Field(min_length=1)]
    """Every statement known, the current one among them."""
    assessments: tuple[Assessment, ...] = ()
    """What is settled by judgement instead of a source."""
    backed_by: dict[AxisName, Slug] = {}
    """Source of a qualifier where it is another than the current statement's."""
    dense_factor: DenseFactor | None = None
    """The stated factor between this sparse row and its dense value."""
    precedence: Text | None = None
    """Why the current statement wins over the others."""
    note: Text | None = None
    """What a reader must know about the slot."""

    @property
    def current(self) -> Statement:
        """The statement that the claim stands on (the first one, should none be marked)."""
        for statement in self.statements:
            if statement.status == "current":
                return statement
        return self.statements[0]

    def value_of(self, axis: str, statement: Statement | None = None) -> object:
        """The qualifier on `axis` as `statement` (default: the current one) has it."""
        own = getattr(statement or self.current, axis)
        return own if own is not None else getattr(self, axis)

    def assessment_of(self, axis: str) -> Assessment | None:
        """The assessment that settles `axis`, if there is one."""
        return next((a for a in self.assessments if a.axis == axis), None)

    def backing_of(self, axis: str) -> str | None:
        """Id of the source that states the qualifier on `axis` of the current statement."""
        if getattr(self.current, axis) is None and axis in self.backed_by:
            return self.backed_by[axis]
        return self.current.source
