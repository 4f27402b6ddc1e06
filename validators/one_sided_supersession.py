"""A decision replaces another, and only one of the two says so.

**Why.** Who reads the old record goes on following a retired rule; who reads the new one
never learns what it changed. Both ends are written, or neither counts.

**Refused**

```yaml decision
status: hypothesis
next_measurement: The same on Bolt B8.
supersedes: ["0001"]
```

**Accepted**

```yaml decision
status: draft
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.records.succession import one_sided
from kb.rules import Problem, rule


@rule(over="decision")
def one_sided_supersession(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield every replacement that is written at one end only, or against the status."""
    for fault in one_sided(entry.value.id, corpus):
        related = () if fault.other == fault.place else (Label(fault.other, "the other end"),)
        yield Problem(
            fault.place, fault.message, fault.remedy, label="one end only", related=related
        )
