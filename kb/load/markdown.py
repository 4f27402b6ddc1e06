"""Markdown with YAML front matter: the two parts, and where each begins."""

from __future__ import annotations

from dataclasses import dataclass

from kb.finding import Finding, Severity
from kb.source import Part, Place, Position, Span


@dataclass(frozen=True)
class Parts:
    """Front matter and body of a Markdown file."""

    front: str
    front_line: int
    body: str
    body_line: int


def split(text: str, path: str) -> tuple[Parts | None, list[Finding]]:
    """Cut front matter from body; without a closed front matter, one finding instead."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return None, [
            _finding(
                path,
                "the file does not begin with front matter",
                "begin the file with a line '---' and the decision's fields",
            )
        ]
    for number, line in enumerate(lines[1:], start=2):
        if line.rstrip() in ("---", "..."):
            front = "\n".join(lines[1 : number - 1])
            return Parts(front, 2, "\n".join(lines[number:]), number + 1), []
    return None, [
        _finding(
            path,
            "the front matter that begins on line 1 is never closed",
            "close it with a line '---'",
        )
    ]


def _finding(path: str, message: str, remedy: str) -> Finding:
    at = Position(1, 1)
    place = Place(path, (), Part.VALUE, Span(at, at))
    return Finding("front-matter", Severity.ERROR, message, place, remedy)
