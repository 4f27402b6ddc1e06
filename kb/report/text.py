"""The report for people: place, message, the line with a caret, related places, remedy."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kb.characters import width
from kb.finding import Severity
from kb.report import closing
from kb.rules.result import Crash, Located, Mark, Report

WIDTH = 100
"""Most columns of a quoted line; a longer one is cut around the caret."""

_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_UNUSUAL = re.compile(r"[^ -~]")
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def render(report: Report, *, colour: bool = False) -> str:
    """The whole report; with `colour`, terminal codes around the words that matter."""
    paint = _Paint(colour=colour)
    blocks = ["\n".join(_finding(item, paint)) for item in report.findings]
    blocks += ["\n".join(_crash(crash, paint)) for crash in report.crashes]
    return "\n\n".join([*blocks, "\n".join(closing(report))]) + "\n"


class _Paint:
    """Wraps text in terminal codes, or leaves it as it is."""

    def __init__(self, *, colour: bool) -> None:
        self.colour = colour

    def __call__(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def _finding(item: Located, paint: _Paint) -> Iterator[str]:
    finding = item.finding
    code = _COLOURS[finding.severity]
    head = paint(f"1;{code}", f"{finding.severity.value}[{safe(finding.rule)}]")
    yield f"{paint('1', _where(item.mark))}: {head}"
    yield f"  {safe(finding.message)}"
    yield from _excerpt(item.mark, safe(finding.label), paint, code)
    for mark in item.related:
        yield f"  {_where(mark)}: related: {safe(mark.text)}"
    if finding.remedy:
        yield f"  {paint('32', 'fix:')} {safe(finding.remedy)}"


def _crash(crash: Crash, paint: _Paint) -> Iterator[str]:
    yield f"{paint('1;31', 'rule failed')}: {safe(crash.rule)}: {safe(crash.reason)}"
    yield f"  {paint('32', 'fix:')} {safe(crash.remedy)}"


def _where(mark: Mark) -> str:
    return f"{safe(mark.path)}:{mark.span.start.line}:{mark.span.start.column}"


def _excerpt(mark: Mark, label: str, paint: _Paint, code: str) -> Iterator[str]:
    if not mark.line.strip():
        return
    start = mark.span.start.column - 1
    same_line = mark.span.end.line == mark.span.start.line
    end = mark.span.end.column - 1 if same_line else len(mark.line.rstrip())
    cut = max(0, min(start - WIDTH // 4, len(mark.line) - WIDTH))
    shown = mark.line[cut : cut + WIDTH]
    before, after = "…" if cut else "", "…" if cut + WIDTH < len(mark.line) else ""
    # Escapes and wide characters move what follows, so the caret is placed by what is shown.
    offset = width(before + safe(mark.line[cut:start]))
    length = width(safe(mark.line[start : min(end, cut + WIDTH)]))
    number = f"{mark.span.start.line:>5}"
    yield f"{number} | {before}{safe(shown)}{after}"
    carets = paint(code, "^" * max(1, length))
    yield f"      | {' ' * offset}{carets} {label}".rstrip()


def safe(text: str) -> str:
    """`text` on one line and without any character that a terminal might obey.

    Control characters, and marks that turn the direction of writing, are shown by number.
    """
    return _UNUSUAL.sub(lambda found: _shown(found[0]), text)


def _shown(character: str) -> str:
    if character == "\t":
        return " "
    if unicodedata.category(character) in _HIDDEN:
        return f"\\u{{{ord(character):x}}}"
    return character
