"""A printed value is not one number with one unit.

**Why.** A value is kept as its source printed it and read by one strict reader. Ranges,
words and misplaced commas have no single value that a comparison could use.

**Refused**

```yaml spec
claims:
  - id: gpu-power
    metric: power
    scope: gpu
    basis: vendor_peak
    power_state: maximum
    statements:
      - {published: "about a kilowatt", source: bolt-datasheet, locator: power}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-power
    metric: power
    scope: gpu
    basis: vendor_peak
    power_state: maximum
    statements:
      - {published: "up to 1,000 W", source: bolt-datasheet, locator: power}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.rules import Problem, StatementEntry, misprints, rule


@rule(over="statement")
def malformed_quantity(entry: StatementEntry, _: Corpus) -> Iterator[Problem]:
    """Yield the part of the text that is no number."""
    yield from misprints(entry, "malformed-quantity")
