"""A quantity or a ratio in a decision's prose cites nothing.

**Why.** A decision is read years later. A number without a link can't be checked, doesn't
move when its source does, and often mixes units or scopes without anybody seeing it.

**Refused**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

One chip holds 32 GB.
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---

One chip holds [32 GB](claim:acme-x1/chip-hbm-capacity), as the old sheet's `32 GiB` meant.
```
"""

import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules import Problem, rule
from kb.rules.citing import uncited_amounts

_TIME = re.compile(r"\d\s?(?:[nuµμm]?s|(?:nano|micro|milli)?seconds?|min(?:utes?)?)\Z")


def _kind(text: str) -> str:
    """What holds such an amount: the catalogue knows no times, evidence does."""
    return "evidence:…#…" if _TIME.search(text) else "claim:…"


@rule(over="decision")
def uncited_quantity(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield every number of the decisions' prose that is no citation and no code."""
    for place, text in uncited_amounts(entry, corpus):
        yield Problem(
            place,
            f"the prose says '{text}' and cites nothing",
            f"cite what it rests on, such as [{text}]({_kind(text)}), or leave the number out",
            label="whose number?",
        )
