"""Decisions replace each other in a circle.

**Why.** In a circle every decision is out of force, so nothing is decided, and a reader who
follows the links never arrives.

**Refused**

```yaml decision
status: superseded
supersedes: ["0002"]
superseded_by: ["0002"]
```

**Accepted**

```yaml decision
status: draft
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.finding import Label
from kb.records.succession import circles
from kb.rules import Problem, rule


@rule(over="corpus")
def circular_supersession(corpus: Corpus) -> Iterator[Problem]:
    """Yield each circle once, at the link that closes it."""
    for circle in circles(corpus):
        last, first = circle[-1], circle[0]
        entry = corpus.decisions[last]
        places = [
            corpus.decisions[one].place.at(
                "supersedes", corpus.decisions[one].value.supersedes.index(other)
            )
            for one, other in zip(circle, (*circle[1:], first), strict=True)
        ]
        yield Problem(
            places[-1],
            f"{' supersedes '.join((*circle, first))}",
            f"take the wrong link out of {entry.place.path}: the later decision supersedes",
            label="closes the circle",
            related=tuple(Label(place, "part of the circle") for place in places[:-1]),
        )
