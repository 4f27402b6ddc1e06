"""A claim's id begins with one part of the product, and its scope is another.

**Why.** People choose claims by their ids. Under `chip-hbm-capacity` a board's figure is
taken for a chip's, and is wrong by the number of chips.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: board
    basis: advertised
    statements:
      - {published: "1.4 TB", source: bolt-datasheet, locator: memory}
```

**Accepted**

```yaml spec
claims:
  - id: board-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: board
    basis: advertised
    statements:
      - {published: "1.4 TB", source: bolt-datasheet, locator: memory}
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.qualifiers import Scope
from kb.rules import Problem, rule

PARTS = frozenset(scope.value for scope in Scope)


@rule(over="claim")
def scope_of_another_part(entry: ClaimEntry, _: Corpus) -> Iterator[Problem]:
    """Yield a claim whose id names another part than its scope."""
    named = entry.claim.id.partition("-")[0]
    scope = entry.claim.value_of("scope")
    if named in PARTS and isinstance(scope, Scope) and scope.value != named:
        yield Problem(
            entry.place.at("id"),
            f"{entry.id} is named after a {named}, but its scope is {scope}",
            f"correct the scope, or rename the claim to begin with '{scope}-'",
            label=f"scope: {scope}",
        )
