"""A product goes by a name that means another product, or several.

**Why.** A name is how a table or a sentence says what it speaks of. Where two products
share one, every figure under it may be the other's; and a name that is listed for a whole
family never leads to one member, so an alias of that spelling is dead.

**Refused**

```yaml spec
name: Example
aliases: [Bolt B8]
```

**Accepted**

```yaml spec
name: Example
aliases: [Example B8]
```
"""

from collections.abc import Iterator

from kb.corpus import Corpus, Entry, normal_name
from kb.finding import Label
from kb.model.product import Product
from kb.rules import Problem, rule
from kb.source import Place


@rule(over="corpus")
def confusable_name(corpus: Corpus) -> Iterator[Problem]:
    """Yield names of a product that a family, or an earlier product, has too."""
    families = {normal_name(f.value.name): f for f in corpus.families}
    taken: dict[str, Entry[Product]] = {}
    # What the project adds must keep clear of what came with the installation.
    for entry in sorted(corpus.products.values(), key=lambda entry: entry.own):
        for name, place in _names(entry):
            spellings = _spellings(name, entry.value)
            if family := next((families[s] for s in spellings if s in families), None):
                members = ", ".join(family.value.members)
                yield _problem(entry, name, place, f"the family of {members}", family.place)
            elif other := next((taken[s] for s in spellings if s in taken), None):
                yield _problem(entry, name, place, other.value.product, other.place)
        for name in (entry.value.product, *(name for name, _ in _names(entry))):
            for spelling in _spellings(name, entry.value):
                taken.setdefault(spelling, entry)


def _problem(entry: Entry[Product], name: str, place: Place, meant: str, related: Place) -> Problem:
    return Problem(
        place,
        f"{entry.value.product} goes by {name!r}, which also means {meant}",
        "use a name that means this product alone, or list the shared name as a family in "
        "specs/sources.yml and remove it here",
        label="whose name?",
        related=(Label(related, meant),),
    )


def _names(entry: Entry[Product]) -> Iterator[tuple[str, Place]]:
    yield entry.value.name, entry.place.at("name")
    for index, alias in enumerate(entry.value.aliases):
        yield alias, entry.place.at("aliases", index)


def _spellings(name: str, product: Product) -> tuple[str, str]:
    return normal_name(name), normal_name(f"{product.vendor} {name}")
