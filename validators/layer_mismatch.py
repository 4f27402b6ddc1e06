"""Values on different layers of the stack are set side by side.

**Why.** A framework, a compute API and an accelerator are layers of one stack. A
framework has no memory and no peak; a figure given to it belongs to some accelerator,
which must be named.

**Refused**

```yaml spec
product: loom
name: Loom
layer: framework
claims:
  - id: chip-peak-bf16
    metric: compute_throughput
    scope: chip
    precision: bf16
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    statements:
      - {published: "918 TFLOP/s", source: bolt-datasheet, locator: rates}
```

```yaml decision
comparisons:
  - left: loom/chip-peak-bf16
    right: bolt-b8/gpu-peak-bf16-dense
```

**Accepted**

```yaml decision
comparisons:
  - left: acme-x1/chip-peak-bf16
    right: bolt-b8/gpu-peak-bf16-dense
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def layer_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in layer, and a hardware figure that is given to software."""
    yield from refusals(judged, "layer", otherwise="name the accelerator that the value belongs to")
