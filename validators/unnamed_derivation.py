"""A comparison rests on a conversion or an assessment that the record doesn't name.

**Why.** A licensed step is allowed, and a reader must see that it was taken: 1 GiB is no
GB, and an assessed value is not the vendor's word. The steps between parts, directions
and sparse rates have rules of their own.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "179 GiB", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-hbm-capacity
    right: acme-x1/chip-hbm-capacity
```

**Accepted**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "179 GiB", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-hbm-capacity
    right: acme-x1/chip-hbm-capacity
    derivation: [convert_unit]
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, StepKind, evidence_of, rule, unnamed_steps


@rule(over="comparison", needs=("verdict.derivation",))
def unnamed_derivation(judged: Judged) -> Iterator[Problem]:
    """Yield conversions and assessments that the record is silent about."""
    yield from unnamed_steps(judged, StepKind.CONVERT_UNIT, axis="unit")
    for step in judged.unnamed(StepKind.ASSESSED):
        citation = judged.citation(step)
        yield Problem(
            judged.place.at(step.side),
            f"the comparison rests on an assessment that the record doesn't cite: {step.step}",
            f'cite it in the record: assessments: ["{citation}"]',
            label=f"{citation.rpartition('#')[2]} is assessed, not stated",
            related=evidence_of(judged, citation.rpartition("#")[2]),
        )
