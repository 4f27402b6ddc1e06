"""The peaks of a product that no measured rate may exceed, from its claims."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType

from kb.corpus import ClaimEntry, Corpus
from kb.estimate.device import DeviceValue, EstimateError, device_claim
from kb.model.evidence import Ceiling
from kb.qualifiers import Interface, Metric, Precision

MAY_MULTIPLY = MappingProxyType(
    {
        Precision.FP64: (Precision.FP64,),
        Precision.FP32: (Precision.FP32, Precision.TF32, Precision.BF16),
        Precision.FP16: (Precision.FP16, Precision.BF16),
        Precision.BF16: (Precision.BF16,),
        Precision.FP8: (Precision.FP8,),
        Precision.INT8: (Precision.INT8,),
    }
)
"""Formats in which a backend may multiply what is stored in the first: a float32 expression
does not fix the hardware's mode, so the fastest of them is the bound."""


def ceiling(product: str, storage: Precision, corpus: Corpus) -> Ceiling | None:
    """The highest dense peak that may apply to one accelerator, and its memory's rate.

    The upper end of what the printed digits allow is taken, so that nothing possible is
    refused. None where the catalogue holds no dense peak of a fitting format.
    """
    entries = tuple(corpus.claims_of(product))
    wanted = MAY_MULTIPLY.get(storage, ())
    compute = [
        value
        for entry, value in _values(entries, Metric.COMPUTE_THROUGHPUT)
        if entry.claim.value_of("precision") in wanted
    ]
    if not compute:
        return None
    top = max(compute, key=_high)
    memory = [
        value
        for entry, value in _values(entries, Metric.MEMORY_BANDWIDTH)
        if entry.claim.value_of("interface") is Interface.HBM
    ]
    fast = max(memory, key=_high, default=None)
    return Ceiling(
        claim=top.claim,
        flops_per_second=float(_high(top)),
        bandwidth_claim=None if fast is None else fast.claim,
        bytes_per_second=None if fast is None else float(_high(fast)),
        on_chip_bytes=_on_chip(entries),
    )


def _values(
    entries: tuple[ClaimEntry, ...], metric: Metric
) -> Iterator[tuple[ClaimEntry, DeviceValue]]:
    for entry in entries:
        if entry.claim.metric is metric:
            try:
                yield entry, device_claim(entry, metric)
            except EstimateError:  # a sparse peak, or a total that can't be divided
                continue


def _high(value: DeviceValue) -> Fraction:
    return value.interval.high


def _on_chip(entries: tuple[ClaimEntry, ...]) -> int | None:
    """All on-chip memory of one accelerator that the catalogue knows; None where it knows none."""
    sizes = [
        int(_high(value))
        for entry, value in _values(entries, Metric.MEMORY_CAPACITY)
        if entry.claim.value_of("interface") is Interface.ON_CHIP
    ]
    return sum(sizes) if sizes else None
