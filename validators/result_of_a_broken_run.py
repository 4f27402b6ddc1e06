"""A result is used whose run broke the rules of its benchmark.

**Why.** The load generator calls it invalid, the checker counts errors, or it missed its
quality target. Claimed results must comply with the benchmark's rules (MLPerf Results
Messaging Guidelines, section 10).

**Refused**

```yaml results
- {id: one}
- {id: two, valid: false, flags: [{kind: invalid_run, note: "Result is : INVALID"}]}
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
def result_of_a_broken_run(judged: JudgedResults) -> Iterator[Problem]:
    """Yield comparisons with results that broke their rules."""
    yield from refused_results(
        judged, "validity", remedy="use a valid run, or leave the result out"
    )
