"""A sparse and a dense rate are both printed, and their ratio is not the stated factor.

**Why.** A stated factor licenses the step from the sparse row to the dense one. Where the
dense row is printed too and says otherwise, as for 144 against 108 petaFLOPS, the factor is
a habit and no statement about this product.

**Refused**

```yaml spec
claims:
  - id: gpu-peak-fp4-sparse
    metric: compute_throughput
    scope: gpu
    precision: fp4
    sparsity: structured_2_4
    engine: matrix
    basis: vendor_peak
    dense_factor: {factor: 2, source: bolt-datasheet, locator: footnote}
    statements:
      - {published: "18 PFLOPS", source: bolt-datasheet, locator: rates}
  - id: gpu-peak-fp4-dense
    metric: compute_throughput
    scope: gpu
    precision: fp4
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    statements:
      - {published: "14 PFLOPS", source: bolt-datasheet, locator: rates}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-peak-fp4-sparse
    metric: compute_throughput
    scope: gpu
    precision: fp4
    sparsity: structured_2_4
    engine: matrix
    basis: vendor_peak
    dense_factor: {factor: 2, source: bolt-datasheet, locator: footnote}
    statements:
      - {published: "18 PFLOPS", source: bolt-datasheet, locator: rates}
  - id: gpu-peak-fp4-dense
    metric: compute_throughput
    scope: gpu
    precision: fp4
    sparsity: dense
    engine: matrix
    basis: vendor_peak
    statements:
      - {published: "9 PFLOPS", source: bolt-datasheet, locator: rates}
```
"""

from collections.abc import Iterator
from fractions import Fraction

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label, Severity
from kb.qualifiers import Sparsity
from kb.rules import Problem, current, current_place, in_unit, rule, siblings


@rule(over="claim", severity=Severity.WARNING)
def sparse_versus_dense_factor(entry: ClaimEntry, corpus: Corpus) -> Iterator[Problem]:
    """Yield a stated factor that the printed dense row contradicts."""
    stated, sparse = entry.claim.dense_factor, current(entry)
    if stated is None or sparse is None:
        return
    for other, dense in siblings(entry, entry.product.product, corpus, apart=("sparsity",)):
        if other.claim.value_of("sparsity") != Sparsity.DENSE:
            continue
        if not dense.interval.scale(Fraction(stated.factor)).overlaps(sparse.interval):
            yield Problem(
                entry.place.at("dense_factor", "factor"),
                f"{entry.id} prints {sparse.text!r} and states the factor {stated.factor}, but "
                f"{stated.factor} × {dense.text} ({other.id}) is "
                f"{in_unit(dense.base * stated.factor, sparse)}",
                "remove 'dense_factor', since the dense value is printed, or correct the rows",
                label="contradicted by the printed dense row",
                related=(
                    Label(current_place(entry), f"the sparse rate: {sparse.text}"),
                    Label(current_place(other), f"the dense rate: {dense.text}"),
                ),
            )
