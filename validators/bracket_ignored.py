"""One end of a range is given as the share, where a compiled record only brackets it.

**Why.** Without the device nobody knows whether a product of matrices runs as generated code
or as a library call: the record was compiled both ways, and the truth lies between. Whoever
prints one end has decided what the evidence leaves open.

**Refused**

```yaml artefact
id: matmul-bolt-b8-8-1
```

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
evidence: [matmul-bolt-b8-8-1]
---

A library does [100 %](evidence:matmul-bolt-b8-8-1#library) of the work.
```

**Accepted**

```yaml artefact
id: matmul-bolt-b8-8-1
```

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
evidence: [matmul-bolt-b8-8-1]
---

A library does [0 to 100 %](evidence:matmul-bolt-b8-8-1#library) of the work.
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.share import GROUPS, share_text, shares
from kb.rules import Problem, rule
from kb.rules.citing import citation_problems


@rule(over="decision")
def bracket_ignored(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield single shares that decisions take from a record that gives a range."""
    yield from citation_problems(entry, corpus, "bracket-ignored", "one end of a range")
    yield from _counted(entry, corpus)


def _counted(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    portability = entry.value.portability
    counted = portability.shares if portability else None
    if counted is None or counted.evidence not in corpus.artefacts:
        return
    found = corpus.artefacts[counted.evidence]
    for group in GROUPS:
        low, high = shares(found.value, group)
        if low != high:
            given = getattr(counted, group)
            yield Problem(
                entry.place.at("portability", "shares", group),
                f"{given} % is given for {group.replace('_', '-')} kernels, and "
                f"{found.value.id} only brackets their part between "
                f"{share_text(found.value, group)} of FLOPs",
                "give a profile to `kb audit RECORD --profile FILE`, or leave portability open",
                label="one end of a range" if given in (0, 100) else "inside a range",
                related=(Label(found.place.at("variants"), "compiled in two ways"),),
            )
            return
