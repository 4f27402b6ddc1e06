"""Times or rates that enclose different things are set side by side.

**Why.** A dispatch ends before the work is done; a compilation is no execution; a device
event leaves out the host. A ratio of two such times says where the clocks were started
and stopped.

**Refused**

```yaml spec
claims:
  - id: matmul-dispatch
    metric: latency
    basis: measured
    boundary: dispatch_only
    statements:
      - {published: "20 us", source: bolt-datasheet, locator: times}
  - id: matmul-warm
    metric: latency
    basis: measured
    boundary: warm_host
    statements:
      - {published: "1.3 ms", source: bolt-datasheet, locator: times}
```

```yaml decision
comparisons:
  - left: example/matmul-dispatch
    right: example/matmul-warm
```

**Accepted**

```yaml spec
claims:
  - id: matmul-warm
    metric: latency
    basis: measured
    boundary: warm_host
    statements:
      - {published: "1.3 ms", source: bolt-datasheet, locator: times}
  - id: matmul-warm-before
    metric: latency
    basis: measured
    boundary: warm_host
    statements:
      - {published: "1.4 ms", source: bolt-datasheet, locator: times}
```

```yaml decision
comparisons:
  - left: example/matmul-warm
    right: example/matmul-warm-before
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def boundary_mismatch(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in what the intervals enclose."""
    yield from refusals(judged, "boundary", otherwise="compare two values of one boundary")
