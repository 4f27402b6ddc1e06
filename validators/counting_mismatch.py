"""Rates that count operations differently are set side by side.

**Why.** Most vendors count one multiply-add as two operations, some as one. The same unit
then prints twice or half the rate.

**Refused**

```yaml spec
claims:
  - id: gpu-peak-bf16
    metric: compute_throughput
    scope: gpu
    precision: bf16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    counting: multiply_add_is_one
    statements:
      - {published: "1.1 PFLOP/s", source: bolt-datasheet, locator: rates}
  - id: gpu-peak-bf16-twice
    metric: compute_throughput
    scope: gpu
    precision: bf16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    counting: multiply_add_is_two
    statements:
      - {published: "2.2 PFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-peak-bf16
    right: example/gpu-peak-bf16-twice
```

**Accepted**

```yaml spec
claims:
  - id: gpu-peak-bf16-twice
    metric: compute_throughput
    scope: gpu
    precision: bf16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    counting: multiply_add_is_two
    statements:
      - {published: "2.2 PFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-peak-bf16-twice
    right: acme-x1/chip-peak-bf16
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def counting_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in how operations are counted."""
    yield from refusals(
        judged, "counting", otherwise="compare two rates that count a multiply-add alike"
    )
