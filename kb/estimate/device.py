"""A claim brought to one accelerator, so that an estimate never divides a pool by habit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kb.compare.extent import LINK_LIKE
from kb.corpus import ClaimEntry
from kb.derive import link_to_device, to_device, to_one_way
from kb.operand import Operand, operand_of_claim
from kb.qualifiers import UNSTATED, Aggregation, Direction, Metric, Scope, Sparsity, words
from kb.quantity import Interval, QuantityError

WHOLE = (None, Aggregation.TOTAL, Aggregation.PER_DEVICE)
"""Sums that are all of one accelerator's links."""


class EstimateError(ValueError):
    """An estimate that these claims can't carry; `remedy` says which ones could."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


@dataclass(frozen=True)
class DeviceValue:
    """A claim's value for one accelerator, in base units, with what it took to get there."""

    claim: str
    text: str
    value: Fraction
    interval: Interval
    notes: tuple[str, ...] = ()


def device_claim(entry: ClaimEntry, metric: Metric) -> DeviceValue:
    """The value of a claim for one accelerator; licensed steps are noted.

    Raises `EstimateError` for another metric, for a total that can't be divided, and for a
    direction or sparsity that is open or does not serve (a dense program, one direction).
    """
    claim = entry.claim
    if claim.metric is not metric:
        raise EstimateError(
            f"{entry.id} is a {claim.metric}, not a {metric}", f"name a {metric} claim instead"
        )
    try:
        operand = operand_of_claim(entry)
    except QuantityError as error:
        raise EstimateError(f"{entry.id}: {error}", error.remedy) from None
    notes: list[str] = []
    factor = _to_one(operand, notes) * _all_links(operand, notes) * _one_way(operand, notes)
    _require_dense(operand, notes)
    quantity = operand.quantity
    return DeviceValue(
        entry.id,
        quantity.text,
        quantity.base * factor,
        quantity.interval.scale(factor),
        tuple(notes),
    )


def _to_one(operand: Operand, notes: list[str]) -> Fraction:
    scope = operand.get("scope")
    if isinstance(scope, Scope) and scope.level == 2:
        return Fraction(1)
    step = to_device(operand, "left")
    if step is None:
        raise EstimateError(
            f"{operand.label} is about a {operand.word('scope')} and can't be divided",
            "name a claim about one accelerator",
        )
    notes.append(f"{operand.label}: {step.step} ({step.licence})")
    return step.factor


def _all_links(operand: Operand, notes: list[str]) -> Fraction:
    """From one link to all of a device; other partial sums say nothing about a device."""
    value = operand.get("aggregation")
    if operand.metric is not Metric.LINK_BANDWIDTH or value in WHOLE:
        return Fraction(1)
    step = link_to_device(operand, "left") if value in LINK_LIKE else None
    if step is None:
        raise EstimateError(
            f"{operand.label} is about {words(value)}, not about all links of a device",
            "name the total of one accelerator",
        )
    notes.append(f"{operand.label}: {step.step} ({step.licence})")
    return step.factor


def _one_way(operand: Operand, notes: list[str]) -> Fraction:
    """Half of a sum of two directions: what one device can send is what one direction takes."""
    if operand.metric is not Metric.LINK_BANDWIDTH:
        return Fraction(1)
    value = _settled(operand, "direction", notes)
    if value == Direction.ONE_WAY:
        return Fraction(1)
    axes = {**operand.axes, "direction": Direction.BIDIRECTIONAL_SUM}
    both = Operand(operand.label, operand.identity, operand.metric, operand.quantity, axes)
    step = to_one_way(both, "left") if value == Direction.BIDIRECTIONAL_SUM else None
    if step is None:
        raise EstimateError(
            f"the direction of {operand.label} is {value}, so what one device can send is open",
            "name a link claim with a stated direction",
        )
    notes.append(f"{operand.label}: {step.step} ({step.licence})")
    return step.factor


def _require_dense(operand: Operand, notes: list[str]) -> None:
    if operand.metric is not Metric.COMPUTE_THROUGHPUT or operand.get("sparsity") is None:
        return
    value = _settled(operand, "sparsity", notes)
    if value == UNSTATED:
        raise EstimateError(
            f"{operand.label} doesn't say whether its rate is dense, so it is open what a dense "
            "program can reach",
            "name a claim of the same number format that is stated or assessed as dense",
        )
    if value != Sparsity.DENSE:
        raise EstimateError(
            f"{operand.label} is {words(value)}; a dense program can't reach that rate",
            "name the dense claim of the same number format",
        )


def _settled(operand: Operand, axis: str, notes: list[str]) -> str:
    """The word on an axis, after an assessment where the source leaves it open."""
    assessment = operand.assessments.get(axis)
    if operand.get(axis) == UNSTATED and assessment is not None:
        notes.append(f"{operand.label}: {axis} is assessed as {words(assessment.value)}")
        return assessment.value
    return str(operand.get(axis) or UNSTATED)
