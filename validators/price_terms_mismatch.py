"""Prices under different terms are set side by side.

**Why.** An hour on demand and an hour under a contract of three years are different
goods, and so are two regions, two currencies and two days.

**Refused**

```yaml spec
claims:
  - id: hour
    metric: price
    scope: gpu
    terms: {currency: USD, term: on demand, region: us-east, date: "2026-11-30"}
    statements:
      - {published: "6.00 USD/h", source: bolt-datasheet, locator: prices}
  - id: hour-committed
    metric: price
    scope: gpu
    terms: {currency: USD, term: three years, region: us-east, date: "2026-11-30"}
    statements:
      - {published: "2.70 USD/h", source: bolt-datasheet, locator: prices}
```

```yaml decision
comparisons:
  - left: example/hour
    right: example/hour-committed
```

**Accepted**

```yaml spec
claims:
  - id: hour
    metric: price
    scope: gpu
    terms: {currency: USD, term: on demand, region: us-east, date: "2026-11-30"}
    statements:
      - {published: "6.00 USD/h", source: bolt-datasheet, locator: prices}
  - id: hour-before
    metric: price
    scope: gpu
    terms: {currency: USD, term: on demand, region: us-east, date: "2026-11-30"}
    statements:
      - {published: "5.40 USD/h", source: bolt-datasheet, locator: prices}
```

```yaml decision
comparisons:
  - left: example/hour
    right: example/hour-before
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def price_terms_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield each difference in the terms of two prices."""
    yield from refusals(judged, "terms", otherwise="compare two prices under the same terms")
