"""A comparison is undecided, since a source leaves a needed axis open.

**Why.** A figure that may count one direction or both, or may be dense or sparse, gives
two ratios. Until a source settles the axis, neither may be relied on. A sourced
assessment in the specification, cited by the record, is the way to go on meanwhile.

**Refused**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: unstated
    aggregation: total
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: links}
```

```yaml decision
comparisons:
  - left: example/gpu-link-bandwidth
    right: acme-x1/chip-link-bandwidth
```

**Accepted**

```yaml spec
claims:
  - id: gpu-link-bandwidth
    metric: link_bandwidth
    interface: nvlink
    scope: gpu
    direction: unstated
    aggregation: total
    basis: vendor_peak
    statements:
      - {published: "1.8 TB/s", source: bolt-datasheet, locator: links}
    assessments:
      - axis: direction
        value: bidirectional_sum
        reasoning: The guide calls link figures the sum of two directions.
        sources: [bolt-guide]
```

```yaml decision
comparisons:
  - left: example/gpu-link-bandwidth
    right: acme-x1/chip-link-bandwidth
    assessments: ["example/gpu-link-bandwidth#direction"]
```
"""

from collections.abc import Iterator

from kb.quantity import decimal_text
from kb.rules import Judged, Problem, Reason, Severity, Side, evidence_of, rule, way_out


@rule(over="comparison", severity=Severity.WARNING, needs=("verdict.reasons",))
def undetermined_comparison(judged: Judged) -> Iterator[Problem]:
    """Yield one problem for each axis that stays open."""
    for reason in judged.still_open:
        yield Problem(
            judged.place.at(_open_side(reason)),
            f"{judged.left.id} against {judged.right.id} is undecided: {reason.axis} is open; "
            f"{reason.why}{_readings(judged)}",
            _remedy(judged, reason),
            label=f"{reason.axis} is unstated",
            related=evidence_of(judged, reason.axis),
        )


def _open_side(reason: Reason) -> Side:
    """The side that a source leaves open; one where the axis doesn't apply is not to blame."""
    if "unstated" in (reason.left, reason.right):
        return "left" if reason.left == "unstated" else "right"
    return "left" if reason.left == "not stated" else "right"


def _remedy(judged: Judged, reason: Reason) -> str:
    instead = way_out(judged, "")
    find = f"find {reason.settle}" if reason.settle else "add a sourced assessment and cite it"
    return f"{instead}, or {find}" if instead else find


def _readings(judged: Judged) -> str:
    """The ratios that the open axis would allow, where there are several."""
    ratios = [decimal_text(item.ratio, 3) for item in judged.verdict.conditional]
    return f" (the ratio would be {' or '.join(ratios)})" if len(ratios) > 1 else ""
