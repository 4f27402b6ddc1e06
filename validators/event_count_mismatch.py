"""A decision cites samples among which the program was compiled, or never seen to be compiled.

**Why.** Exactly one compilation belongs before the samples and none among them. Another count means
that a time holds compilation, or that another program ran than the one described.

**Refused**

```yaml evidence
events: {compilations_during_samples: 2}
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
def event_count_mismatch(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records whose count of compilations is off."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.EVENT_COUNTS,
        field="events",
        label="compiled at another time",
        remedy="fix the shapes, so that it compiles once before the samples, and measure again",
    )
