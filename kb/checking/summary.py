"""What one file declares, without the records themselves: enough to know who refers to what.

A summary is made once per content of a file. It is plain data, so it can lie in the cache and
travel between processes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.corpus import Corpus, Entry, Naming
from kb.files import RawFile, text_of
from kb.finding import Finding
from kb.load.gather import Gather
from kb.model.product import Override
from kb.rules.locate import locate
from kb.rules.result import Located
from kb.source import Document


@dataclass(frozen=True, slots=True)
class Declared:
    """One record of a file: its kind, its id, and a digest of what can be read of it."""

    kind: str
    """`product`, `override`, `source`, `family`, `decision`, `evidence`, `artefact`, `import`."""
    key: str
    digest: str
    claims: tuple[tuple[str, str], ...] = ()
    """Claims of a product or an override: id and digest."""
    naming: Naming | None = None
    """What a product is called."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One file: whether it is a document, what it declares and what is wrong in it alone."""

    text: str | None
    """Digest of the text; None where it can't be read as text."""
    declared: tuple[Declared, ...] = ()
    found: tuple[Located, ...] = ()
    doubled: tuple[Located, ...] = ()
    """Claims written twice in its product; told where that product counts."""


@dataclass(frozen=True)
class View:
    """One file as it was read: its document, its records, and what was wrong."""

    document: Document | None
    corpus: Corpus
    overrides: tuple[Entry[Override], ...]
    findings: tuple[Finding, ...]
    doubled: tuple[Finding, ...] = ()
    """Claims written twice in its product."""


def view(file: RawFile) -> View:
    """Read one file by itself."""
    gather = Gather(own=file.own)
    text, gather.findings = text_of(file)
    if text is not None:
        gather.text(file.path, text, file.kind)
    findings = gather.findings
    gather.findings = []
    corpus = gather.corpus()
    doubled = (finding for finding in gather.findings if finding.rule == "duplicate-id")
    overrides = tuple(gather.overrides)  # what they are laid over lies in other files
    return View(corpus.documents.get(file.path), corpus, overrides, tuple(findings), tuple(doubled))


def summary(seen: View) -> Summary:
    """The summary of one file that was read."""
    found = tuple(locate(finding, seen.corpus) for finding in seen.findings)
    if seen.document is None:
        return Summary(None, found=found)
    doubled = tuple(locate(finding, seen.corpus) for finding in seen.doubled)
    return Summary(
        digest(seen.document.text), tuple(_declared(seen, seen.document)), found, doubled
    )


def _declared(seen: View, document: Document) -> Iterator[Declared]:
    corpus, whole = seen.corpus, digest(document.text)
    for key, product in corpus.products.items():
        rest = {name: value for name, value in document.data.items() if name != "claims"}
        head = (document.path, product.own, rest)
        claims = tuple(
            (claim.claim.id, digest(head, claim.place.route, _at(document, claim.place.route)))
            for claim in corpus.claims.values()
        )
        yield Declared("product", key, whole, claims, Naming.of(product))
    for override in seen.overrides:
        ids = tuple((claim.id, whole) for claim in override.value.claims)
        yield Declared("override", override.value.overrides, whole, ids)
    for key, source in corpus.sources.items():
        content = _at(document, source.place.route)
        yield Declared("source", key, digest(document.path, source.own, content))
    for family in corpus.families:
        yield Declared("family", family.value.name, whole)
    for kind, records in (
        ("decision", corpus.decisions),
        ("evidence", corpus.evidence),
        ("artefact", corpus.artefacts),
        ("import", corpus.imports),
        ("kernels", corpus.kernels),
        ("study", corpus.studies),
    ):
        for key in records:
            yield Declared(kind, key, whole)


def _at(document: Document, route: tuple[str | int, ...]) -> Any:
    data = document.data
    for step in route:
        data = data[step]
    return data


def digest(*parts: object) -> str:
    """A name for plain data that no other data has."""
    text = parts[0] if len(parts) == 1 and isinstance(parts[0], str) else repr(parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
