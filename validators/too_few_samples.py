"""A decision cites a median of too few samples.

**Why.** Below twenty samples the interval of a median is wide or does not exist, and one
busy moment of the machine decides the number.

**Refused**

```yaml evidence
measurements:
  "0":
    samples: [0.0013, 0.00132, 0.00134, 0.00132, 0.00132]
    n: 5
    interval: null
guard: {ready_at_stop: [true, true, true, true, true]}
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
def too_few_samples(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records with too few samples for an interval of the median."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.ENOUGH_SAMPLES,
        field="measurements",
        label="too few",
        remedy="measure again with at least 20 samples, or cite another record",
    )
