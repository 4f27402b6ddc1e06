"""A performance run is set beside a run under the power meter.

**Why.** Systems are tuned for the one or for the other. MLCommons' compatibility table says
that results of performance and of power submissions are not comparable.

**Refused**

```yaml results
- {id: one}
- {id: two, run: power, power: {published: 9514 W, metric: power}}
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
def performance_against_power_run(judged: JudgedResults) -> Iterator[Problem]:
    """Yield a difference between performance and power runs."""
    yield from refused_results(
        judged, "run", remedy="compare two performance runs, or two power runs"
    )
