"""A decision cites a record that leaves out what it was measured with.

**Why.** Versions, device and command are what a second person needs to see the same number. Without
them a difference between two records can be a difference between two compilers.

**Refused**

```yaml evidence
environment: {backend_version: unknown}
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
def missing_environment(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records of which device, versions or command are unknown."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.FINGERPRINT_COMPLETE,
        field="environment",
        label="can't be repeated",
        remedy="measure where device, versions and command can be read, or cite another record",
    )
