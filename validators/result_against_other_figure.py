"""A published benchmark result is set beside a figure that is none.

**Why.** A result comes out of rules that a vendor's peak or an own measurement never saw.
MLCommons allows a comparison with compatible results only (MLPerf Results Messaging
Guidelines, section 4).

**Refused**

```yaml results
- {id: one}
```

```yaml decision
comparisons:
  - left: published/one
    right: acme-x1/chip-hbm-bandwidth
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
def result_against_other_figure(judged: JudgedResults) -> Iterator[Problem]:
    """Yield results that are compared with a specification."""
    yield from refused_results(
        judged,
        "benchmark",
        remedy="compare it with another result of the same benchmark, or cite the two apart",
        label="no result of the benchmark",
        mixed=True,
    )
