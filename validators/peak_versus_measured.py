"""A vendor's peak and a measured value are set side by side.

**Why.** A peak is what the hardware could do, a measured value is what a program did. One
program against another part's data sheet makes the measured part look bad, whichever it
is. A measured value belongs beside its own peak, as a fraction.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: measured
    boundary: device_events
    statements:
      - {published: "6.9 TB/s", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-bandwidth
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-bandwidth
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def peak_versus_measured(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in basis where one side was measured."""
    words = {word for reason in judged.differing("basis") for word in (reason.left, reason.right)}
    if "measured" in words:
        yield from refusals(
            judged, "basis", otherwise="compare two peaks or two measured values", at="measured"
        )
