"""Findings and remarks as an editor's diagnostics, and what each knows of its own repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.finding import Severity
from kb.lsp.session import Judged
from kb.prose.answer import Language, answer
from kb.prose.cite import faults
from kb.rules.result import Located, Mark
from kb.source import Position, Span

LANGUAGES: dict[str, Language] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".txt": "plain",
}
"""What is judged as prose where it is no content of the knowledge base."""
SEVERITIES = {"wrong": Severity.ERROR, "open": Severity.WARNING}


@dataclass(frozen=True, slots=True)
class Item:
    """One diagnostic before it is put on the wire."""

    rule: str
    severity: Severity
    span: Span
    message: str
    remedy: str
    replacement: str = ""
    """What the marked text should be; empty where that is not known."""
    related: tuple[Mark, ...] = ()


def of_report(judged: Judged) -> dict[str, list[Item]]:
    """Every finding of `kb check` by file."""
    found: dict[str, list[Item]] = {}
    for located in judged.report.findings:
        found.setdefault(located.mark.path, []).append(_item(located, judged))
    return found


def _item(located: Located, judged: Judged) -> Item:
    finding = located.finding
    return Item(
        finding.rule,
        finding.severity,
        located.mark.span,
        finding.message,
        finding.remedy,
        _stale(located, judged) if finding.rule == "stale-citation" else "",
        located.related,
    )


def _stale(located: Located, judged: Judged) -> str:
    """The right text of the citation that a finding is about, cut to the marked part."""
    document = judged.corpus.documents.get(located.mark.path)
    if document is None:
        return ""
    starts = line_starts(document.text)
    at = offset(located.mark.span.start, starts)
    for fault in faults(document.text, judged.corpus):
        if fault.start == at and fault.replacement:
            return fault.instead(document.text)
    return ""


def of_prose(text: str, suffix: str, judged: Judged) -> Iterator[Item]:
    """What `kb lint` says of a text that is no content of the knowledge base."""
    language = LANGUAGES[suffix]
    starts = line_starts(text)
    for remark in answer(text, judged.known, language).findings:
        otherwise = remark.remedy or "say it beside the number"
        remedy = f"write {remark.suggestion}" if remark.suggestion else otherwise
        span = span_of(remark.start, remark.end, starts)
        severity = SEVERITIES.get(remark.level, Severity.NOTE)
        yield Item(remark.rule, severity, span, remark.message, remedy, remark.suggestion)
    if language == "markdown":
        for fault in faults(text, judged.corpus):
            span = span_of(fault.start, fault.end, starts)
            right = fault.instead(text)
            yield Item(fault.flaw, Severity.ERROR, span, fault.message, fault.remedy, right)


def line_starts(text: str) -> list[int]:
    """The offset of every line's first character."""
    starts = [0]
    for line in text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def span_of(start: int, end: int, starts: Sequence[int]) -> Span:
    """Offsets as lines and columns."""
    return Span(_position(start, starts), _position(end, starts))


def offset(position: Position, starts: Sequence[int]) -> int:
    """A line and column as an offset."""
    line = min(position.line, len(starts))
    return starts[line - 1] + position.column - 1


def _position(at: int, starts: Sequence[int]) -> Position:
    from bisect import bisect_right

    row = bisect_right(starts, at) - 1
    return Position(row + 1, at - starts[row] + 1)
