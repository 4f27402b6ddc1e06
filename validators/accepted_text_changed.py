"""The text of an accepted decision is not what was accepted.

**Why.** Whoever follows a decision follows what was approved. A text that changes
afterwards changes the decision behind their backs. Pins, links, the log and a marked
erratum may change; everything else takes a new record that supersedes this one.

**Refused**

```yaml decision
kind: project
status: deprecated
seal: "0000000000000000000000000000000000000000000000000000000000000000"
```

**Accepted**

```yaml decision
kind: project
status: draft
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.records.life import DECIDED
from kb.records.reliance import body_of
from kb.records.seal import seal_of
from kb.rules import Problem, rule


@rule(over="decision", needs=("seal",))
def accepted_text_changed(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield decided records whose seal doesn't fit their content."""
    decision = entry.value
    if decision.status not in DECIDED or decision.seal is None:
        return
    content = seal_of(decision, body_of(entry, corpus))
    if content != decision.seal:
        yield Problem(
            entry.place.at("seal"),
            f"decision {decision.id} was sealed as {decision.seal[:12]}…, and its content gives "
            f"{content[:12]}…",
            "restore the text as it was accepted; correct a slip in a quoted block that begins "
            "'> **Erratum <day>**'; for anything else write a new decision and type: "
            f"kb supersede {decision.id} <new id>",
            label="changed after it was accepted",
        )
