"""Which ids fit at a position: of claims, sources, evidence, decisions, products or rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.corpus import Corpus
from kb.lsp.session import Judged
from kb.qualifiers import words

_WORD = r"(?P<word>[A-Za-z0-9._/-]*)$"
_BEFORE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("claim", re.compile(r"\]\(claim:" + _WORD)),
    ("claim", re.compile(r"\]\(compare:(?:[\w/-]+\.\.)?" + _WORD)),
    ("evidence", re.compile(r"\]\(evidence:" + _WORD)),
    ("decision", re.compile(r"\]\(decision:" + _WORD)),
    ("rule", re.compile(r"\]\(rule:" + _WORD)),
    ("rule", re.compile(r"kb:\s*ignore\[" + _WORD)),
    ("claim", re.compile(r"\b(?:left|right|claim):\s*[\"']?" + _WORD)),
    ("source", re.compile(r"\b(?:source|copy_of):\s*[\"']?" + _WORD)),
    ("source", re.compile(r"\bsources:\s*\[(?:[^\]]*,)?\s*" + _WORD)),
    ("evidence", re.compile(r"\bevidence:\s*\[(?:[^\]]*,)?\s*" + _WORD)),
    ("product", re.compile(r"\b(?:product|accelerator|overrides):\s*[\"']?" + _WORD)),
    ("product", re.compile(r"\bnot_to_be_confused_with:\s*\[(?:[^\]]*,)?\s*" + _WORD)),
    ("decision", re.compile(r"\bsuperse(?:des|ded_by):\s*\[?(?:[^\]]*,)?\s*[\"']?" + _WORD)),
    ("any", re.compile(r"^\s*-\s+(?:id:\s*)?[\"']?" + _WORD)),
)
"""What may be named behind a beginning of a line, the most telling pattern first."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One id to choose, and a line about it."""

    id: str
    detail: str
    start: int
    """Column from 0 at which what was typed of it begins."""


def offers(line: str, column: int, judged: Judged) -> list[Offer]:
    """The ids that fit at `column` (from 0) of a line; the editor narrows them down."""
    before = line[:column]
    for kind, pattern in _BEFORE:
        match = pattern.search(before)
        if match is not None:
            start = match.start("word")
            return [Offer(key, detail, start) for key, detail in _ids(kind, judged)]
    return []


def _ids(kind: str, judged: Judged) -> Iterator[tuple[str, str]]:
    corpus = judged.corpus
    if kind in ("claim", "any"):
        yield from _claims(corpus)
    if kind in ("evidence", "any"):
        for key in sorted({*corpus.evidence, *corpus.artefacts}):
            yield key, "evidence record"
    if kind == "source":
        yield from ((key, source.value.title) for key, source in corpus.sources.items())
    if kind == "product":
        yield from ((key, product.value.name) for key, product in corpus.products.items())
    if kind == "decision":
        yield from ((key, decision.value.title) for key, decision in corpus.decisions.items())
    if kind == "rule":
        yield from judged.slugs.items()


def _claims(corpus: Corpus) -> Iterator[tuple[str, str]]:
    for key, entry in corpus.claims.items():
        yield key, f"{entry.claim.current.published}, {words(entry.claim.metric)}"
