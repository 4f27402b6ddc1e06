"""The rate of a matrix unit and that of another unit are set side by side.

**Why.** Matrix units multiply whole tiles, vector lanes one element each. Their peaks
differ by an order of magnitude, and a program can use only the one that fits its
operations.

**Refused**

```yaml spec
claims:
  - id: gpu-vector-bf16
    metric: compute_throughput
    scope: gpu
    precision: bf16
    sparsity: dense
    engine: vector
    basis: vendor_peak
    statements:
      - {published: "140 TFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-vector-bf16
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
def engine_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in the unit that does the arithmetic."""
    yield from refusals(judged, "engine", otherwise="compare two rates of one kind of unit")
