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

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.records.succession import circle_of
from kb.rules import Problem, rule


@rule(over="decision", needs=("supersedes",))
def circular_supersession(entry: Entry[Decision], corpus: Corpus) -> Iterator[Problem]:
    """Yield each circle once, at the link that closes it."""
    circle = circle_of(entry.value.id, corpus)
    if circle is None or entry.value.id != _teller(circle, corpus):
        return
    last, first = circle[-1], circle[0]
    places = [
        corpus.decisions[one].place.at(
            "supersedes", corpus.decisions[one].value.supersedes.index(other)
        )
        for one, other in zip(circle, (*circle[1:], first), strict=True)
    ]
    yield Problem(
        places[-1],
        f"{' supersedes '.join((*circle, first))}",
        f"take the wrong link out of {corpus.decisions[last].place.path}: the later decision "
        "supersedes",
        label="closes the circle",
        related=tuple(Label(place, "part of the circle") for place in places[:-1]),
    )


def _teller(circle: tuple[str, ...], corpus: Corpus) -> str:
    """Of the decisions that see this circle as their shortest, the one that tells of it."""
    return min(one for one in circle if circle_of(one, corpus) == circle)
