"""Results of two scenarios or suites are set side by side.

**Why.** Offline sends everything at once, server asks for answers within a bound, and the
streams count latency: other experiments with other winners (MLPerf Results Messaging
Guidelines, section 4).

**Refused**

```yaml results
- {id: one}
- {id: two, scenario: server}
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
def results_of_different_scenarios(judged: JudgedResults) -> Iterator[Problem]:
    """Yield a difference in scenario, and suites whose results nobody calls compatible."""
    yield from refused_results(
        judged, "scenario", "suite", remedy="compare two results of one scenario and one suite"
    )
