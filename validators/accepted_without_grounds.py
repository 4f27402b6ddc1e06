"""An accepted decision doesn't say what it stands on.

**Why.** Acceptance says which bottleneck was seen at which boundary, which layer changed,
that evidence covers the shapes and the scale that will run, within which tolerance, and
what the choice costs. Without them the record is a hypothesis, however good it looks.

**Refused**

```yaml decision
kind: project
status: accepted
decision-makers: [Ada]
approvals: [{by: Ada, date: 2026-11-30}]
seal: "026d597e4d4dd52bcb8d3cb2a8a8a6c1dbdb2b6378dc6d58c331ce349634101a"
```

**Accepted**

```yaml decision
kind: project
status: draft
decision-makers: [Ada]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.records.life import before_acceptance
from kb.records.needs import grounded, needs
from kb.rules import Problem, rule


@rule(over="decision")
def accepted_without_grounds(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield everything that an accepted decision lacks, each at its place."""
    decision = entry.value
    if decision.status != "accepted" or not grounded(decision, corpus):
        return  # accepted-without-evidence says so
    for need in needs(entry, corpus):
        yield Problem(
            entry.place.at(*need.route),
            f"decision {decision.id} is accepted without {need.what}",
            f"{need.remedy}, or go back to 'status: {before_acceptance(decision)}'",
            label="not enough",
        )
