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

from kb.corpus import Corpus
from kb.rules import Problem, rule
from kb.source import Place


@rule(over="corpus")
def file_name(corpus: Corpus) -> Iterator[Problem]:
    """Yield records whose file is named after something else."""
    for product in corpus.products.values():
        if product.own:
            yield from _named(product.place.at("product"), product.value.product)
    for decision in corpus.decisions.values():
        yield from _named(decision.place.at("id"), decision.value.id, prefix=True)
    for record in corpus.evidence.values():
        yield from _named(record.place.at("id"), record.value.id)
    for published in corpus.imports.values():
        yield from _named(published.place.at("id"), published.value.id)
    for study in corpus.studies.values():
        yield from _named(study.place.at("id"), study.value.id)
    for path in {entry.place.path for entry in corpus.sources.values() if entry.own}:
        yield from _named(Place(path).at("sources").key(), "sources")


def _named(place: Place, name: str, *, prefix: bool = False) -> Iterator[Problem]:
    path = PurePosixPath(place.path)
    if path.stem == name or (prefix and path.stem.startswith(f"{name}-")):
        return
    tail = "-<words>" if prefix else ""
    yield Problem(
        place,
        f"'{name}' stands in a file that is called {path.name}",
        f"rename the file to {name}{tail}{path.suffix}, or correct the id",
        label=f"the file is called {path.name}",
    )
