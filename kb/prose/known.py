"""What the catalogue says, laid out for looking up a number: every statement as a slot.

Beside the printed statements stand those that licensed arithmetic allows: one direction of
a sum of two, one link of a device, one accelerator of a board, the dense rate behind a
stated factor. The licences are those of `kb.derive`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import overload

from kb.corpus import ClaimEntry, Corpus
from kb.derive import is_additive
from kb.kept import lazy
from kb.model.claim import Statement
from kb.model.product import Product
from kb.operand import Operand, operand_of_claim
from kb.prose.names import NameTable, name_table
from kb.qualifiers import UNSTATED, Metric, Scope
from kb.quantity import Quantity, QuantityError

KIND_OF_METRIC = {
    Metric.MEMORY_CAPACITY: "information",
    Metric.MEMORY_BANDWIDTH: "information_rate",
    Metric.LINK_BANDWIDTH: "information_rate",
    Metric.COMPUTE_THROUGHPUT: "operations",
    Metric.POWER: "power",
    Metric.FREQUENCY: "frequency",
    Metric.COUNT: "count",
}
GROUPS = {"board": "board", "host": "board", "slice": "slice", "pod": "pod", "rack": "rack"}
"""Scopes of several accelerators; people call a board a server and a server a system."""


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """One value that the catalogue knows, with its qualifiers as plain words."""

    entry: ClaimEntry
    statement: Statement
    operand: Operand
    base: Fraction
    axes: Mapping[str, str]
    """Qualifiers; an open axis that an assessment settles has its value."""
    open: frozenset[str] = frozenset()
    """Axes that stay open."""
    changed: frozenset[str] = frozenset()
    """Axes that a licensed step changed; empty for a printed value."""
    value: float = 0.0
    """The base value as a float, to pass over most slots quickly."""

    @property
    def product(self) -> str:
        """Id of the product."""
        return self.entry.product.product

    @property
    def metric(self) -> Metric:
        """The metric of the claim."""
        return self.entry.claim.metric

    @property
    def quantity(self) -> Quantity:
        """The printed quantity that it rests on."""
        return self.operand.quantity

    @property
    def level(self) -> str:
        """`core`, `one` accelerator, or the kind of group."""
        return level_of(self.axes.get("scope", ""))

    @property
    def current(self) -> bool:
        """Whether the statement is the current one or agrees with it."""
        return self.statement.status in ("current", "concurring")


@dataclass(frozen=True, eq=False)
class Slots(Sequence[Slot]):
    """Slots in the order of the catalogue, with their values in rising order beside them."""

    all: tuple[Slot, ...] = ()

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    @overload
    def __getitem__(self, place: int) -> Slot: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Slot, ...]: ...

    def __getitem__(self, place: int | slice) -> Slot | tuple[Slot, ...]:
        return self.all[place]

    @lazy
    def ranked(self) -> tuple[list[float], list[int]]:
        """The values in rising order, and the place of each one's slot."""
        places = sorted(range(len(self.all)), key=lambda place: self.all[place].value)
        return [self.all[place].value for place in places], places

    def within(self, low: float, high: float) -> list[Slot]:
        """The slots whose values lie in an interval, both ends included."""
        values, places = self.ranked
        first, last = bisect_left(values, low), bisect_right(values, high)
        return [self.all[place] for place in sorted(places[first:last])]


NO_SLOTS = Slots()


def level_of(scope: str) -> str:
    """The level of a scope word: chip, gpu and device are one accelerator."""
    if scope in ("chip", "gpu", "device", "card"):
        return "one"
    return GROUPS.get(scope, scope)


@dataclass(frozen=True, eq=False)
class Known:
    """The catalogue by product and kind of unit, and its names."""

    corpus: Corpus
    names: NameTable
    slots: Mapping[tuple[str, str], Slots]
    by_kind: Mapping[str, Slots]
    contested: frozenset[str] = field(default_factory=frozenset)
    """Claims on which documents of one vendor disagree and nothing else decides."""

    def of(self, products: Sequence[str], kind: str) -> Slots:
        """Every slot of some products in one kind of unit."""
        if len(products) == 1:
            return self.slots.get((products[0], kind), NO_SLOTS)
        found = (self.slots.get((product, kind), NO_SLOTS) for product in products)
        return Slots(tuple(slot for slots in found for slot in slots))

    def of_kind(self, kind: str) -> Slots:
        """Every slot of every product in one kind of unit."""
        return self.by_kind.get(kind, NO_SLOTS)

    def kin(self, product: str) -> frozenset[str]:
        """Every product of the same vendor."""
        records = {name: entry.value for name, entry in self.corpus.products.items()}
        vendor = records[product].vendor
        return frozenset(name for name, record in records.items() if record.vendor == vendor)

    def wholes(self, product: str) -> frozenset[str]:
        """The boards and systems that are built of an accelerator."""
        return frozenset(board for board, part in _parts(self.corpus) if part == product)

    def product(self, product: str) -> Product | None:
        """A product by its id."""
        entry = self.corpus.products.get(product)
        return entry.value if entry else None


def known(corpus: Corpus) -> Known:
    """Lay out a catalogue. Claims that can't be read are left out; `kb check` names them."""
    by_product: dict[tuple[str, str], list[Slot]] = {}
    by_kind: dict[str, list[Slot]] = {}
    for entry in corpus.claims.values():
        kind = KIND_OF_METRIC.get(entry.claim.metric)
        if kind is None:
            continue
        for slot in _slots(entry, corpus):
            by_product.setdefault((slot.product, kind), []).append(slot)
            by_kind.setdefault(kind, []).append(slot)
    for board, part in _parts(corpus):
        for kind in set(KIND_OF_METRIC.values()):
            slots = list(_of_board(by_product.get((part, kind), ()), corpus.products[board].value))
            by_product.setdefault((board, kind), []).extend(slots)
    return Known(
        corpus,
        name_table(corpus),
        {key: Slots(tuple(slots)) for key, slots in by_product.items()},
        {key: Slots(tuple(slots)) for key, slots in by_kind.items()},
        frozenset(_contested(by_product.values())),
    )


def _slots(entry: ClaimEntry, corpus: Corpus) -> Iterator[Slot]:
    seen: set[tuple[object, ...]] = set()
    for statement in entry.claim.statements:
        try:
            operand = operand_of_claim(entry, statement)
        except QuantityError:
            continue
        slot = _slot(entry, statement, operand)
        key = (slot.base, statement.status == "disputed", tuple(sorted(slot.axes.items())))
        if key in seen:
            continue
        seen.add(key)
        yield slot
        if statement.status != "disputed" and entry.claim.metric is not Metric.COUNT:
            yield from _derived(slot, corpus)


def _slot(entry: ClaimEntry, statement: Statement, operand: Operand) -> Slot:
    axes, unsettled = {}, set()
    for axis, value in operand.axes.items():
        settled = operand.assessments.get(axis)
        if value == UNSTATED and settled is None:
            unsettled.add(axis)
        elif not isinstance(value, (tuple, dict)):
            axes[axis] = settled.value if value == UNSTATED and settled else str(value)
    if axes.get("interface") == "pcie" and operand.quantity.base in PCIE_BOTH_WAYS:
        axes.setdefault("direction", "bidirectional_sum")
        unsettled.discard("direction")
    if _adds_both(entry, statement, axes, unsettled):
        axes["direction"] = "bidirectional_sum"
        unsettled.discard("direction")
    if isinstance(operand.get("includes"), tuple):
        axes["interface"] = "several"
    base = operand.quantity.base
    return Slot(entry, statement, operand, base, axes, frozenset(unsettled), value=float(base))


PCIE_BOTH_WAYS = frozenset(Fraction(n) * 10**9 for n in (128, 256))
"""Bytes a second of a x16 link of generation 5 or 6 with both directions added: by the standard
one way is half of that."""


def _adds_both(
    entry: ClaimEntry, statement: Statement, axes: Mapping[str, str], unsettled: set[str]
) -> bool:
    """Whether a stated convention settles an open direction: a sum of two equal ones."""
    return (
        "direction" in unsettled
        and statement.status in ("current", "concurring")
        and axes.get("aggregation") in ("total", "per_device")
        and any(s.interface == axes.get("interface") for s in entry.product.direction_sums)
        and axes.get("interface") != "nic"
    )


def _derived(slot: Slot, corpus: Corpus) -> Iterator[Slot]:
    """Everything that follows from one printed value by licensed steps."""
    first = [slot, *_dense(slot, corpus)]
    ways = [*first, *(way for item in first for way in _one_way(item))]
    scoped = [*ways, *(part for way in ways for part in _scopes(way))]
    yield from scoped[1:]
    for way in ways:
        yield from _links(way)


def _step(slot: Slot, factor: Fraction, **axes: str) -> Slot:
    return replace(
        slot,
        base=slot.base * factor,
        value=slot.value * float(factor),
        axes={**slot.axes, **axes},
        changed=slot.changed | set(axes),
        open=slot.open - set(axes),
    )


def _dense(slot: Slot, corpus: Corpus) -> Iterator[Slot]:
    factor, claim = slot.entry.claim.dense_factor, slot.entry.claim
    if factor is None or slot.axes.get("sparsity") != "structured_2_4":
        return
    printed = any(
        other.claim.precision is claim.precision
        and other.claim.scope is claim.scope
        and other.claim.sparsity == "dense"
        for other in corpus.claims_of(slot.product)
    )
    if not printed:
        yield _step(slot, Fraction(1, factor.factor), sparsity="dense")


def _one_way(slot: Slot) -> Iterator[Slot]:
    licensed = any(
        licence.interface == slot.axes.get("interface")
        for licence in slot.entry.product.direction_sums
    )
    pcie = slot.axes.get("interface") == "pcie"  # full duplex by its own standard
    if slot.metric is not Metric.LINK_BANDWIDTH or not (licensed or pcie):
        return
    if slot.axes.get("direction") == "bidirectional_sum":
        yield _step(slot, Fraction(1, 2), direction="one_way")
    elif slot.axes.get("direction") == "one_way":
        yield _step(slot, Fraction(2), direction="bidirectional_sum")
    elif pcie or "all_reduce" not in str(slot.axes.get("aggregation")):
        yield _step(slot, Fraction(1, 2), direction="one_way")


def _scopes(slot: Slot) -> Iterator[Slot]:
    """One accelerator of a group, and the group of one accelerator."""
    product, word = slot.entry.product, slot.entry.product.accelerator
    scope = slot.operand.get("scope")
    if not isinstance(scope, Scope) or word is None or not is_additive(slot.operand):
        return
    if slot.axes.get("aggregation") in ("per_link", "per_port", "per_axis"):
        return
    if scope is Scope.CORE and (cores := slot.operand.cores_per_accelerator):
        yield _step(slot, Fraction(cores), scope=str(word))
    if scope.level == 3 and (count := slot.operand.accelerators):
        yield _step(slot, Fraction(1, count), scope=str(word))
    if scope.level == 2:
        for group in product.composition:
            count = product.count_in(group, word)
            if group.level == 3 and count:
                yield _step(slot, Fraction(count), scope=str(group), aggregation="total")


_WHOLES = ("HGX ", "DGX ")


def _parts(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Boards and systems whose accelerator has a page of its own: `HGX H200` and `H200 SXM`."""
    ids = {entry.value.name: name for name, entry in corpus.products.items()}
    for name, board in ids.items():
        part = ids.get(f"{name[4:]} SXM")
        if name.startswith(_WHOLES) and part is not None:
            yield board, part


def _of_board(slots: Iterable[Slot], board: Product) -> Iterator[Slot]:
    """What is printed for one accelerator of a board, and what all of them have together."""
    for slot in [s for s in slots if s.level == "one" and s.metric is not Metric.COUNT]:
        yield slot
        each = slot.axes.get("aggregation") in ("per_link", "per_port", "per_axis")
        if each or "scope" in slot.changed or not is_additive(slot.operand):
            continue
        for group in board.composition:
            count = board.accelerator and board.count_in(group, board.accelerator)
            if group.level == 3 and count:
                yield _step(slot, Fraction(count), scope=str(group), aggregation="total")


def _links(slot: Slot) -> Iterator[Slot]:
    if slot.level != "one" or slot.metric is not Metric.LINK_BANDWIDTH:
        return
    if slot.axes.get("aggregation") not in ("per_device", "total", None):
        return
    for links in slot.entry.product.links:
        if links.interface == slot.axes.get("interface"):
            yield _step(slot, Fraction(1, links.count), aggregation=f"per_{links.unit}")


def _contested(groups: Iterable[list[Slot]]) -> Iterator[str]:
    """Claims with one document on each side, and no other claim that agrees with either."""
    for slots in groups:
        for slot in slots:
            claim = slot.entry.claim
            status = [statement.status for statement in claim.statements]
            if slot.changed or "concurring" in status or not _rival(slot, slots):
                continue
            others = (s for s in slots if s.entry.id != slot.entry.id and s.metric is slot.metric)
            if slot.statement.status == "current" and not any(_agrees(s, slot) for s in others):
                yield slot.entry.id


def _rival(slot: Slot, slots: Iterable[Slot]) -> bool:
    """Whether a disputed statement is near enough to be a rival and no slip of the pen."""
    return any(
        other.statement.status == "disputed"
        and other.entry.id == slot.entry.id
        and Fraction(2, 3) < other.base / slot.base < Fraction(3, 2)
        for other in slots
    )


def _agrees(other: Slot, slot: Slot) -> bool:
    same = other.axes.get("interface") == slot.axes.get("interface") and (
        other.axes.get("precision") == slot.axes.get("precision")
    )
    near = abs(other.base / slot.base - 1) < Fraction(1, 10)
    return same and near and (bool(other.changed) or other.axes.get("basis") != "advertised")
