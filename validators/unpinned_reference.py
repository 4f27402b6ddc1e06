"""An accepted decision relies on a value that it doesn't pin.

**Why.** Without a pin nobody hears of it when the value changes, and the decision goes on
citing a figure that it was not made with.

**Refused**

```yaml decision
kind: project
status: accepted
confirmation: a test
decision-makers: [Ada]
approvals: [{by: Ada, date: 2026-11-30}]
seal: "257233a57b564d9dac2d3cf56958fa15a4e3b189744e7832942cb524eb28f555"
comparisons:
  - {left: bolt-b8/gpu-hbm-bandwidth, right: acme-x1/chip-hbm-bandwidth}
```

**Accepted**

```yaml decision
status: draft
comparisons:
  - {left: bolt-b8/gpu-hbm-bandwidth, right: acme-x1/chip-hbm-bandwidth}
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.records.needs import grounded
from kb.records.pins import unpinned
from kb.rules import Problem, rule


@rule(over="decision")
def unpinned_reference(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield an accepted decision that has no pin for something it relies on."""
    decision = entry.value
    if decision.status != "accepted" or not grounded(decision, corpus):
        return
    names = unpinned(entry, corpus)
    if names:
        yield Problem(
            entry.place.at("status"),
            f"decision {decision.id} is accepted and pins nothing for {', '.join(names)}",
            f"pin the values of today: kb review {decision.id}",
            label="not pinned",
        )
