"""Two memories or two links with different roles are set side by side.

**Why.** Interfaces compare by what they are for. The link to the host, the links between
accelerators and the network card carry different traffic; HBM and a cache hold different
data.

**Refused**

```yaml spec
claims:
  - id: gpu-pcie-bandwidth
    metric: link_bandwidth
    interface: pcie
    scope: gpu
    direction: bidirectional_sum
    aggregation: total
    basis: vendor_peak
    statements:
      - {published: "128 GB/s", source: bolt-datasheet, locator: links}
```

```yaml decision
comparisons:
  - left: example/gpu-pcie-bandwidth
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

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def role_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in interface between values of one metric."""
    if not judged.differing("metric"):
        yield from refusals(judged, "interface", otherwise="compare interfaces of one role")
