"""Totals that add up different kinds of part are set side by side.

**Why.** Some totals add the memory of the CPUs to that of the accelerators. Set against a
total of HBM alone, the CPU's memory counts as if an accelerator could use it at full
rate.

**Refused**

```yaml spec
claims:
  - id: gpu-fast-memory
    metric: memory_capacity
    interface: hbm
    scope: gpu
    includes: [hbm, lpddr]
    basis: advertised
    statements:
      - {published: "420 GB", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-fast-memory
    right: bolt-b8/gpu-hbm-capacity
```

**Accepted**

```yaml spec
claims:
  - id: gpu-fast-memory
    metric: memory_capacity
    interface: hbm
    scope: gpu
    includes: [hbm]
    basis: advertised
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-fast-memory
    right: bolt-b8/gpu-hbm-capacity
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def total_of_different_parts(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in the kinds of part that two totals add up."""
    yield from refusals(
        judged, "includes", otherwise="compare two totals over the same kinds of part"
    )
