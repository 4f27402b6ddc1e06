"""A value is contradicted by the product's other statements and equals that of a sibling.

**Why.** Data sheets of one family share a table, and a row slips into the wrong column. A
current value that nothing else about the product supports, and that a product with a
similar name prints to the digit, is more likely the sibling's than a change.

**Refused**

```yaml spec
not_to_be_confused_with: [bolt-b8]
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    precedence: The data sheet is newer than the guide.
    statements:
      - {published: "7.7 TB/s", source: bolt-datasheet, locator: memory}
      - {published: "4.2 TB/s", source: bolt-guide, locator: chapter 1, status: disputed}
```

**Accepted**

```yaml spec
not_to_be_confused_with: [bolt-b8]
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    precedence: The guide was corrected, and the data sheet was not.
    statements:
      - {published: "4.2 TB/s", source: bolt-guide, locator: chapter 1}
      - {published: "7.7 TB/s", source: bolt-datasheet, locator: memory, status: disputed}
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label, Severity
from kb.qualifiers import Metric
from kb.quantity import Quantity, QuantityError
from kb.rules import Problem, current, current_place, rule, siblings


@rule(over="claim", severity=Severity.WARNING)
def figure_of_another_product(entry: ClaimEntry, corpus: Corpus) -> Iterator[Problem]:
    """Yield a current value that only the statements of a confusable product share."""
    value = current(entry)
    if value is None or entry.claim.metric is Metric.COUNT:
        return
    others = _others(entry)
    if not others or any(other.interval.overlaps(value.interval) for other in others):
        return
    for product in corpus.names.confusable_with(entry.product.product):
        for sibling, quantity in siblings(entry, product, corpus):
            if quantity.base == value.base:
                yield Problem(
                    current_place(entry),
                    f"{entry.id} prints {value.text!r}, as {sibling.id} does, while its own other "
                    f"statements print {_listed(others)}",
                    "look up which product the source's column is about; where it is this one, "
                    "say so: # kb: ignore[figure-of-another-product] <reason>",
                    label=f"the figure of {product}?",
                    related=(Label(current_place(sibling), f"{sibling.id}: {quantity.text}"),),
                )
                return


def _others(entry: ClaimEntry) -> list[Quantity]:
    """What the claim's other statements print, as far as it can be read."""
    found = []
    for statement in entry.claim.statements:
        if statement is not entry.claim.current:
            try:
                found.append(statement.quantity(entry.claim.metric))
            except QuantityError:
                continue  # the unit rules say why
    return found


def _listed(quantities: list[Quantity]) -> str:
    return " and ".join(dict.fromkeys(f"'{quantity.text}'" for quantity in quantities))
