"""An advertised value and one that a device or its software reports are set side by side.

**Why.** What a device reports differs from its label by reserved parts and by the label's
own prefix, not by hardware. The difference must not decide between two products.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: device_reported
    statements:
      - {published: "183359 MiB", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-hbm-capacity
    right: acme-x1/chip-hbm-capacity
    derivation: [convert_unit]
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
def advertised_versus_reported(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in basis where neither side was measured."""
    words = {word for reason in judged.differing("basis") for word in (reason.left, reason.right)}
    if "measured" not in words:
        yield from refusals(judged, "basis", otherwise="compare two values of one basis")
