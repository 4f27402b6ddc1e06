"""A decision cites times whose clock stopped before the work was done.

**Why.** Accelerators work asynchronously: a call returns when the work is queued. A clock that
stops then measures the queue, and the faster the host, the better it looks. So does a pair of
events in a stream in which the work does not run: a record of a CUDA run holds the steps
around a sample, and their order alone shows whether both ends enclose the work.

**Refused**

```yaml evidence
guard: {ready_at_stop: {"3": false}}
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
def unsynchronised(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records in which some sample was not waited for."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.SYNCHRONISED,
        field="guard",
        label="stopped too early",
        remedy="wait for every result before the clock stops and measure again",
    )
