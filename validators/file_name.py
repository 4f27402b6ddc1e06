"""A file's name is not the id that stands in it.

**Why.** People and tools find a record by its file: `specs/<vendor>/<product>.yml`,
`decisions/<id>-<words>.md`, `evidence/<id>.json`. A record under another name is not
found, and a later one may be written beside it.

**Refused**

```markdown decision
---
id: "0005"
title: An example
status: draft
date: 2026-11-30
---
```

**Accepted**

```markdown decision
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
---
```
"""

from collections.abc import Iterator
from pathlib import PurePosixPath

from kb.corpus import ClaimEntry, Corpus
from kb.model.product import Family, Product, Source
from kb.rules import Item, Problem, rule
from kb.source import Place


@rule(over="record")
def file_name(entry: Item, corpus: Corpus) -> Iterator[Problem]:
    """Yield records whose file is named after something else."""
    if isinstance(entry, ClaimEntry):
        return
    match entry.value:
        case Product(product=name):
            yield from _named(entry.place.at("product"), name)
        case Source():
            if _is_first(entry.place, corpus):
                yield from _named(Place(entry.place.path).at("sources").key(), "sources")
        case Family():
            return
        case record:
            from kb.model.decision import Decision  # late: most files are specifications

            prefix = isinstance(record, Decision)
            yield from _named(entry.place.at("id"), record.id, prefix=prefix)


def _is_first(source: Place, corpus: Corpus) -> bool:
    """Whether a source is the first of its file: one file, one finding."""
    listed = corpus.documents[source.path].data["sources"]
    return next(iter(listed), None) == source.route[-1]


def _named(place: Place, name: str, *, prefix: bool = False) -> Iterator[Problem]:
    stem = place.path.rpartition("/")[2].rpartition(".")[0]
    if stem == name or (prefix and stem.startswith(f"{name}-")):
        return
    path = PurePosixPath(place.path)
    tail = "-<words>" if prefix else ""
    yield Problem(
        place,
        f"'{name}' stands in a file that is called {path.name}",
        f"rename the file to {name}{tail}{path.suffix}, or correct the id",
        label=f"the file is called {path.name}",
    )
