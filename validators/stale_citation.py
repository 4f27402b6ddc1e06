"""The text of a typed link says another value than its target.

**Why.** Figures get corrected; sentences stay. A citation whose text disagrees with its
claim, in digits or in unit, shows the reader a number that no source prints any more.
`kb fix` writes the right text.

**Refused**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

One chip holds [32 GiB](claim:acme-x1/chip-hbm-capacity).
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

One chip holds [32 GB](claim:acme-x1/chip-hbm-capacity).
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, rule
from kb.rules.citing import citation_problems


@rule(over="decision")
def stale_citation(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield every citation whose text and target differ."""
    yield from citation_problems(entry, corpus, "stale-citation", "not what the target says")
