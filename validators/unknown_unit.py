"""A printed value carries a unit that is not in the vocabulary.

**Why.** The vocabulary of units is closed, so that every label has exactly one reading.
A label outside of it can't be converted, and a guess would be silent.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "7.7 TByps", source: bolt-datasheet, locator: memory}
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
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.rules import Problem, StatementEntry, misprints, rule


@rule(over="statement")
def unknown_unit(entry: StatementEntry, _: Corpus) -> Iterator[Problem]:
    """Yield the label that no vocabulary entry explains."""
    yield from misprints(entry, "unknown-unit")
