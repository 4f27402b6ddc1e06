"""A decision cites samples that grow or shrink while they are taken.

**Why.** Samples that drift have no median: the clock falls as the chip heats, or caches still fill.
A longer run would give another number, and a shorter one a third.

**Refused**

```yaml evidence
measurements:
  "0": {drift: {relative_change: 0.23}}
```

```yaml decision
evidence: [matmul-acme-x1-1]
```

**Accepted**

```yaml decision
evidence: [matmul-acme-x1-1]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.model.evidence import GateName
from kb.rules import Problem, missed_gates, rule


@rule(over="decision", needs=("evidence",))
def drifting_samples(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records whose last third of samples differs from the first by over 10 %."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.STEADY,
        field="measurements",
        label="not steady",
        remedy="warm up for longer or fix the clocks, and measure again",
    )
