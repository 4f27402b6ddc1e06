"""A throughput for each watt is asked for where no power was measured.

**Why.** Only the system power that was measured by the benchmark's own method may be used,
and no TDP or rating may stand in for it (MLPerf Results Messaging Guidelines, section 6).

**Refused**

```yaml results
- {id: one}
- {id: two}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
    derivation: [divide_by_power]
```

**Accepted**

```yaml results
- {id: one, run: power, power: {published: 9000 W, metric: power}}
- {id: two, run: power, power: {published: 9514 W, metric: power}}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
    derivation: [divide_by_power]
```
"""

from collections.abc import Iterator

from kb.rules import JudgedResults, Problem, published_at, rule


@rule(over="result_comparison")
def unofficial_power(judged: JudgedResults) -> Iterator[Problem]:
    """Yield comparisons by power of results without measured power."""
    if judged.missing:
        yield Problem(
            judged.place.at("derivation"),
            judged.missing,
            "compare the throughputs, or two results of power runs",
            label="no measured power",
            related=tuple(published_at(judged)),
        )
