"""Results of two benchmarks, quality targets or models are set side by side.

**Why.** Another benchmark is other work, a lower quality target allows what a higher one
forbids, and in the open division the model itself may be another one (MLPerf Results
Messaging Guidelines, sections 4 and 5).

**Refused**

```yaml results
- {id: one}
- {id: two, benchmark: llama2-70b-99, model: llama2-70b-99}
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
def results_of_different_benchmarks(judged: JudgedResults) -> Iterator[Problem]:
    """Yield a difference in benchmark, quality target or model."""
    yield from refused_results(
        judged,
        "benchmark",
        "accuracy_target",
        "model",
        remedy="compare two results of one benchmark with one quality target and one model",
    )
