"""One accelerator and a group of them are set side by side.

**Why.** A board of eight GPUs holds eight times what one GPU holds. A ratio of a board to
a chip measures how many parts the vendor puts on a board.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/board-hbm-capacity
    right: acme-x1/chip-hbm-capacity
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/board-hbm-capacity
    right: acme-x1/chip-hbm-capacity
    derivation: [divide_by_count]
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, StepKind, refusals, rule, unnamed_steps


@rule(over="comparison", needs=("verdict.reasons", "verdict.derivation"))
def device_versus_system(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in scope, and a division that the record doesn't name."""
    yield from refusals(
        judged, "scope", otherwise="compare two figures of one accelerator each", at=" of "
    )
    steps = (StepKind.DIVIDE_BY_COUNT, StepKind.MULTIPLY_BY_COUNT)
    yield from unnamed_steps(judged, *steps, axis="scope")
