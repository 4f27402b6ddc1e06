"""Results that count different things are set side by side.

**Why.** A latency is no throughput, and tokens are no queries. Where the unit does not fit
the scenario it is open what was counted. Statements have to be clear and correct (MLPerf
Results Messaging Guidelines, section 10).

**Refused**

```yaml results
- {id: one}
- {id: two, published: 10.5 queries/s, printed_unit: Queries/s}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
```

**Accepted**

```yaml results
- {id: one}
- {id: two, published: 10.5 samples/s}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
```
"""

from collections.abc import Iterator

from kb.rules import JudgedResults, Problem, refused_results, rule


@rule(over="result_comparison")
def results_counting_different_things(judged: JudgedResults) -> Iterator[Problem]:
    """Yield a difference in metric or unit, and units that do not fit."""
    yield from refused_results(
        judged, "metric", "unit", remedy="compare two results in one unit that fits the scenario"
    )
