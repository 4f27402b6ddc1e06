"""Rates with different accumulators or results are set side by side.

**Why.** Adding up in FP16 is faster than in FP32 on some units, and loses digits. A rate
that is reached only with the narrow accumulator is not available to a program that needs
the wide one.

**Refused**

```yaml spec
claims:
  - id: gpu-peak-fp16-narrow
    metric: compute_throughput
    scope: gpu
    precision: fp16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    accumulator: fp16
    statements:
      - {published: "4.4 PFLOP/s", source: bolt-datasheet, locator: rates}
  - id: gpu-peak-fp16
    metric: compute_throughput
    scope: gpu
    precision: fp16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    accumulator: fp32
    statements:
      - {published: "2.2 PFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-peak-fp16-narrow
    right: example/gpu-peak-fp16
```

**Accepted**

```yaml spec
claims:
  - id: gpu-peak-fp16
    metric: compute_throughput
    scope: gpu
    precision: fp16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    accumulator: fp32
    statements:
      - {published: "2.2 PFLOP/s", source: bolt-datasheet, locator: rates}
  - id: gpu-peak-fp16-before
    metric: compute_throughput
    scope: gpu
    precision: fp16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    accumulator: fp32
    statements:
      - {published: "1.1 PFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-peak-fp16
    right: example/gpu-peak-fp16-before
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def accumulator_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in the format of the accumulator or of the result."""
    yield from refusals(
        judged, "accumulator", "output", otherwise="compare two rates with one accumulator"
    )
