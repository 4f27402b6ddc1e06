"""The floor under a program's time: no run on these devices can take less."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from kb.corpus import ClaimEntry
from kb.estimate.device import DeviceValue, EstimateError, device_claim
from kb.qualifiers import Basis, Metric, words
from kb.quantity import Interval


@dataclass(frozen=True)
class Load:
    """What a program asks for. A multiply-add counts as two operations."""

    flops: Fraction
    """Operations of the whole program."""
    bytes: Fraction
    """Bytes moved between device memory and the accelerators, by the whole program."""
    sent: Fraction = Fraction(0)
    """Bytes that each device sends over its scale-up links."""
    devices: int = 1
    """Accelerators among which operations and bytes are split evenly."""


@dataclass(frozen=True)
class Resource:
    """One resource, its rate for one accelerator, and the time that it needs at least."""

    name: str
    rate: DeviceValue
    seconds: Fraction
    interval: Interval
    """What the printed digits of the rate allow."""


@dataclass(frozen=True)
class Floor:
    """The floor time and what binds it."""

    load: Load
    resources: tuple[Resource, ...]

    @property
    def binding(self) -> Resource:
        """The resource that needs most time."""
        return max(self.resources, key=lambda resource: resource.seconds)

    @property
    def least(self) -> Fraction:
        """Seconds that every run takes, whatever stands behind the printed digits."""
        return max(resource.interval.low for resource in self.resources)

    @property
    def decided(self) -> bool:
        """Whether the binding resource stays the same for all values the digits allow."""
        low = self.binding.interval.low
        return all(r.interval.high < low for r in self.resources if r is not self.binding)

    @property
    def intensity(self) -> Fraction | None:
        """Operations for each byte of device memory; None where no bytes are moved."""
        return self.load.flops / self.load.bytes if self.load.bytes else None


def roofline(
    load: Load, compute: ClaimEntry, memory: ClaimEntry, link: ClaimEntry | None = None
) -> Floor:
    """The floor time of `load` on devices with these peaks.

    All claims must be about one product. Raises `EstimateError` where a claim can't carry
    the estimate, and for a load without operations or bytes.
    """
    entries = [entry for entry in (compute, memory, link) if entry is not None]
    products = {entry.product.product for entry in entries}
    if len(products) > 1:
        raise EstimateError(
            f"the claims are about different products: {', '.join(sorted(products))}",
            "name claims of one product",
        )
    if load.devices < 1 or load.flops < 0 or load.bytes < 0 or load.sent < 0:
        raise EstimateError("a load can't be negative", "give counts from zero on, one device up")
    if load.flops == load.bytes == load.sent == 0:
        raise EstimateError("the load is empty", "give --flops and --bytes")
    if load.sent and link is None:
        raise EstimateError(
            "bytes are sent between devices, but no link claim is named", "add --link CLAIM"
        )
    resources = [
        _resource("compute", load.flops / load.devices, compute, Metric.COMPUTE_THROUGHPUT),
        _resource("memory", load.bytes / load.devices, memory, Metric.MEMORY_BANDWIDTH),
    ]
    if link is not None:
        resources.append(_resource("link", load.sent, link, Metric.LINK_BANDWIDTH))
    return Floor(load, tuple(resources))


def _resource(name: str, amount: Fraction, entry: ClaimEntry, metric: Metric) -> Resource:
    basis = entry.claim.value_of("basis")
    if basis in (Basis.MEASURED, Basis.VENDOR_TYPICAL):
        raise EstimateError(
            f"{entry.id} is {words(basis)}: a rate that a run may exceed is no ceiling",
            f"name the vendor's peak {words(metric)}",
        )
    rate = device_claim(entry, metric)
    seconds = Interval(amount / rate.interval.high, amount / rate.interval.low)
    return Resource(name, rate, amount / rate.value, seconds)
