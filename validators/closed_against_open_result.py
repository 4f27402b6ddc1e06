"""A result of the closed division is set beside one of the open or network division.

**Why.** An open result may use another model, training or quality. Every way in which it
would not qualify as closed has to be said, and no record says them (MLPerf Results
Messaging Guidelines, section 5).

**Refused**

```yaml results
- {id: one}
- {id: two, division: open}
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
def closed_against_open_result(judged: JudgedResults) -> Iterator[Problem]:
    """Yield a difference in division."""
    yield from refused_results(
        judged, "division", remedy="compare two results of the closed division"
    )
