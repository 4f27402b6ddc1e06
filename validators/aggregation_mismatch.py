"""Figures that add up different links are set side by side.

**Why.** One link, all links of a device, the rate to one peer and the cut through a whole
system are different figures. Only a stated number of links leads from one to another.

**Refused**

```yaml spec
claims:
  - id: link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: bidirectional_sum
    aggregation: per_link
    basis: vendor_peak
    statements:
      - {published: "100 GB/s", source: bolt-datasheet, locator: links}
```

```yaml decision
comparisons:
  - left: example/link-bandwidth
    right: acme-x1/chip-link-bandwidth
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-link-bandwidth
    right: acme-x1/chip-link-bandwidth
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, StepKind, refusals, rule, unnamed_steps


@rule(over="comparison", needs=("verdict.reasons", "verdict.derivation"))
def aggregation_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in aggregation, and a multiplication that the record doesn't name."""
    yield from refusals(
        judged, "aggregation", otherwise="compare two figures that add up the same links"
    )
    yield from unnamed_steps(judged, StepKind.LINK_TO_DEVICE, axis="aggregation")
