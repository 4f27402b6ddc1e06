"""A dense rate and a structured-sparse rate are set side by side.

**Why.** A sparse peak counts multiplications by structural zeros, which a dense model
doesn't have. The ratio of the two is an artefact of counting. Nor is the sparse figure
always twice the dense one: some parts print another factor.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-peak-bf16-sparse
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

from kb.rules import Judged, Problem, StepKind, refusals, rule, unnamed_steps


@rule(over="comparison", needs=("verdict.reasons", "verdict.derivation"))
def dense_versus_sparse(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in sparsity, licensed by the vendor or not."""
    yield from refusals(
        judged, "sparsity", otherwise="compare two dense rates", at="structured_2_4"
    )
    yield from unnamed_steps(judged, StepKind.SPARSE_TO_DENSE, axis="sparsity")
