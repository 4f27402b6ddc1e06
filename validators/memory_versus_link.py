"""The rate of a memory and the rate of a link are set side by side.

**Why.** Both are printed in TB/s and the digits can be close. A memory feeds one
accelerator, a link joins several; the two limit different programs, so their ratio means
nothing.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-link-bandwidth
    right: acme-x1/chip-hbm-bandwidth
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-bandwidth
```
"""

from collections.abc import Iterator

from kb.rules import Judged, Problem, refusals, rule


@rule(over="comparison", needs=("verdict.reasons",))
def memory_versus_link(judged: Judged) -> Iterator[Problem]:
    """Yield a difference in interface where the metrics differ as well."""
    if judged.differing("metric"):
        yield from refusals(
            judged, "interface", otherwise="compare memory with memory, link with link"
        )
