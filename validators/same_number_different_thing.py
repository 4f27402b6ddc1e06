"""Two sides print the same digits and are not the same kind of thing.

**Why.** Equal digits are the strongest temptation to set two figures side by side: 144
dense and 144 sparse petaFLOPS, 1.8 TB/s of memory and 1.8 TB/s of links. That they agree
is chance. This warning stands beside the finding that says what differs, and stays where
that one is waived.

**Refused**

```yaml spec
claims:
  - id: gpu-hbm-bandwidth
    metric: memory_bandwidth
    interface: hbm
    scope: gpu
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: memory}
```

```yaml decision
comparisons:
  - left: example/gpu-hbm-bandwidth
    right: bolt-b8/gpu-link-bandwidth  # kb: ignore[memory-versus-link] shown as a trap
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-bandwidth
```
"""

from collections.abc import Iterator

from kb.finding import Label
from kb.rules import Judged, Problem, Severity, VerdictKind, current_place, printed, rule, way_out


@rule(over="comparison", severity=Severity.WARNING, needs=("verdict.reasons",))
def same_number_different_thing(judged: Judged) -> Iterator[Problem]:
    """Yield refused comparisons whose sides print the same two or more digits."""
    left, right = (operand.quantity for operand in judged.operands)
    refused = judged.verdict.kind is VerdictKind.NOT_COMPARABLE
    if not refused or left.digits != right.digits or len(left.digits) < 2:
        return
    axes = " and ".join(dict.fromkeys(r.axis.replace("_", " ") for r in judged.verdict.reasons))
    yield Problem(
        judged.place.at("left"),
        f"{judged.left.id} and {judged.right.id} both print {left.text_number}, and differ in "
        f"{axes}: the equal digits are chance",
        way_out(judged, "remove the comparison, or say in its note that the digits mislead"),
        label="the same digits, another thing",
        related=tuple(
            Label(current_place(entry), f"{entry.id}: {printed(entry)}")
            for entry in (judged.left, judged.right)
        ),
    )
