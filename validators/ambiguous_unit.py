"""A printed value carries a unit label that has more than one reading.

**Why.** `gb` may be gigabytes or gigabits, `KB` 1000 or 1024 bytes. The readings differ
by up to a factor of eight, and nothing in the label says which one was meant.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 gb", source: bolt-datasheet, locator: memory}
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
def ambiguous_unit(entry: StatementEntry, _: Corpus) -> Iterator[Problem]:
    """Yield the label together with the spellings to choose from."""
    yield from misprints(entry, "ambiguous-unit")
