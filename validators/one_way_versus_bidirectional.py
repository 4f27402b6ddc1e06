"""One direction of a link and the sum of both are set side by side.

**Why.** Adding both directions doubles a figure without moving a byte more. A sum may be
halved only where a source says that it adds two equal directions, and only if the record
says that it was halved.

**Refused**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: one_way
    aggregation: total
    basis: vendor_peak
    statements:
      - {published: "900 GB/s", source: bolt-datasheet, locator: links}
```

```yaml decision
comparisons:
  - left: example/gpu-link-bandwidth
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
def one_way_versus_bidirectional(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in direction, and a halving that the record doesn't name."""
    yield from refusals(
        judged, "direction", otherwise="compare two figures that count the same directions"
    )
    yield from unnamed_steps(judged, StepKind.BOTH_DIRECTIONS_TO_ONE, axis="direction")
