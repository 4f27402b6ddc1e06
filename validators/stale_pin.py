"""A pinned value has moved within the decision's tolerance and was not stamped anew.

**Why.** Small changes add up: ten steps of one percent are ten percent. Stamping each one
leaves a line in the record's log, so that the whole way can be seen.

**Refused**

```yaml decision
kind: project
status: accepted
confirmation: a test
decision-makers: [Ada]
approvals: [{by: Ada, date: 2026-11-30}]
seal: "59a22949887b9a276f736cd8d6271cbf071bc979ebd2fbdae40c087a6a1de9b1"
tolerance: 10 %
pins:
  - id: acme-x1/chip-hbm-bandwidth
    hash: "00"
    values: {published: 1600 GB/s}
```

**Accepted**

```yaml decision
status: draft
kind: project
tolerance: 10 %
pins:
  - id: acme-x1/chip-hbm-bandwidth
    hash: "00"
    values: {published: 1600 GB/s}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Severity
from kb.model.decision import Decision
from kb.records.pins import MoveKind, moves
from kb.rules import Problem, rule


@rule(over="decision", severity=Severity.WARNING, needs=("pins",))
def stale_pin(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield each pin of an accepted decision that moved, but not too far."""
    decision = entry.value
    if decision.status != "accepted":
        return
    for move in moves(entry, corpus):
        if move.kind is MoveKind.WITHIN:
            yield Problem(
                entry.place.at("pins", move.index, "id"),
                f"{move.pin.id} was {move.before}, is {move.after}: {move.why}",
                f"stamp it anew: kb review {decision.id}",
                label="within tolerance",
            )
