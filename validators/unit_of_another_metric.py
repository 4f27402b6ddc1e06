"""A printed value carries the unit of another metric.

**Why.** GB is an amount and GB/s a rate; TFLOPS is a rate and W is power. A value whose
unit doesn't fit its metric was copied from another row, or filed under the wrong one.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.rules import Problem, StatementEntry, misprints, rule


@rule(over="statement")
def unit_of_another_metric(entry: StatementEntry, _: Corpus) -> Iterator[Problem]:
    """Yield the label with what it measures and what the metric needs."""
    yield from misprints(entry, "unit-of-another-metric")
