"""Quick fixes: the right value, a number turned into a citation, a waiver for a reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.corpus import ClaimEntry, Corpus
from kb.lsp.diagnostics import Item
from kb.prose.numbers import amounts
from kb.quantity import QuantityError
from kb.source import Document, Position, Span

MOST = 8
"""Claims that are offered for one number."""
_CHOICES = re.compile(r"^(?:write|did you mean) (?P<list>.+?)\??$")
_QUOTED = re.compile(r"'([^']+)'")
_ID = re.compile(r"[a-z0-9][a-z0-9./-]*[a-z0-9]")
_INSTEAD = re.compile(r"use (?P<new>[\w./-]+) instead of (?P<old>[\w./-]+)")


@dataclass(frozen=True, slots=True)
class Repair:
    """One edit that an editor can offer."""

    title: str
    span: Span
    text: str
    preferred: bool = False


def repairs(item: Item, document: Document, corpus: Corpus) -> Iterator[Repair]:
    """Everything that could be done about one diagnostic, the best first."""
    marked = _text(document, item.span)
    if item.replacement and item.replacement != marked:
        title = f"Write {item.replacement}"
        yield Repair(title, item.span, item.replacement, preferred=True)
    else:
        yield from _choices(item, marked)
    yield from _instead(item, document)
    if item.rule == "uncited-quantity":
        yield from _citations(item, marked, corpus)
    if waiver := _waiver(item, document):
        yield waiver


def _choices(item: Item, marked: str) -> Iterator[Repair]:
    """What a remedy names: `write 'GB' or 'Gbit'`, `did you mean hgx-b200 or hgx-b300?`."""
    match = _CHOICES.match(item.remedy)
    if match is None or not marked or "\n" in marked:
        return
    words = _QUOTED.findall(match["list"])
    if not words and item.remedy.startswith("did you mean"):
        words = [w for w in re.split(r",\s*|\s+or\s+", match["list"]) if _ID.fullmatch(w)]
    quote = marked[0] if marked[0] in "\"'" and marked[-1] == marked[0] else ""
    for word in words:
        if word != marked:
            yield Repair(f"Write {word}", item.span, f"{quote}{word}{quote}")


def _instead(item: Item, document: Document) -> Iterator[Repair]:
    """The claims to compare instead, in the line that names those that don't fit."""
    line = item.span.start.line
    text = document.line(line)
    for match in _INSTEAD.finditer(item.remedy):
        old, new = match["old"], match["new"].rstrip(",.")
        found = re.search(rf"(?<![\w/-]){re.escape(old.rstrip(',.'))}(?![\w/-])", text)
        if found is not None:
            start, end = Position(line, found.start() + 1), Position(line, found.end() + 1)
            yield Repair(f"Use {new} instead of {found[0]}", Span(start, end), new)


def _citations(item: Item, marked: str, corpus: Corpus) -> Iterator[Repair]:
    """A number as a link to each claim that prints the very same value."""
    found = amounts(marked, 0, len(marked), comma=False)
    if len(found) != 1 or found[0].unit is None:
        return
    told = 0
    for entry in corpus.claims.values():
        if told < MOST and _prints(entry, found[0].number, found[0].unit.name):
            told += 1
            text = f"[{marked}](claim:{entry.id})"
            yield Repair(f"Cite {entry.id}", item.span, text)


def _prints(entry: ClaimEntry, number: object, unit: str) -> bool:
    try:
        quantity = entry.claim.current.quantity(entry.claim.metric)
    except QuantityError:
        return False
    return quantity.number == number and quantity.unit.name == unit


def _waiver(item: Item, document: Document) -> Repair | None:
    """A waiver comment whose reason a person has to write; none in JSON."""
    if document.path.endswith(".json"):
        return None
    line = item.span.start.line
    title = f"Silence {item.rule} here, for a reason that you write"
    if document.path.endswith(".md") and line >= document.body_line:
        at = Position(line, 1)
        return Repair(title, Span(at, at), f"<!-- kb: ignore[{item.rule}]  -->\n")
    text = document.line(line)
    at = Position(line, len(text) + 1)
    return Repair(title, Span(at, at), f"  # kb: ignore[{item.rule}] ")


def _text(document: Document, span: Span) -> str:
    """The marked text; of several lines, all of them."""
    lines = document.text.split("\n")[span.start.line - 1 : span.end.line]
    if not lines:
        return ""
    if len(lines) == 1:
        return lines[0][span.start.column - 1 : span.end.column - 1]
    return "\n".join([lines[0][span.start.column - 1 :], *lines[1:]])
