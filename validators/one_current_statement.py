"""A claim has no current statement, or several.

**Why.** The current statement is the value that comparisons, pages and pins use. With none
or two of them, the order of lines in a file would decide what a product can do.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    precedence: The data sheet is newer.
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory, status: current}
      - {published: "192 GB", source: bolt-guide, locator: chapter 1, status: current}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    precedence: The data sheet is newer.
    statements:
      - {published: "180 GB", source: bolt-datasheet, locator: memory, status: current}
      - {published: "192 GB", source: bolt-guide, locator: chapter 1, status: superseded}
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.finding import Label
from kb.rules import Problem, rule


@rule(over="claim")
def one_current_statement(entry: ClaimEntry, _: Corpus) -> Iterator[Problem]:
    """Yield every current statement after the first, or the claim that has none."""
    places = [
        (entry.place.at("statements", index), statement)
        for index, statement in enumerate(entry.claim.statements)
        if statement.status == "current"
    ]
    if not places:
        yield Problem(
            entry.place.at("id"),
            f"no statement of {entry.id} is current",
            "mark the statement that the claim stands on with 'status: current'",
            label="which one counts?",
        )
    for place, statement in places[1:]:
        yield Problem(
            place.at("status"),
            f"{entry.id} has {len(places)} current statements: {places[0][1].published!r} and "
            f"{statement.published!r}",
            "mark one of them 'superseded' or 'disputed'; 'current' is the default",
            label="also current",
            related=(Label(places[0][0], "the first current statement"),),
        )
