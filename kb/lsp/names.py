"""What stands at a position of a text: the id of a record, or two ids that are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kb.corpus import Corpus
from kb.source import Place

Kind = Literal["claim", "product", "source", "evidence", "decision", "rule", "comparison"]

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")
_PAIR = re.compile(
    r"left:\s*[\"']?(?P<left>[\w./-]+)[\"']?\s*,\s*right:\s*[\"']?(?P<right>[\w./-]+)"
)
_COMPARE = re.compile(r"compare:(?P<left>[\w/-]+(?:\.[\w/-]+)*)\.\.(?P<right>[\w./-]+)")


@dataclass(frozen=True, slots=True)
class Named:
    """A record that a text names, and the columns of the name, from 0."""

    kind: Kind
    id: str
    start: int
    end: int
    other: str = ""
    """The right claim, where a comparison is named."""


def named_at(line: str, column: int, path: str, corpus: Corpus, rules: set[str]) -> Named | None:
    """What the character at `column` (from 0) of a line belongs to, or None.

    In a spec the bare id of a claim means that of the file's own product.
    """
    for match in _WORD.finditer(line):
        if match.start() <= column <= match.end():
            return _word(match[0], match.start(), column, path, corpus, rules)
    return None


def comparison_at(line: str, column: int, corpus: Corpus) -> Named | None:
    """The comparison that a line names around `column`: a citation, or `left` and `right`."""
    for pattern in (_COMPARE, _PAIR):
        for match in pattern.finditer(line):
            inside = match.start() <= column <= match.end()
            if inside and match["left"] in corpus.claims and match["right"] in corpus.claims:
                left, right = match["left"], match["right"]
                return Named("comparison", left, match.start(), match.end(), right)
    return None


def _word(
    word: str, start: int, column: int, path: str, corpus: Corpus, rules: set[str]
) -> Named | None:
    """A word as a record; `left..right` is the side that the column is in."""
    at = word.find("..")
    if at >= 0:
        inside = column - start <= at
        word, start = (word[:at], start) if inside else (word[at + 2 :], start + at + 2)
    word = word.rstrip("./-")
    found = _kind(word, path, corpus, rules)
    return Named(found[0], found[1], start, start + len(word)) if found else None


def _kind(word: str, path: str, corpus: Corpus, rules: set[str]) -> tuple[Kind, str] | None:
    if word in corpus.claims:
        return "claim", word
    if own := _own_claim(word, path, corpus):
        return "claim", own
    tables: tuple[tuple[Kind, object], ...] = (
        ("product", corpus.products),
        ("source", corpus.sources),
        ("evidence", corpus.evidence),
        ("evidence", corpus.artefacts),
        ("decision", corpus.decisions),
        ("rule", rules),
    )
    for kind, table in tables:
        if word in table:  # type: ignore[operator]
            return kind, word
    return None


def _own_claim(word: str, path: str, corpus: Corpus) -> str:
    for entry in corpus.claims.values():
        if entry.claim.id == word and entry.place.path == path:
            return entry.id
    return ""


def place_of(named: Named, corpus: Corpus) -> Place | None:
    """Where a record is written; None for a rule, which is a program."""
    match named.kind:
        case "claim" | "comparison":
            return corpus.claims[named.id].place.at("id")
        case "product":
            return corpus.products[named.id].place.at("product")
        case "source":
            return corpus.sources[named.id].place.key()
        case "evidence":
            table = corpus.evidence if named.id in corpus.evidence else corpus.artefacts
            return table[named.id].place.at("id")
        case "decision":
            return corpus.decisions[named.id].place.at("id")
        case _:
            return None
