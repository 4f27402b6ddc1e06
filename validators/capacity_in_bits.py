"""A memory capacity is printed in bits.

**Why.** Capacities of accelerators are printed in bytes. `96 Gb` for `96 GB` is the
likeliest slip of the keyboard, and it is wrong by eight. A figure of single memory dies,
which vendors do print in bits, is waived with that reason.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "96 Gb", source: bolt-datasheet, locator: memory}
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
      - {published: "96 GB", source: bolt-datasheet, locator: memory}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.finding import Severity
from kb.qualifiers import Metric
from kb.quantity import QuantityError
from kb.rules import Problem, StatementEntry, rule


@rule(over="statement", severity=Severity.WARNING)
def capacity_in_bits(entry: StatementEntry, _: Corpus) -> Iterator[Problem]:
    """Yield a capacity whose unit counts bits."""
    metric = entry.owner.claim.metric
    if metric is not Metric.MEMORY_CAPACITY:
        return
    try:
        quantity = entry.statement.quantity(metric)
    except QuantityError:
        return  # another rule says why it can't be read
    if quantity.unit.counts_bits:
        byte = quantity.unit.symbol.removesuffix("bit") + "B"
        yield Problem(
            entry.place.at("published"),
            f"{entry.owner.id} prints {quantity.text!r}, which counts bits",
            f"write '{quantity.text_number} {byte}' if bytes are meant",
            label="bits",
        )
