"""A count of dies is set side by side with a count of accelerators.

**Why.** An accelerator of two dies is one accelerator: one device to a program, with one
memory. Counting dies doubles a system on paper.

**Refused**

```yaml spec
composition:
  board: {of: gpu, count: 8}
  gpu: {of: die, count: 2}
claims:
  - id: board-gpus
    metric: count
    scope: board
    statements:
      - {published: "16 GPUs", source: bolt-datasheet, locator: overview}
  - id: board-gpus-other
    metric: count
    scope: board
    statements:
      - {published: "8 GPUs", source: bolt-datasheet, locator: overview}
```

```yaml decision
comparisons:
  - left: example/board-gpus
    right: example/board-gpus-other
```

**Accepted**

```yaml spec
composition:
  board: {of: gpu, count: 8}
  gpu: {of: die, count: 2}
claims:
  - id: board-gpus
    metric: count
    scope: board
    statements:
      - {published: "8 GPUs", source: bolt-datasheet, locator: overview}
  - id: board-gpus-other
    metric: count
    scope: board
    statements:
      - {published: "8 GPUs", source: bolt-datasheet, locator: overview}
```

```yaml decision
comparisons:
  - left: example/board-gpus
    right: example/board-gpus-other
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def dies_as_accelerators(judged: Judged) -> Iterator[Problem]:
    """Yield a count that is the composition's count of dies."""
    for reason in judged.differing("product_identity"):
        yield from refusals(
            judged,
            "product_identity",
            otherwise="count accelerators, and their dies under another claim",
            side="left" if f" of {judged.left.id} " in reason.why else "right",
        )
