"""A system's figure is not what its parts add up to.

**Why.** A board of eight GPUs has eight times the memory of one, within the printed digits.
Where it has not, one of the two figures is of another product or edition, counts in another
unit, or is rounded more than it shows. Division by the number of parts then gives a figure
that nobody printed.

**Refused**

```yaml spec
composition:
  board: {of: gpu, count: 8, source: bolt-datasheet, locator: overview}
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "270 GB", source: bolt-datasheet, locator: memory}
  - id: board-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: board
    basis: advertised
    statements:
      - {published: "2.1 TB", source: bolt-datasheet, locator: memory}
```

**Accepted**

```yaml spec
composition:
  board: {of: gpu, count: 8, source: bolt-datasheet, locator: overview}
claims:
  - id: gpu-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "270 GB", source: bolt-datasheet, locator: memory}
  - id: board-hbm-capacity
    metric: memory_capacity
    interface: hbm
    scope: board
    basis: advertised
    statements:
      - {published: "2.2 TB", source: bolt-datasheet, locator: memory}
```
"""

from collections.abc import Iterator
from fractions import Fraction

from kb.corpus import ClaimEntry, Corpus
from kb.derive import is_additive
from kb.finding import Label, Severity
from kb.qualifiers import Interface, Scope
from kb.quantity import Interval, Quantity
from kb.rules import Problem, current, current_place, in_unit, operand_of, rule, siblings


@rule(over="claim", severity=Severity.WARNING)
def scope_arithmetic(entry: ClaimEntry, corpus: Corpus) -> Iterator[Problem]:
    """Yield an additive figure that no claim about its parts adds up to."""
    whole = current(entry)
    if whole is None or whole.approximate or not is_additive(operand_of(entry)):
        return
    found = []
    for part, printed in siblings(entry, entry.product.product, corpus, apart=("scope", "count")):
        count = _count(entry, part)
        if count is None or printed.approximate:
            continue
        if printed.interval.scale(Fraction(count)).overlaps(whole.interval):
            return
        found.append((part, printed, count))
    if found:
        yield _problem(entry, whole, *found[0])


def _problem(
    entry: ClaimEntry, whole: Quantity, part: ClaimEntry, printed: Quantity, count: int
) -> Problem:
    sum_ = in_unit(printed.base * count, whole)
    allowed = _between(printed.interval.scale(Fraction(count)), whole)
    return Problem(
        current_place(entry),
        f"{entry.id} prints {whole.text!r}, but {count} × {printed.text} ({part.id}) is {sum_} "
        f"({allowed} by the printed digits)",
        "look both figures up again; where the source itself contradicts the sum, say so: "
        "# kb: ignore[scope-arithmetic] <reason>",
        label=f"not {count} × {printed.text}",
        related=(Label(current_place(part), f"{part.id}: {printed.text}"),),
    )


def _count(entry: ClaimEntry, part: ClaimEntry) -> int | None:
    """How many of the parts make up the whole; None where they are no such pair."""
    scope, inner = entry.claim.value_of("scope"), part.claim.value_of("scope")
    if not isinstance(scope, Scope) or not isinstance(inner, Scope):
        return None
    if part.claim.value_of("count") is not None or scope.level <= inner.level or inner.level == 0:
        return None
    stated = entry.claim.value_of("count")
    if isinstance(stated, int):
        # The network of a virtual machine is set by its type, not by its accelerators.
        network = entry.claim.value_of("interface") is Interface.NIC
        return None if network or inner.level != 2 else stated
    return entry.product.count_in(scope, inner)


def _between(allowed: Interval, whole: Quantity) -> str:
    return f"{in_unit(allowed.low, whole)} to {in_unit(allowed.high, whole)}"
