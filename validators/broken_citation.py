"""A typed link in a decision's prose leads to nothing.

**Why.** A number in prose is only as good as the record behind it. A link to a claim, a
record or a decision that isn't there backs nothing, and nobody notices when it moves.

**Refused**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

One chip reads [1638 GB/s](claim:acme-x1/chip-hbm-bandwith).
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

One chip reads [1638 GB/s](claim:acme-x1/chip-hbm-bandwidth).
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, rule
from kb.rules.citing import citation_problems


@rule(over="decision")
def broken_citation(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield every citation whose target is not in the knowledge base."""
    yield from citation_problems(entry, corpus, "broken-citation", "leads nowhere")
