"""A record names a step or an assessment that its comparison doesn't need.

**Why.** A named step tells the reader how two figures were brought together. One that is
never taken describes a calculation that did not happen, and hides the next mistake.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-capacity
    right: acme-x1/chip-hbm-capacity
    derivation: [divide_by_count]
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-capacity
    right: acme-x1/chip-hbm-capacity
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, Severity, StepKind, rule


@rule(
    over="comparison",
    severity=Severity.WARNING,
    needs=("comparison.derivation", "comparison.assessments"),
)
def needless_derivation(judged: Judged) -> Iterator[Problem]:
    """Yield named steps and cited assessments that the verdict makes no use of."""
    if not judged.verdict.allows_ratio:
        return
    steps = judged.verdict.derivation
    taken = {step.kind.value for step in steps}
    cited = {judged.citation(step) for step in steps if step.kind is StepKind.ASSESSED}
    for index, word in enumerate(judged.comparison.derivation):
        if word not in taken:
            yield Problem(
                judged.place.at("derivation", index),
                f"{judged.left.id} and {judged.right.id} compare without the step '{word}'",
                f"remove it; needed here: {', '.join(sorted(taken)) or 'no step'}",
                label="not taken",
            )
    known = {
        f"{entry.id}#{assessment.axis}"
        for entry in (judged.left, judged.right)
        for assessment in entry.claim.assessments
    }
    for index, name in enumerate(judged.comparison.assessments):
        if name in known - cited:
            yield Problem(
                judged.place.at("assessments", index),
                f"{judged.left.id} and {judged.right.id} compare without the assessment '{name}'",
                "remove it",
                label="not used",
            )
