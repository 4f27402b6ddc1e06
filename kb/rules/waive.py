"""Waivers: comments that silence one rule at one place, with a reason.

`# kb: ignore[slug] reason` in YAML and front matter, `<!-- kb: ignore[slug] reason -->`
in Markdown; on the line of the finding, or alone on the line above it. A last day may
stand before the reason: `# kb: ignore[slug] until 2026-12-31 reason`.
"""

from __future__ import annotations

import datetime
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from kb.source import Document, Part, Place, Position, Span
from kb.spans import outside_fences

_YAML = re.compile(r"(?:^|(?<=\s))#\s*kb:\s*(?P<rest>ignore\b.*)$")
_MARKDOWN = re.compile(r"<!--\s*kb:\s*(?P<rest>ignore\b.*?)(?:-->|$)")
_BODY = re.compile(r"ignore\[(?P<slug>[a-z0-9]+(?:-[a-z0-9]+)*)\](?P<tail>.*)\Z")
_UNTIL = re.compile(r"until\s+(?P<day>\S+)\s*[:,;]?\s*")
_SKIPPED = {_YAML: re.compile(r"\s*(?:#.*)?"), _MARKDOWN: re.compile(r"\s*(?:<!--.*-->\s*)?")}


@dataclass(frozen=True, slots=True)
class Waiver:
    """One waiver comment and the line whose findings it silences."""

    place: Place
    """The comment itself."""
    line: int
    """The line it is meant for."""
    slug: str = ""
    reason: str = ""
    until: datetime.date | None = None
    malformed: str = ""
    """Why it can't be read; empty for a proper waiver."""


def waivers(document: Document) -> tuple[Waiver, ...]:
    """Every waiver comment of one document. JSON has no comments, so it has no waivers."""
    if "kb:" not in document.text or document.path.endswith(".json"):
        return ()
    lines = document.text.split("\n")
    following = {skipped: _next_lines(lines, skipped) for skipped in _SKIPPED.values()}
    found: list[Waiver] = []
    for number, match in _comments(document, lines):
        start, end = match.start(), len(lines[number - 1][: match.end()].rstrip())
        span = Span(Position(number, start + 1), Position(number, end + 1))
        rest = lines[number - 1][: match.start()] + lines[number - 1][match.end() :]
        line = number if rest.strip() else following[_SKIPPED[match.re]][number]
        place = Place(document.path, (), Part.VALUE, span)
        found.append(_read(match["rest"].strip(), place, line))
    return tuple(found)


def _comments(document: Document, lines: list[str]) -> Iterator[tuple[int, re.Match[str]]]:
    """Comments that speak to kb, with their lines."""
    body = document.body_line if document.path.endswith(".md") else len(lines) + 1
    inside = _Texts(document)
    for number, line in enumerate(lines[: body - 1], start=1):
        match = _YAML.search(line)
        if match is not None and not inside.holds(number, match.start() + 1):
            yield number, match
    for number, line in outside_fences(lines[body - 1 :], body):
        if (match := _MARKDOWN.search(line)) is not None:
            yield number, match


class _Texts:
    """The quoted and block texts of a document, to tell a `#` in one from a comment."""

    def __init__(self, document: Document) -> None:
        parents = {route[:-1] for route in document.values if route}
        self.spans = sorted(span for route, span in document.values.items() if route not in parents)

    def holds(self, line: int, column: int) -> bool:
        """Whether a place lies in one of them; leaves of a document don't overlap."""
        at = Position(line, column)
        index = bisect_right(self.spans, at, key=lambda span: span.start)
        return index > 0 and at < self.spans[index - 1].end


def _next_lines(lines: list[str], skipped: re.Pattern[str]) -> list[int]:
    """For each line by its number, the next one that holds more than a comment; else itself."""
    found = list(range(len(lines) + 1))
    for index in range(len(lines) - 1, 0, -1):
        if not skipped.fullmatch(lines[index]):
            found[index] = index + 1
        elif found[index + 1] > index + 1:
            found[index] = found[index + 1]
    return found


def _read(rest: str, place: Place, line: int) -> Waiver:
    match = _BODY.match(rest)
    if match is None:
        why = "the slug in brackets is missing" if "[" not in rest else "the slug is no slug"
        return Waiver(place, line, malformed=why)
    reason, until = match["tail"].strip(), None
    if day := _UNTIL.match(reason):
        try:
            until = datetime.date.fromisoformat(day["day"].rstrip(":,;"))
        except ValueError:
            why = f"{day['day']!r} is not a day such as 2026-12-31"
            return Waiver(place, line, match["slug"], malformed=why)
        reason = reason[day.end() :]
    return Waiver(place, line, match["slug"], reason.strip(" :-–"), until)
