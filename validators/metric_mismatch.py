"""Values of different metrics are set side by side.

**Why.** A capacity and a rate, or power and operations, have no ratio. Dividing one by
the other gives a new quantity with a unit of its own, and no comparison.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-capacity
    right: acme-x1/chip-hbm-bandwidth
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-capacity
    right: acme-x1/chip-hbm-capacity
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def metric_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in metric or unit, unless it is a memory against a link."""
    if judged.differing("interface"):
        return  # memory-versus-link, or another rule of the interface, says it better
    axis = "metric" if judged.differing("metric") else "unit"
    yield from refusals(judged, axis, otherwise="compare two values of one metric")
