"""Values under different power limits or clocks are set side by side.

**Why.** A part that is delivered at 700 W and can be set to 1,000 W has two figures.
Setting one part's default against another part's maximum compares settings.

**Refused**

```yaml spec
claims:
  - id: gpu-power
    metric: power
    scope: gpu
    power_state: default
    basis: vendor_peak
    statements:
      - {published: "700 W", source: bolt-datasheet, locator: power}
  - id: gpu-power-maximum
    metric: power
    scope: gpu
    power_state: maximum
    basis: vendor_peak
    statements:
      - {published: "1,000 W", source: bolt-datasheet, locator: power}
```

```yaml decision
comparisons:
  - left: example/gpu-power
    right: example/gpu-power-maximum
```

**Accepted**

```yaml spec
claims:
  - id: gpu-power-maximum
    metric: power
    scope: gpu
    power_state: maximum
    basis: vendor_peak
    statements:
      - {published: "1,000 W", source: bolt-datasheet, locator: power}
  - id: gpu-power-maximum-before
    metric: power
    scope: gpu
    power_state: maximum
    basis: vendor_peak
    statements:
      - {published: "700 W", source: bolt-datasheet, locator: power}
```

```yaml decision
comparisons:
  - left: example/gpu-power-maximum
    right: example/gpu-power-maximum-before
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def power_state_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in the power limit or clock."""
    yield from refusals(judged, "power_state", otherwise="compare two values at the same setting")
