"""Values computed from claims: operations a byte, and totals of a board or a pod.

Each keeps its parents and the steps that led to it. None is ever typed in by hand, so it
can't disagree with what it was computed from; where the vendor prints the same figure, the
two stand side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from kb.compare import compare
from kb.corpus import ClaimEntry, Corpus
from kb.derive import is_additive
from kb.estimate.device import DeviceValue, EstimateError, device_claim
from kb.operand import Operand, operand_of_claim
from kb.qualifiers import Basis, Metric, Role, Scope
from kb.quantity import Interval, QuantityError, decimal_text
from kb.verdict import StepKind

PREFIXES = ((10**18, "E"), (10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))
UNITS = {
    "information": "B",
    "information_rate": "B/s",
    "flop_rate": "FLOP/s",
    "op_rate": "OP/s",
}
SUMMED = (None, Role.DEVICE_MEMORY, Role.SCALE_UP_LINK)
"""Roles whose sum over a system means something to a program; compute rates have none."""


@dataclass(frozen=True)
class Derived:
    """One computed value."""

    title: str
    text: str
    """Value and unit, to the digits that its parents allow."""
    value: Fraction
    """In base units."""
    interval: Interval
    formula: str
    parents: tuple[str, ...]
    """Ids of the claims that it was computed from."""
    notes: tuple[str, ...] = ()
    printed: str | None = None
    """Id of the claim in which the vendor prints the same figure."""
    agrees: bool | None = None
    """Whether the printed one lies within what the digits allow."""


def derived_of(product: str, corpus: Corpus) -> tuple[Derived, ...]:
    """Every value that is computed for one product, balances first."""
    entries = [entry for entry in corpus.claims_of(product) if _is_vendors(entry)]
    return (*_balances(entries), *_totals(entries))


def _is_vendors(entry: ClaimEntry) -> bool:
    basis = entry.claim.value_of("basis")
    return isinstance(basis, Basis) and basis.family == "vendor"


def _balances(entries: list[ClaimEntry]) -> Iterator[Derived]:
    """Operations for each byte of device memory, at which compute and memory take as long."""
    memory = next(filter(None, map(_memory, entries)), None)
    for entry in entries:
        peak = _on_device(entry, Metric.COMPUTE_THROUGHPUT)
        if peak is None or memory is None or entry.claim.value_of("engine") in ("vector", "scalar"):
            continue
        value = peak.value / memory.value
        yield Derived(
            f"operations a byte, dense {entry.claim.value_of('precision')}",
            f"{decimal_text(value, 3)} OP/B",
            value,
            peak.interval / memory.interval,
            f"{peak.text} / {memory.text}",
            (peak.claim, memory.claim),
            (*peak.notes, *memory.notes),
        )


def _memory(entry: ClaimEntry) -> DeviceValue | None:
    if entry.claim.metric is not Metric.MEMORY_BANDWIDTH:
        return None
    if operand_of_claim(entry).get("role") is not Role.DEVICE_MEMORY:
        return None
    return _on_device(entry, Metric.MEMORY_BANDWIDTH)


def _on_device(entry: ClaimEntry, metric: Metric) -> DeviceValue | None:
    """The value of a claim that is about one accelerator; None for any other claim."""
    scope = entry.claim.value_of("scope")
    if entry.claim.metric is not metric or not isinstance(scope, Scope) or scope.level != 2:
        return None
    try:
        return device_claim(entry, metric)
    except EstimateError:
        return None


def _totals(entries: list[ClaimEntry]) -> Iterator[Derived]:
    """The sum over the accelerators of each system that the composition names."""
    operands = [operand for entry in entries if (operand := _operand(entry)) is not None]
    for operand in operands:
        scope = operand.get("scope")
        if operand.product is None or not isinstance(scope, Scope) or scope.level != 2:
            continue
        if not is_additive(operand) or operand.get("role") not in SUMMED:
            continue
        for whole in operand.product.composition:
            count = operand.product.count_in(whole, Scope.CHIP)
            if whole.level == 3 and count is not None and count > 1:
                yield _total(operand, whole, count, operands)


def _operand(entry: ClaimEntry) -> Operand | None:
    try:
        return operand_of_claim(entry)
    except QuantityError:
        return None


def _total(operand: Operand, whole: Scope, count: int, operands: list[Operand]) -> Derived:
    quantity = operand.quantity
    value, interval = quantity.base * count, quantity.interval.scale(Fraction(count))
    printed, agrees = _printed(operand, whole, count, operands)
    subject = operand.claims[0].claim.id.removeprefix(f"{operand.get('scope')}-").replace("-", " ")
    return Derived(
        f"{whole}: {subject}",
        _with_prefix(value, UNITS[quantity.unit.kind]),
        value,
        interval,
        f"{count} × {quantity.text}",
        (operand.label,),
        tuple(f"{axis} is unstated" for axis in ("direction", "sparsity") if operand.is_open(axis)),
        printed,
        agrees,
    )


def _printed(
    operand: Operand, whole: Scope, count: int, operands: list[Operand]
) -> tuple[str | None, bool | None]:
    """The claim that prints this total, and whether it agrees within its digits."""
    for other in operands:
        if other.get("scope") is not whole or other.accelerators != count:
            continue
        verdict = compare(other, operand)
        steps = {step.kind for step in verdict.derivation}
        divided = StepKind.DIVIDE_BY_COUNT in steps and steps <= {
            StepKind.DIVIDE_BY_COUNT,
            StepKind.CONVERT_UNIT,
        }
        if divided and verdict.allows_ratio and verdict.interval is not None:
            return other.label, 1 in verdict.interval
    return None, None


def _with_prefix(value: Fraction, unit: str) -> str:
    for factor, prefix in PREFIXES:
        if value >= factor:
            return f"{decimal_text(value / factor)} {prefix}{unit}"
    return f"{decimal_text(value)} {unit}"
