"""Finding a record by what a person typed, or saying what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from kb.corpus import ClaimEntry, Corpus
from kb.finding import CheckError, quoted
from kb.model.product import Product


def claim(corpus: Corpus, name: str) -> ClaimEntry:
    """The claim `<product>/<claim>`; raises `CheckError` with the nearest ids."""
    found = corpus.claims.get(name)
    if found is not None:
        return found
    meant = corpus.identify(name).product
    if meant is not None:
        raise CheckError(
            f"{quoted(name)} is a product; a claim of it is needed",
            f"see `kb show {meant.product}` for its claims, and write {meant.product}/CLAIM",
        )
    raise unknown("claim", name, corpus.claims)


def product(corpus: Corpus, name: str) -> Product:
    """The product with this id, name or alias; raises `CheckError` with what may be meant."""
    found = corpus.identify(name)
    if found.product is not None:
        return found.product
    members = [key for key in found.candidates if key in corpus.products]
    if members:
        raise CheckError(
            f"{quoted(name)} alone names no product: it may mean {', '.join(members)}",
            f"write one of them, such as {members[0]}",
        )
    raise unknown("product", name, corpus.products, "kb list products", called(corpus))


def called(corpus: Corpus) -> dict[str, str]:
    """The id of each product by its names in small letters."""
    return {
        spelling.lower(): key
        for key, entry in corpus.products.items()
        for spelling in (entry.value.name, *entry.value.aliases)
    }


def unknown(
    what: str,
    name: str,
    known: Iterable[str],
    see: str = "kb list",
    others: Mapping[str, str] = MappingProxyType({}),
) -> CheckError:
    """The error for an id that is not there, with what was probably meant.

    `see` is the command that lists the ids, `others` gives ids by other names in small letters.
    """
    names = sorted(known)
    close = difflib.get_close_matches(name.lower(), others, n=1, cutoff=0.8)
    near = [others[spelling] for spelling in close]
    near += [n for n in difflib.get_close_matches(name, names, n=3, cutoff=0.5) if n not in near]
    tail = name.rpartition("/")[2]
    near += [n for n in names if n.endswith(f"/{tail}") and n not in near]
    remedy = f"did you mean {' or '.join(near[:3])}?" if near else f"see `{see}`"
    return CheckError(f"there is no {what} {quoted(name)}", remedy)
