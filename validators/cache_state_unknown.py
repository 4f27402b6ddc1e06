"""A decision cites a record that does not know what came from a compilation cache.

**Why.** A compilation of 30 ms becomes 0.3 ms when it is taken from memory, and the framework may
say nothing. Without the state of the caches a first call or a compile time means nothing.

**Refused**

```yaml evidence
cache: {state: unknown}
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
def cache_state_unknown(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records whose cache events contradict each other."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.CACHE_STATE_KNOWN,
        field="cache",
        label="cold, warm or neither",
        remedy="measure again in a fresh process with the caches set or cleared on purpose",
    )
