"""Rates of different number formats are set side by side.

**Why.** Halving the width of a number doubles most rates. An FP8 rate against a BF16 rate
says which format was picked, and nothing about the two accelerators.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-peak-fp8-dense
    right: acme-x1/chip-peak-bf16
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-peak-bf16-dense
    right: acme-x1/chip-peak-bf16
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def precision_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in the format of the multiplied operands."""
    yield from refusals(judged, "precision", otherwise="compare two rates of one number format")
