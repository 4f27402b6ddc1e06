"""Turning places in the data into lines and columns of a file."""

from __future__ import annotations

from functools import lru_cache

from kb.corpus import Corpus
from kb.finding import Finding
from kb.rules.collect import Rule
from kb.rules.declare import Problem, odd_field
from kb.rules.result import Located, Mark
from kb.source import Document, Position, Span


def locate_problem(rule: Rule, problem: object, corpus: Corpus) -> Located:
    """What a rule yielded as a finding with lines; raises `TypeError` for what is no problem."""
    if not isinstance(problem, Problem):
        raise TypeError(f"a rule must yield Problem, not {type(problem).__name__}")
    if odd := odd_field(problem):
        raise TypeError(f"the {odd} of a Problem has the wrong type")
    finding = Finding(
        rule.slug,
        rule.declared.severity,
        problem.message,
        problem.place,
        problem.remedy,
        problem.label,
        problem.related,
        problem.moved,
    )
    if problem.place.path not in corpus.documents:
        raise ValueError(f"{problem.place.path!r} is no document of the corpus")
    located = locate(finding, corpus)
    if problem.within is None:
        return located
    document = corpus.documents[problem.place.path]
    span = _narrow(document, located.mark.span, *problem.within)
    return Located(finding, mark(document, span), located.related)


def locate(finding: Finding, corpus: Corpus) -> Located:
    """Resolve the places of a finding; a file that was never read has only its name."""
    nothing = Document(finding.place.path, "")
    document = corpus.documents.get(finding.place.path, nothing)
    related = []
    for label in finding.related:
        other = corpus.documents.get(label.place.path, Document(label.place.path, ""))
        related.append(mark(other, other.locate(label.place), label.text))
    return Located(finding, mark(document, document.locate(finding.place)), tuple(related))


def mark(document: Document, span: Span, text: str = "") -> Mark:
    """A stretch of a document with the line that it begins on."""
    return Mark(document.path, span, _line(document, span.start.line), text)


def _line(document: Document, number: int) -> str:
    """A line of a document; many findings may lie in one file."""
    lines = _lines(document.text)
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def _narrow(document: Document, span: Span, start: int, end: int) -> Span:
    """A part of a scalar's text, where its text is printed as it is on one line."""
    line = _line(document, span.start.line)
    text = line[span.start.column - 1 : span.end.column - 1]
    quoted = text[:1] in ('"', "'")
    plain = text[1:-1] if quoted else text
    if span.start.line != span.end.line or "\\" in plain or "''" in plain or end > len(plain):
        return span
    first = span.start.column + quoted
    return Span(Position(span.start.line, first + start), Position(span.start.line, first + end))
