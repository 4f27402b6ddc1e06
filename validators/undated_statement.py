"""A current statement has no date, and its source has neither a date nor an edition.

**Why.** Vendors change their pages without a word. A figure that can't be placed in time
never answers what was known on a day, and nobody can tell whether it is still printed.

**Refused**

```yaml sources
sources:
  bolt-page:
    title: Bolt B8 product page
    publisher: Bolt
    kind: vendor_page
```

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 GB", source: bolt-page, locator: memory}
```

**Accepted**

```yaml sources
sources:
  bolt-page:
    title: Bolt B8 product page
    publisher: Bolt
    kind: vendor_page
    retrieved: 2026-08-26
```

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "180 GB", source: bolt-page, locator: memory}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.finding import Label, Severity
from kb.rules import Problem, StatementEntry, rule


@rule(over="statement", severity=Severity.NOTE)
def undated_statement(entry: StatementEntry, corpus: Corpus) -> Iterator[Problem]:
    """Yield current statements that nothing places in time."""
    statement = entry.statement
    source = corpus.sources.get(statement.source or "")
    if statement.status != "current" or statement.as_of is not None or source is None:
        return
    if source.value.retrieved is None and source.value.version is None:
        yield Problem(
            entry.place.at("source"),
            f"{entry.owner.id} stands on {statement.published!r} by {statement.source}, which has "
            "no date and no edition",
            f"add 'as_of: <day>' here, or 'retrieved: <day>' to the source {statement.source}",
            label="of which day?",
            related=(Label(source.place, f"the source {statement.source}"),),
        )
