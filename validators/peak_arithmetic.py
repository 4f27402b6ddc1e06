"""A memory bandwidth is not what the product's own clock and bus width give.

**Why.** HBM moves two bits a pin in each clock, so its bandwidth is twice the clock times
the width of the bus. Where all three are printed and don't fit, one of them is of another
product or edition, or the clock is an effective rate that is doubled already.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "7.7 TB/s", source: bolt-datasheet, locator: memory}
  - id: gpu-hbm-bus-width
    metric: count
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "8,192 bits", source: bolt-datasheet, locator: memory}
  - id: gpu-hbm-clock
    metric: frequency
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "3996 MHz", source: bolt-datasheet, locator: memory}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "7.7 TB/s", source: bolt-datasheet, locator: memory}
  - id: gpu-hbm-bus-width
    metric: count
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "7,680 bits", source: bolt-datasheet, locator: memory}
  - id: gpu-hbm-clock
    metric: frequency
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "3996 MHz", source: bolt-datasheet, locator: memory}
```
"""

from collections.abc import Iterator
from fractions import Fraction

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label, Severity
from kb.qualifiers import Basis, Interface, Metric, Scope
from kb.quantity import Quantity
from kb.rules import Problem, current, current_place, in_unit, rule

WIDTH = "bit_of_width"
PER_CLOCK = Fraction(2, 8)
"""Bytes that one pin moves in one clock: two bits."""


@rule(over="claim", severity=Severity.WARNING)
def peak_arithmetic(entry: ClaimEntry, corpus: Corpus) -> Iterator[Problem]:
    """Yield a bandwidth that no pair of a printed clock and bus width gives."""
    bandwidth = current(entry)
    if bandwidth is None or bandwidth.approximate or not _is_peak(entry):
        return
    known = [*_of_memory(entry, corpus)]
    clocks = [item for item in known if item[0].claim.metric is Metric.FREQUENCY]
    widths = [item for item in known if item[1].unit.name == WIDTH]
    pairs = [(clock, width) for clock in clocks for width in widths]
    fits = (
        clock.interval.scale(width.base * PER_CLOCK).overlaps(bandwidth.interval)
        for (_, clock), (_, width) in pairs
    )
    if not pairs or any(fits):
        return
    (clock_entry, clock), (width_entry, width) = pairs[0]
    product = in_unit(clock.base * width.base * PER_CLOCK, bandwidth)
    yield Problem(
        current_place(entry),
        f"{entry.id} prints {bandwidth.text!r}, but 2 × {clock.text} × {width.text} / 8 is "
        f"{product}",
        "look the three figures up again; where the source itself contradicts the product, say "
        "so: # kb: ignore[peak-arithmetic] <reason>",
        label="not twice the clock times the width",
        related=(
            Label(current_place(clock_entry), f"{clock_entry.id}: {clock.text}"),
            Label(current_place(width_entry), f"{width_entry.id}: {width.text}"),
        ),
    )


def _is_peak(entry: ClaimEntry) -> bool:
    claim = entry.claim
    scope, basis = claim.value_of("scope"), claim.value_of("basis")
    return (
        claim.metric is Metric.MEMORY_BANDWIDTH
        and claim.value_of("interface") is Interface.HBM
        and isinstance(scope, Scope)
        and scope.level == 2
        and isinstance(basis, Basis)
        and basis.family == "vendor"
    )


def _of_memory(entry: ClaimEntry, corpus: Corpus) -> Iterator[tuple[ClaimEntry, Quantity]]:
    """The product's other figures about the memory of one accelerator."""
    for other in corpus.claims_of(entry.product.product):
        scope, quantity = other.claim.value_of("scope"), current(other)
        on_device = isinstance(scope, Scope) and scope.level == 2
        if on_device and quantity and other.claim.value_of("interface") is Interface.HBM:
            yield other, quantity
