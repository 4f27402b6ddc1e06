"""Verdicts for many pairs at once, the same ones as `compare` gives one by one.

What a verdict says depends on the qualifiers of the two sides and on a few facts about
their products, not on who made them: fifteen GPUs have the same profile for their memory
bandwidth. So each pair of profiles is judged once, and a pair of claims costs a look-up
and two multiplications. Two figures of one product can depend on each other (agreement,
an axis left open by both) and are always judged in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.compare.compute import WANTED
from kb.compare.extent import devices, dies_counted, miscount, normal_aggregation, reach
from kb.compare.judge import compare
from kb.compare.rest import POWERED
from kb.corpus import Corpus
from kb.derive import link_to_device, to_dense, to_device, to_one_way
from kb.operand import Operand, needed_axes
from kb.qualifiers import UNSTATED, Basis, Direction, Metric
from kb.quantity import Quantity
from kb.verdict import Step, Verdict, VerdictKind

BYTES = (Metric.MEMORY_CAPACITY, Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH)
"""Metrics that are about one or more memories or links."""


class Cell(NamedTuple):
    """The verdict for the operands numbered `left` and `right`, in numbers only."""

    left: int
    right: int
    kind: VerdictKind
    ratio: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class _Template:
    """What the verdict on two profiles does to any two numbers with these profiles."""

    kind: VerdictKind
    left: float = 1.0
    right: float = 1.0
    left_dense: bool = False
    right_dense: bool = False

    @property
    def allows_ratio(self) -> bool:
        return self.kind in (VerdictKind.COMPARABLE, VerdictKind.AFTER_DERIVATION)


@dataclass(frozen=True, slots=True)
class _Row:
    """One operand, ready for the loop: who it is, its profile and its values as floats."""

    owner: str
    family: int
    profile: int
    values: tuple[float, float, float]
    dense: tuple[float, float, float] | None


def compare_all(operands: Sequence[Operand], corpus: Corpus | None = None) -> Iterator[Cell]:
    """The verdict for each pair of operands, left before right, each pair once."""
    numbers: dict[object, int] = {}
    rows = [_row(operand, corpus, numbers) for operand in operands]
    families = list(numbers)
    judged: dict[int, dict[int, _Template]] = {}
    apart: dict[int, dict[int, bool]] = {}
    refused = VerdictKind.NOT_COMPARABLE
    for i, left in enumerate(rows):
        apart_here = apart.setdefault(left.family, {})
        judged_here = judged.setdefault(left.profile, {})
        for j in range(i + 1, len(rows)):
            right = rows[j]
            differs = apart_here.get(right.family)
            if differs is None:
                differs = _apart(families[left.family], families[right.family])
                apart_here[right.family] = differs
            if differs:
                yield Cell(i, j, refused)
                continue
            if left.owner == right.owner:
                yield _in_full(i, j, compare(operands[i], operands[j], corpus))
                continue
            template = judged_here.get(right.profile)
            if template is None:
                template = _template(compare(operands[i], operands[j], corpus))
                judged_here[right.profile] = template
            yield _cell(i, j, template, left, right)


def _cell(i: int, j: int, template: _Template, left: _Row, right: _Row) -> Cell:
    if not template.allows_ratio:
        return Cell(i, j, template.kind)
    a = left.dense if template.left_dense and left.dense else left.values
    b = right.dense if template.right_dense and right.dense else right.values
    factor = template.left / template.right
    return Cell(
        i, j, template.kind, a[0] / b[0] * factor, a[1] / b[2] * factor, a[2] / b[1] * factor
    )


def _in_full(i: int, j: int, verdict: Verdict) -> Cell:
    if verdict.ratio is None or verdict.interval is None:
        return Cell(i, j, verdict.kind)
    interval = verdict.interval
    ratio, low, high = float(verdict.ratio), float(interval.low), float(interval.high)
    return Cell(i, j, verdict.kind, ratio, low, high)


def _template(verdict: Verdict) -> _Template:
    left, left_dense = _effect(verdict, "left")
    right, right_dense = _effect(verdict, "right")
    return _Template(verdict.kind, left, right, left_dense, right_dense)


def _effect(verdict: Verdict, side: str) -> tuple[float, bool]:
    """The factor of one side's steps, and whether its printed dense value takes over."""
    factor, dense = 1.0, False
    for step in verdict.derivation:
        if step.side == side:
            factor *= float(step.factor)
            dense = dense or step.replaces is not None
    return factor, dense


def _row(operand: Operand, corpus: Corpus | None, numbers: dict[object, int]) -> _Row:
    step = to_dense(operand, "left", corpus)
    owner = operand.product.product if operand.product else operand.identity.name.casefold()
    return _Row(
        owner,
        numbers.setdefault(_family(operand), len(numbers)),
        numbers.setdefault(_profile(operand, step), len(numbers)),
        _values(operand.quantity),
        _values(step.replaces) if step is not None and step.replaces is not None else None,
    )


@dataclass(frozen=True, slots=True)
class _Family:
    """A metric and, in a fixed order, what is definite on the axes that no step bridges."""

    metric: Metric
    words: tuple[object, ...]


def _family(operand: Operand) -> _Family:
    axes = ["role"] if operand.metric in BYTES else []
    if operand.metric is Metric.COMPUTE_THROUGHPUT:
        axes += ["precision", "engine"]
    words = tuple(None if operand.is_open(axis) else operand.get(axis) for axis in axes)
    basis = operand.get("basis")
    definite = isinstance(basis, Basis) and basis is not Basis.UNSTATED
    definite = definite and operand.metric is not Metric.COUNT
    family = basis.family if isinstance(basis, Basis) and definite else None
    return _Family(operand.metric, (*words, family))


def _apart(left: object, right: object) -> bool:
    """Whether some axis surely differs: a definite difference decides, whatever the rest."""
    if not isinstance(left, _Family) or not isinstance(right, _Family):
        return False
    if left.metric is not right.metric:
        return True
    pairs = zip(left.words, right.words, strict=True)
    return any(a is not None and b is not None and a != b for a, b in pairs)


def _values(quantity: Quantity) -> tuple[float, float, float]:
    interval = quantity.interval
    return float(quantity.base), float(interval.low), float(interval.high)


def _profile(operand: Operand, dense: Step | None) -> object:
    """Everything but the printed value that a verdict against another product can use.

    Words that change cautions only are left out, so that few profiles stand for many claims.
    """
    product, scope, miscounted = operand.product, reach(operand), miscount(operand)
    on_device = scope is not None and scope.level == 2
    routes = (to_device(operand, "left"), link_to_device(operand, "left"), _halved(operand))
    return (
        operand.metric,
        _unit(operand),
        tuple((axis, str(value)) for axis in JUDGED if (value := _word(operand, axis)) is not None),
        tuple(sorted((axis, a.value) for axis, a in operand.assessments.items())),
        "device" if on_device else scope,
        operand.get("layer"),
        product and product.layer,
        operand.get("interface"),
        operand.statement is None,
        operand.published and operand.published.id,
        bool(operand.identity.candidates),
        devices(operand),
        miscounted and miscounted[0],
        frozenset(needed_axes(operand.metric, operand.axes, product)),
        tuple(step and step.factor for step in routes),
        dense and (dense.factor, dense.replaces is not None),
        operand.metric is Metric.COUNT and dies_counted(operand),
    )


JUDGED = (
    "role", "direction", "aggregation", "sparsity", "precision", "accumulator", "output",
    "engine", "basis", "boundary", "arithmetic", "counting", "power_state", "includes", "terms",
)  # fmt: skip
"""Axes that decide a verdict, besides scope, count, layer and interface, looked at apart."""

ONLY_IF_DEFINITE = dict.fromkeys(POWERED, ("power_state",)) | {Metric.COMPUTE_THROUGHPUT: WANTED}
"""Axes on which, for a metric, an open value is a caution and changes no verdict."""


def _word(operand: Operand, axis: str) -> object:
    value = operand.get(axis)
    if value == UNSTATED and axis in ONLY_IF_DEFINITE.get(operand.metric, ()):
        return None
    if axis == "basis" and isinstance(value, Basis):
        return value.family
    if axis == "aggregation":
        return normal_aggregation(value, operand)
    return value


def _unit(operand: Operand) -> object:
    """Decimal prefixes are free; binary ones and bits are a step; a bare count counts its id."""
    unit = operand.quantity.unit
    plain = unit.prefix != "binary" and not unit.counts_bits
    bare = operand.metric is Metric.COUNT and not operand.quantity.label
    slots = frozenset(entry.claim.id for entry in operand.claims) if bare else None
    return unit.dimension, slots, None if plain else unit.name


def _halved(operand: Operand) -> Step | None:
    """Half of a sum of directions, also where an assessment says that it is one."""
    assessed = operand.assessments.get("direction")
    if assessed is None:
        return to_one_way(operand, "left")
    axes = {**operand.axes, "direction": Direction.of(assessed.value)}
    copy = Operand(operand.label, operand.identity, operand.metric, operand.quantity, axes)
    return to_one_way(copy, "left")
