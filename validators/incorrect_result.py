"""A decision cites a record whose result is wrong, or was never shown to be right.

**Why.** A program that computes something else is not the program that was to be measured,
and it is often faster. The result of the timed executable is held against a float64
reference with a tolerance that was declared before the run.

**Refused**

```yaml evidence
correctness: {nan_count: 3, passed: false}
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
def incorrect_result(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records whose result is out of tolerance, not finite, or unchecked."""
    yield from missed_gates(
        entry,
        corpus,
        GateName.CORRECT,
        field="correctness",
        label="not the right result",
        remedy="correct the program and measure again, or cite another record",
    )
