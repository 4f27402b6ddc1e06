"""A decision took a status that can't follow the one before.

**Why.** A record goes from draft to hypothesis to accepted, and ends superseded, deprecated
or rejected. A decision that was rejected and is accepted later is another decision, with
its own evidence; it gets a record of its own.

**Refused**

```yaml decision
status: rejected
log:
  - {date: 2026-11-01, event: draft}
  - {date: 2026-11-02, event: superseded}
  - {date: 2026-11-03, event: rejected}
```

**Accepted**

```yaml decision
status: rejected
log:
  - {date: 2026-11-01, event: draft}
  - {date: 2026-11-03, event: rejected, note: Nobody could measure it.}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.records.life import breaks
from kb.rules import Problem, rule


@rule(over="decision", needs=("log",))
def illegal_transition(entry: Entry[Decision], _: Corpus) -> Iterator[Problem]:
    """Yield every step of a record's log that its life doesn't allow."""
    decision = entry.value
    for index, why in breaks(decision):
        place = entry.place.at("status") if index is None else entry.place.at("log", index)
        yield Problem(
            place,
            f"decision {decision.id}: {why}",
            "write what happened, in its order; `kb status <id> <status>` takes a legal step",
            label="out of turn",
        )
