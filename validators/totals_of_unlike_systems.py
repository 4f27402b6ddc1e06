"""Throughputs of systems with unlike numbers of accelerators are set side by side.

**Why.** Eight accelerators do more than four. A difference in chip count has to be said,
and a figure for each accelerator is a derived metric whose basis has to be said as well
(MLPerf Results Messaging Guidelines, sections 5 and 9). So it has to be asked for by name.

**Refused**

```yaml results
- {id: one}
- {id: two, accelerators: {per_node: 4}}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
```

**Accepted**

```yaml results
- {id: one}
- {id: two, accelerators: {per_node: 4}}
```

```yaml decision
comparisons:
  - left: published/one
    right: published/two
    derivation: [divide_by_count]
```
"""

from collections.abc import Iterator

from kb.rules import JudgedResults, Problem, refused_results, rule


@rule(over="result_comparison")
def totals_of_unlike_systems(judged: JudgedResults) -> Iterator[Problem]:
    """Yield totals of unlike size, and divisions that nothing licenses."""
    yield from refused_results(
        judged,
        "accelerator_count",
        "normalisation",
        remedy="name the derived metric: derivation: [divide_by_count], or compare two systems "
        "with as many accelerators",
    )
