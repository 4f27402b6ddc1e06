"""A ratio in a decision's prose cites a comparison that allows none.

**Why.** A ratio between a board and a chip, or between a memory and a link, is an artefact
of what was set side by side. Where the verdict allows no ratio, no sentence may print one.

**Refused**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

That is [4.3×](compare:bolt-b8/gpu-hbm-bandwidth..acme-x1/chip-link-bandwidth) as much.
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

That is [4.7×](compare:bolt-b8/gpu-hbm-bandwidth..acme-x1/chip-hbm-bandwidth) as much.
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, rule
from kb.rules.citing import citation_problems


@rule(over="decision")
def compare_citation_without_ratio(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield every cited comparison whose verdict allows no ratio."""
    yield from citation_problems(entry, corpus, "compare-citation-without-ratio", "no ratio exists")
