"""Two claims of a product have the same qualifiers and print different values.

**Why.** What a reader can't tell apart by its qualifiers must not differ in value: either
an axis that separates the two is missing, or they are one claim with two statements.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "96 GB", source: bolt-datasheet, locator: memory}
  - id: gpu-memory
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "80 GB", source: bolt-datasheet, locator: overview}
```

**Accepted**

```yaml spec
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    precedence: The memory table is newer than the overview.
    statements:
      - {published: "96 GB", source: bolt-datasheet, locator: memory}
      - {published: "80 GB", source: bolt-datasheet, locator: overview, status: superseded}
```
"""

from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.finding import Label, Severity
from kb.model.claim import AXES
from kb.model.product import Product
from kb.qualifiers import Metric, Role
from kb.quantity import QuantityError
from kb.rules import Problem, operand_of, rule

METRICS = (Metric.MEMORY_CAPACITY, Metric.MEMORY_BANDWIDTH, Metric.LINK_BANDWIDTH)
ROLES = (Role.DEVICE_MEMORY, Role.SCALE_UP_LINK)
"""A product has one device memory and one kind of scale-up link."""


@rule(over="product", severity=Severity.WARNING)
def twin_claims(entry: Entry[Product], corpus: Corpus) -> Iterator[Problem]:
    """Yield the later of two claims that only their value tells apart."""
    first: dict[object, ClaimEntry] = {}
    for claim in corpus.claims_of(entry.value.product):
        try:
            side = operand_of(claim)
        except QuantityError:
            continue
        told_apart = claim.claim.metric not in METRICS or side.get("role") not in ROLES
        if told_apart or side.get("basis") == "measured":
            continue  # counts, caches and measurements are told apart by more than axes
        profile = (claim.claim.metric, *(str(side.get(axis)) for axis in AXES))
        twin = first.setdefault(profile, claim)
        if twin is claim or operand_of(twin).quantity.interval.overlaps(side.quantity.interval):
            continue
        printed = claim.claim.current.published
        yield Problem(
            claim.place.at("id"),
            f"{claim.id} prints {printed!r} and {twin.id} {twin.claim.current.published!r} "
            "under the same qualifiers",
            "add the axis that tells them apart, or make them statements of one claim",
            label=f"{printed}",
            related=(Label(twin.place.at("id"), twin.claim.current.published),),
        )
