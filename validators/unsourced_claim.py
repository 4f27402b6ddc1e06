"""A statement names no source, or not where in the source it stands.

**Why.** A number without a source can't be checked again, and nobody can tell whether it
is the vendor's word, a copy of it, or a memory of it.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 GB"}
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
      - {published: "180 GB", source: bolt-datasheet, locator: memory}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.rules import Problem, StatementEntry, rule


@rule(over="statement")
def unsourced_claim(entry: StatementEntry, _: Corpus) -> Iterator[Problem]:
    """Yield statements without `source` or without `locator`."""
    statement, name = entry.statement, entry.owner.id
    if statement.source is None:
        yield Problem(
            entry.place.at("published"),
            f"{name} prints {statement.published!r} and names no source",
            "add 'source: …' with an id of specs/sources.yml, and 'locator: …'",
            label="who printed this?",
        )
    elif statement.locator is None:
        yield Problem(
            entry.place.at("source"),
            f"{name} prints {statement.published!r} and does not say where in {statement.source}",
            "add 'locator: …' with the table, row or page",
            label="where in it?",
        )
