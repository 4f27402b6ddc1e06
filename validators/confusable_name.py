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

from kb.corpus import Corpus, Entry, Naming, normal_name
from kb.finding import Label
from kb.model.product import Product
from kb.rules import Problem, rule
from kb.source import Place


@rule(over="product")
def confusable_name(entry: Entry[Product], corpus: Corpus) -> Iterator[Problem]:
    """Yield names of a product that a family, or an earlier product, has too."""
    own = Naming.of(entry)
    families = corpus.names.families_by_name
    for name, place in _names(entry):
        spellings = _spellings(name, own)
        if family := next((families[s] for s in spellings if s in families), None):
            members = ", ".join(family.value.members)
            yield _problem(entry, name, place, f"the family of {members}", family.place)
        elif other := _earlier(spellings, own, corpus):
            yield _problem(entry, name, place, other.product, other.place)


def _earlier(spellings: tuple[str, str], own: Naming, corpus: Corpus) -> Naming | None:
    """The first product before this one that has one of the spellings.

    What the project adds must keep clear of what came with the installation.
    """
    for spelling in spellings:
        for other in corpus.names.holders(spelling):
            if other.product == own.product:
                break
            return other
    return None


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


def _spellings(name: str, product: Naming) -> tuple[str, str]:
    return normal_name(name), normal_name(f"{product.vendor} {name}")
