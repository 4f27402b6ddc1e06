"""Sources contradict each other and the claim does not say why one of them wins.

**Why.** Vendors' pages disagree with each other. A reader must see that they do, and by
which reasoning the current value was chosen, or the choice can't be doubted.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory}
      - {published: "192 GB", source: bolt-guide, locator: chapter 1, status: disputed}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    precedence: The data sheet is the newer of the two.
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory}
      - {published: "192 GB", source: bolt-guide, locator: chapter 1, status: disputed}
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label, Severity
from kb.model.claim import Statement
from kb.quantity import QuantityError
from kb.rules import Problem, rule


@rule(over="claim", severity=Severity.WARNING)
def conflicting_statements(entry: ClaimEntry, _: Corpus) -> Iterator[Problem]:
    """Yield the first statement that differs from the current one beyond rounding."""
    claim = entry.claim
    if claim.precedence is not None:
        return
    for index, statement in enumerate(claim.statements):
        if statement.status != "current" and _differ(entry, statement):
            yield Problem(
                entry.place.at("statements", index, "published"),
                f"{entry.id} is {claim.current.published!r} by one source and "
                f"{statement.published!r} by another",
                "add 'precedence: …' that says why the current statement wins",
                label="differs beyond rounding",
                related=(
                    Label(
                        entry.place.at("statements", claim.statements.index(claim.current)),
                        "the current statement",
                    ),
                ),
            )
            return


def _differ(entry: ClaimEntry, other: Statement) -> bool:
    try:
        left = entry.claim.current.quantity(entry.claim.metric)
        right = other.quantity(entry.claim.metric)
    except QuantityError:
        return False  # the unit rules say why it can't be read
    return not left.interval.overlaps(right.interval)
