"""A decision cites an evidence record that misses a gate.

**Why.** A record that is not correct, not synchronised, drifting, or faster than the peak
is kept, since it teaches something about the measurement. It says nothing about the
product, so no decision may rest on it.

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
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.gates import gates
from kb.rules import Problem, rule


@rule(over="decision")
def unpublishable_evidence(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield cited records of which a gate, computed anew, does not pass."""
    for index, name in enumerate(entry.value.evidence):
        record = corpus.evidence.get(name)
        if record is None:
            continue
        missed = [gate for gate in gates(record.value) if not gate.passed]
        if missed:
            yield Problem(
                entry.place.at("evidence", index),
                f"{name} misses {'a gate' if len(missed) == 1 else 'gates'}: "
                + " ".join(f"{gate.gate.value.replace('_', ' ')}: {gate.why}" for gate in missed),
                "measure again until every gate passes, or cite another record",
                label="not fit to be relied on",
                related=(Label(record.place.at("gates"), "the gates as stored"),),
            )
