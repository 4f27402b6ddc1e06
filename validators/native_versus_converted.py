"""A native rate and the rate of a converted format are set side by side.

**Why.** A unit that doesn't multiply a format converts the operands first and runs at
another format's rate. The printed number is then about that other format.

**Refused**

```yaml spec
claims:
  - id: gpu-peak-fp8
    metric: compute_throughput
    scope: gpu
    precision: fp8
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    arithmetic: converted
    statements:
      - {published: "2.2 PFLOP/s", source: bolt-datasheet, locator: rates}
  - id: gpu-peak-fp8-native
    metric: compute_throughput
    scope: gpu
    precision: fp8
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    arithmetic: native
    statements:
      - {published: "4.5 PFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-peak-fp8
    right: example/gpu-peak-fp8-native
```

**Accepted**

```yaml spec
claims:
  - id: gpu-peak-fp8-native
    metric: compute_throughput
    scope: gpu
    precision: fp8
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    arithmetic: native
    statements:
      - {published: "4.5 PFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: example/gpu-peak-fp8-native
    right: bolt-b8/gpu-peak-fp8-dense
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def native_versus_converted(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in whether the format runs natively."""
    yield from refusals(judged, "arithmetic", otherwise="compare two rates of native formats")
