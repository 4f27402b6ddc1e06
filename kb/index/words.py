"""The words by which people find a record: cut in one way for records and for what is asked.

Both databases get the same words and only look them up, so a search finds the same on both:
`TPU-v6e`, `1,638 GB/s` and `180GB` are cut here into `tpu v6e`, `1638 gb s` and `180 gb`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from kb.corpus import ClaimEntry, Corpus
from kb.index import tables
from kb.index.evidence_rows import Fields
from kb.index.evidence_tables import EvidenceRow, ResultRow
from kb.index.row import Row, name_of
from kb.qualifiers import Word
from kb.quantity import QuantityError
from kb.rules.result import Report

_MARKS = re.compile("[®™©]")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD = re.compile(r"\d+(?:\.\d+)*|[^\W\d_][^\W_]*(?:\.\d+)*")
_COMBINING = "\u0300"
"""No character before it is combined with another."""

LONGEST = 100
"""Characters of one word."""
MOST = 5_000
"""Words of one record in each part; PostgreSQL holds a megabyte of them in all."""


def cut(text: str) -> list[str]:
    """The words of a text, in order: small letters, numbers without grouping, units apart."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", _MARKS.sub("", text))
        text = "".join([s for s in text if s < _COMBINING or not unicodedata.combining(s)])
    return [word[:LONGEST] for word in _WORD.findall(_GROUPED.sub("", text.casefold()))]


def searchable(
    rows: dict[type[Row], list[Fields]], corpus: Corpus, report: Report
) -> Iterator[Fields]:
    """Every record that can be searched for: what is shown of it, and its words.

    `head` are the words of what a record is called and says in short, in their order and with
    a bar before each text; `body` are all others, each once. `place` is where it comes among
    equals.
    """
    for table, (shown, more) in SEARCHED.items():
        kind = name_of(table)
        for number, row in enumerate(rows[table]):
            key = str(row["id"])
            told = [str(row[column]) for column in shown if row[column]]
            rest = [str(row[column]) for column in more if row[column]]
            called, others = _around(kind, key, corpus)
            head, body = (key, *told, *rest, *called), others
            aside = kind == "claim" and row["scope"] not in ACCELERATORS
            yield _entry(kind, key, number + OTHER * aside, " ".join(told), head, body)
    for number, note in enumerate(report.notes):
        head, body = (note.slug, note.message), (note.help,)
        yield _entry("rule", note.slug, number, note.message, head, body)


KINDS = ("product", "claim", "rule", "decision", "evidence", "result", "source")
"""Kinds of records in the order in which they are found, where all else is equal."""
ACCELERATORS = ("chip", "gpu")
"""Scopes of the claims that are found before those of other scopes."""
OTHER = 10**8
"""More records than there are of one kind."""
SEARCHED: dict[type[Row], tuple[tuple[str, ...], tuple[str, ...]]] = {
    tables.ProductRow: (("name", "summary"), ("vendor",)),
    tables.ClaimRow: (("published", "metric", "interface", "precision"), ()),
    tables.SourceRow: (("title", "publisher"), ("kind", "address")),
    tables.DecisionRow: (("title", "question"), ("status", "observed", "next_measurement")),
    EvidenceRow: (("workload", "evidence_class", "product"), ("kind",)),
    ResultRow: (
        ("published", "benchmark", "scenario", "system"),
        ("submitter", "version", "division", "accelerator", "product", "formats"),
    ),
}
"""By table: columns that are shown, and others whose words are searched."""


def _around(kind: str, key: str, corpus: Corpus) -> tuple[Iterable[str], Iterable[str]]:
    """What else a record is found by: other names, and its prose."""
    if kind == "product":
        return _names(key, corpus), ()
    if kind == "claim":
        entry = corpus.claims[key]
        return _said(entry), (*_names(entry.product.product, corpus), entry.claim.note or "")
    if kind == "decision":
        document = corpus.documents.get(corpus.decisions[key].place.path)
        return (), (document.body,) if document else ()
    if kind == "evidence":
        run, study = corpus.evidence.get(key), corpus.studies.get(key)
        compiled = corpus.artefacts.get(key)
        product = compiled.value.target.product if compiled else ""
        product = run.value.device.product if run else product
        product = study.value.device.product if study else product
        return (), _names(product, corpus)
    return (), ()


def _names(product: str, corpus: Corpus) -> Iterator[str]:
    """What a product is called, also in one word: `tpuv6e`."""
    entry = corpus.products.get(product)
    if entry is not None:
        names = (product, entry.value.name, *entry.value.aliases)
        yield from (*names, entry.value.vendor)
        yield from dict.fromkeys("".join(cut(name)) for name in names)


def _said(entry: ClaimEntry) -> Iterator[str]:
    """What a claim says: every printed value, also with its unit spelled out, and its axes."""
    claim = entry.claim
    for statement in claim.statements:
        yield statement.published
        with suppress(QuantityError):
            yield statement.quantity(claim.metric).plain
    for value in entry.axes.values():
        for word in value if isinstance(value, tuple) else (value,):
            if isinstance(word, Word):
                yield str(word)


def _entry(
    kind: str, key: str, number: int, shown: str, head: Iterable[str], body: Iterable[str]
) -> Fields:
    first = list(islice((word for text in head for word in ("|", *cut(text))), MOST))
    rest = dict.fromkeys(word for text in body for word in cut(text))
    return {
        "kind": kind,
        "id": key,
        "place": KINDS.index(kind) * 2 * OTHER + number,
        "shown": shown,
        "head": f" {' '.join(first)} ",
        "body": " ".join(islice(rest, MOST)),
    }
