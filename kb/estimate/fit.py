"""Does a model fit: bytes on one device against the capacity that software can use."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from kb.corpus import ClaimEntry, Corpus
from kb.estimate.device import DeviceValue, EstimateError
from kb.operand import operand_of_claim
from kb.qualifiers import Basis, Metric, Precision, Role, Scope
from kb.quantity import QuantityError

BITS = {
    Precision.FP4: 4,
    Precision.FP6: 6,
    Precision.FP8: 8,
    Precision.INT4: 4,
    Precision.INT8: 8,
    Precision.FP16: 16,
    Precision.BF16: 16,
    Precision.TF32: 32,
    Precision.INT32: 32,
    Precision.FP32: 32,
    Precision.FP64: 64,
}
"""Bits that one stored value takes (TF32 is stored in 32)."""

PREFERRED = (Basis.USABLE, Basis.DEVICE_REPORTED)
"""Bases of capacity, best first; any figure of the vendor comes after these."""


@dataclass(frozen=True)
class Demand:
    """What a model needs, in whole numbers and bytes."""

    parameters: int
    precision: Precision
    """Format in which the parameters are stored."""
    shards: int = 1
    """Devices over which parameters and optimizer state are split evenly."""
    optimizer_bytes: Fraction = Fraction(0)
    """Bytes of optimizer state and gradients for one parameter."""
    activations: Fraction = Fraction(0)
    """Bytes of activations (or cache) on one device."""
    replicated: Fraction = Fraction(0)
    """Bytes that every device holds in full."""
    buffers: Fraction = Fraction(0)
    """Bytes of temporary collective buffers on one device."""

    def parts(self) -> dict[str, Fraction]:
        """Bytes on one device by what they are for."""
        weights = Fraction(self.parameters * BITS[self.precision], 8 * self.shards)
        return {
            "parameters": weights,
            "optimizer": self.optimizer_bytes * self.parameters / self.shards,
            "activations": self.activations,
            "replicated": self.replicated,
            "collective buffers": self.buffers,
        }


@dataclass(frozen=True)
class Fit:
    """The answer for one device."""

    demand: Demand
    capacity: DeviceValue
    basis: Basis
    verdict: Literal["fits", "does_not_fit", "undetermined"]
    needed: Fraction
    """Bytes on one device."""


def fit(demand: Demand, capacity: ClaimEntry) -> Fit:
    """Whether `demand` fits into one device of the named capacity.

    `undetermined` where the answer depends on digits that were not printed. Raises
    `EstimateError` for a total of several devices: it is no single pool.
    """
    if capacity.claim.metric is not Metric.MEMORY_CAPACITY:
        raise EstimateError(
            f"{capacity.id} is a {capacity.claim.metric}", "name a memory_capacity claim"
        )
    scope = capacity.claim.value_of("scope")
    if not isinstance(scope, Scope) or scope.level != 2:
        raise EstimateError(
            f"{capacity.id} is about a {scope}: the memory of several devices is no single pool",
            "name the capacity of one accelerator, and say with --shards how the model is split",
        )
    try:
        operand = operand_of_claim(capacity)
    except QuantityError as error:
        raise EstimateError(f"{capacity.id}: {error}", error.remedy) from None
    if operand.get("role") is not Role.DEVICE_MEMORY:
        raise EstimateError(
            f"{capacity.id} is no memory of the device that holds a model",
            "name the capacity of its HBM",
        )
    if min(demand.parameters, demand.shards) < 1:
        raise EstimateError("a model has at least one parameter and one shard", "correct them")
    interval = operand.quantity.interval
    needed = sum(demand.parts().values(), Fraction(0))
    value = DeviceValue(capacity.id, operand.quantity.text, operand.quantity.base, interval)
    basis = operand.get("basis")
    verdict: Literal["fits", "does_not_fit", "undetermined"] = "undetermined"
    if needed <= interval.low:
        verdict = "fits"
    elif needed > interval.high:
        verdict = "does_not_fit"
    known = basis if isinstance(basis, Basis) else Basis.UNSTATED
    return Fit(demand, value, known, verdict, needed)


def best_capacity(product: str, corpus: Corpus) -> ClaimEntry:
    """The capacity claim of one accelerator that says most about what software can use.

    Raises `EstimateError` where the product has none.
    """
    found = [
        entry
        for entry in corpus.claims_of(product)
        if entry.claim.metric is Metric.MEMORY_CAPACITY
        and entry.claim.value_of("scope") in (Scope.CHIP, Scope.GPU)
        and operand_of_claim(entry).get("role") is Role.DEVICE_MEMORY
    ]
    if not found:
        raise EstimateError(
            f"{product} has no capacity claim for one accelerator", "name one with --capacity"
        )
    # A reserve is about the same memory, but it is no capacity: the larger figure is.
    bases = [b for b in PREFERRED if any(e.claim.value_of("basis") is b for e in found)]
    pool = [e for e in found if not bases or e.claim.value_of("basis") is bases[0]]
    return max(pool, key=lambda entry: operand_of_claim(entry).quantity.base)
