"""One side of a comparison: a printed number with every qualifier that holds for it.

A side is made from a claim of the catalogue, or from loose fields (a line of JSON, a
sentence). What loose fields leave out is filled from the catalogue where the product is
known and its claims that print this value all agree; nothing else is ever filled in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from kb.corpus import ClaimEntry, Corpus, Identity, ResultEntry
from kb.kept import kept
from kb.model.base import Text
from kb.model.claim import AXES, Assessment, Qualified, Statement
from kb.model.product import Product
from kb.qualifiers import (
    ROLE_OF_INTERFACE,
    UNSTATED,
    Basis,
    Interface,
    Layer,
    Metric,
    Precision,
    Scope,
)
from kb.quantity import Quantity, QuantityError, parse_quantity

HARDWARE = frozenset(
    {
        Metric.MEMORY_CAPACITY,
        Metric.MEMORY_BANDWIDTH,
        Metric.LINK_BANDWIDTH,
        Metric.COMPUTE_THROUGHPUT,
        Metric.POWER,
        Metric.FREQUENCY,
        Metric.COUNT,
    }
)
"""Metrics of a piece of hardware."""

SCOPED = HARDWARE | {Metric.RATE, Metric.ENERGY, Metric.PRICE}
"""Metrics that grow with the hardware they are about, so they need a scope."""

TIMED = frozenset(
    {
        Metric.LATENCY,
        Metric.RATE,
        Metric.COMPUTE_THROUGHPUT,
        Metric.MEMORY_BANDWIDTH,
        Metric.LINK_BANDWIDTH,
        Metric.ENERGY,
    }
)
"""Metrics that come out of a timed interval where they are measured."""

UNIFORM = frozenset({Metric.COUNT, Metric.FREQUENCY})
"""Metrics that mean the same whoever states them: a device counts no other units."""

FILLED = (
    "scope",
    "interface",
    "direction",
    "aggregation",
    "precision",
    "engine",
    "basis",
    "includes",
    "count",
    "sparsity",
)
"""Axes that the catalogue may fill where loose fields leave them out. Sparsity comes last,
since whether it is needed depends on the others."""


class Given(Qualified):
    """Loose fields of one side, as `kb compare --stdin` reads them."""

    product: Text
    """A product, by id, name or alias; or a framework."""
    metric: Metric
    """What is measured."""
    published: Text
    """Number and unit as printed."""


@dataclass(frozen=True)
class Operand:
    """One side of a comparison."""

    label: str
    """What messages call it: a claim id or a product's name."""
    identity: Identity
    metric: Metric
    quantity: Quantity
    axes: Mapping[str, object]
    """The qualifiers that hold; an axis that does not apply is absent."""
    assessments: Mapping[str, Assessment] = field(default_factory=dict)
    """Sourced judgements about axes that are unstated."""
    claims: tuple[ClaimEntry, ...] = ()
    """The claims of the catalogue that this number is a value of."""
    statement: Statement | None = None
    published: ResultEntry | None = None
    """The benchmark result that this number is, where it is one."""

    @property
    def product(self) -> Product | None:
        """The product, where the name means exactly one."""
        return self.identity.product

    def get(self, axis: str) -> object:
        """The qualifier on `axis`, or None where it does not apply."""
        return self.axes.get(axis)

    def word(self, axis: str) -> str:
        """The qualifier on `axis` as text for a message."""
        value = self.axes.get(axis)
        if isinstance(value, tuple):
            return " + ".join(str(item) for item in value)
        return UNSTATED if value is None else str(value)

    def is_open(self, axis: str) -> bool:
        """Whether the source is known to leave the axis open."""
        return self.axes.get(axis) == UNSTATED

    @property
    def layer(self) -> Layer | None:
        """The layer of the stack: stated, else the product's."""
        stated = self.axes.get("layer")
        if isinstance(stated, Layer):
            return stated
        if stated == UNSTATED:
            return None
        return self.product.layer if self.product else None

    @property
    def accelerators(self) -> int | None:
        """How many accelerators the scope holds; None where that is not known.

        A die is none and neither is a core: see `cores_per_accelerator`.
        """
        scope, count = self.axes.get("scope"), self.axes.get("count")
        if not isinstance(scope, Scope):
            return None
        if scope.level < 3:
            return 1 if scope.level == 2 else None
        if isinstance(count, int):
            return count
        if count == UNSTATED:
            return None
        return self._composed(scope, Scope.CHIP)

    @property
    def cores_per_accelerator(self) -> int | None:
        """How many cores one accelerator has, from the product's composition."""
        if self.product is None:
            return None
        for scope in (Scope.CHIP, Scope.GPU):
            if scope in self.product.composition:
                return self.product.count_in(scope, Scope.CORE)
        return None

    @property
    def miscounted(self) -> str:
        """Why the stated count can't be that of the stated scope; empty where it can."""
        scope, count = self.axes.get("scope"), self.axes.get("count")
        if not isinstance(scope, Scope) or not isinstance(count, int):
            return ""
        if scope.level < 3:
            return "" if count == 1 else f"a {scope} is one and not {count}"
        whole = self._composed(Scope.POD if scope is Scope.SLICE else scope, Scope.CHIP)
        may_be_smaller = scope in (Scope.HOST, Scope.SLICE)
        if whole is None or count == whole or (may_be_smaller and count < whole):
            return ""
        return f"a {scope} of {self.label} has {whole} accelerators and not {count}"

    def _composed(self, scope: Scope, part: Scope) -> int | None:
        return self.product.count_in(scope, part) if self.product else None


def operand_of_claim(entry: ClaimEntry, statement: Statement | None = None) -> Operand:
    """The side that a claim makes with its current (or the given) statement.

    Raises `QuantityError` where the printed value can't be read.
    """
    if statement is not None and statement is not entry.claim.current:
        return _operand(entry, statement, _axes(entry, statement))
    return _of_current(entry)


@kept  # every rule asks for it again
def _of_current(entry: ClaimEntry) -> Operand:
    return _operand(entry, entry.claim.current, entry.axes)


def _operand(entry: ClaimEntry, chosen: Statement, axes: Mapping[str, object]) -> Operand:
    return Operand(
        label=entry.id,
        identity=Identity(entry.product.name, entry.product),
        metric=entry.claim.metric,
        quantity=chosen.quantity(entry.claim.metric),
        axes=_complete(dict(axes)),
        assessments={a.axis: a for a in entry.claim.assessments},
        claims=(entry,),
        statement=chosen,
    )


def operand_of_fields(given: Given, corpus: Corpus) -> Operand:
    """The side that loose fields make, filled from the catalogue where it is of one mind.

    Raises `QuantityError` where the printed value can't be read.
    """
    quantity = parse_quantity(given.published, given.metric)
    identity = corpus.identify(given.product)
    stated = {axis: value for axis in AXES if (value := getattr(given, axis)) is not None}
    matches = _matches(quantity, given.metric, stated, identity, corpus)
    axes, assessments = dict(stated), {}
    for axis in FILLED:
        if axis in stated or not matches or (axis == "basis" and given.metric in UNIFORM):
            continue
        known = [entry.claim.value_of(axis, statement) for entry, statement in matches]
        if any(value != known[0] for value in known) or known[0] is None:
            if axis == "aggregation" and len(_sums(known)) > 1:
                axes[axis] = UNSTATED  # the catalogue has it both ways, so it isn't the usual total
            continue
        is_open = known[0] == UNSTATED
        if axis == "sparsity" and is_open and not needs_sparsity(axes, identity.product):
            continue  # a missing word reads as dense where there is no sparse mode
        axes[axis] = known[0]
        settled = [entry.claim.assessment_of(axis) for entry, _ in matches]
        if is_open and settled[0] is not None and all(a == settled[0] for a in settled):
            assessments[axis] = settled[0]
    entries = tuple({entry.id: entry for entry, _ in matches}.values())
    return Operand(
        given.product, identity, given.metric, quantity, _complete(axes), assessments, entries
    )


def _matches(
    quantity: Quantity,
    metric: Metric,
    stated: Mapping[str, object],
    identity: Identity,
    corpus: Corpus,
) -> list[tuple[ClaimEntry, Statement]]:
    """Statements of the product that print this value and fit the stated qualifiers."""
    if identity.product is None:
        return []
    return [
        (entry, statement)
        for entry, statement in printings(quantity, metric, identity.product, corpus)
        # What is doubted must not speak for what a record leaves out.
        if statement.status != "disputed" and _fits(entry, statement, stated)
    ]


def printings(
    quantity: Quantity, metric: Metric, product: Product, corpus: Corpus
) -> Iterator[tuple[ClaimEntry, Statement]]:
    """Where the catalogue prints this value of the product, whatever the qualifiers."""
    for entry in corpus.claims_of(product.product):
        if entry.claim.metric is not metric:
            continue
        for statement in entry.claim.statements:
            try:
                printed = statement.quantity(metric)
            except QuantityError:
                continue
            if printed.base == quantity.base and printed.unit.kind == quantity.unit.kind:
                yield entry, statement


def _fits(entry: ClaimEntry, statement: Statement, stated: Mapping[str, object]) -> bool:
    return not misfits(entry, statement, stated)


def misfits(
    entry: ClaimEntry, statement: Statement, stated: Mapping[str, object]
) -> dict[str, object]:
    """The axes on which a statement has another word than `stated`, with its own words.

    What either leaves open fits everything.
    """
    found = {}
    for axis, value in stated.items():
        known = entry.claim.value_of(axis, statement)
        if axis == "count":
            known = known or _composed(entry, statement)
        if axis in ("layer", "terms") or known is None or value == UNSTATED:
            continue
        if known != UNSTATED and not _same(axis, known, value):
            found[axis] = known
    return found


def _composed(entry: ClaimEntry, statement: Statement) -> int | None:
    scope = entry.claim.value_of("scope", statement)
    return entry.product.count_in(scope, Scope.CHIP) if isinstance(scope, Scope) else None


def _same(axis: str, a: object, b: object) -> bool:
    if axis == "scope" and isinstance(a, Scope) and isinstance(b, Scope):
        return a is b or a.level == b.level == 2
    if axis == "basis" and isinstance(a, Basis) and isinstance(b, Basis):
        return a.family == b.family
    if axis == "aggregation":
        return {str(a), str(b)} <= {"total", "per_device"} or a == b
    return a == b


def _axes(entry: ClaimEntry, statement: Statement) -> dict[str, object]:
    """The qualifiers that a statement of a claim has."""
    found = ((axis, entry.claim.value_of(axis, statement)) for axis in AXES)
    return {axis: value for axis, value in found if value is not None}


def _sums(known: list[object]) -> set[str]:
    """What sources say is added up, where a total is the same as all of a device."""
    said = (value for value in known if value != UNSTATED)
    return {"total" if v in (None, "total", "per_device") else str(v) for v in said}


def _complete(axes: dict[str, object]) -> dict[str, object]:
    """Add what follows from other axes by definition: the role of an interface."""
    interface = axes.get("interface")
    if isinstance(interface, Interface) and "role" not in axes:
        axes["role"] = ROLE_OF_INTERFACE[interface]
    return axes


def needed_axes(metric: Metric, axes: Mapping[str, object], product: Product | None) -> set[str]:
    """The axes without which a number of this metric can't be compared.

    Scope for what grows with the hardware, interface for memories and links, with the role of one
    that has no word of its own, direction for links, precision for compute rates, sparsity where
    the product's matrix units have a structured-sparse mode for the format, boundary for measured
    times and rates.
    """
    needed: set[str] = set()
    if metric in SCOPED:
        needed.add("scope")
    if metric in (Metric.MEMORY_CAPACITY, Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH):
        needed.add("interface")
        if str(axes.get("interface")).startswith("other "):
            needed.add("role")
    if metric is Metric.LINK_BANDWIDTH:
        needed.add("direction")
    if metric is Metric.COMPUTE_THROUGHPUT:
        needed.add("precision")
        if needs_sparsity(axes, product):
            needed.add("sparsity")
    measured = axes.get("basis") is Basis.MEASURED or metric in (Metric.LATENCY, Metric.RATE)
    if measured and metric in TIMED:
        needed.add("boundary")
    return needed


def needs_sparsity(axes: Mapping[str, object], product: Product | None) -> bool:
    """Whether a compute rate is ambiguous without a word on sparsity."""
    precision, engine = axes.get("precision"), axes.get("engine")
    if engine in ("vector", "scalar"):
        return False
    if precision in (Precision.FP32, Precision.FP64, Precision.INT32):
        return False
    if product is None or product.sparse_mode is None:
        return True
    if product.is_dense_only:
        return False
    formats = product.sparse_mode.precisions
    return not formats or precision in formats or precision in (None, Precision.UNSTATED)
