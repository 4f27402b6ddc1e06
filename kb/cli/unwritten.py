"""Findings about a text that was never written, at the places of the file as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from kb.rules.result import Located, Mark
from kb.source import Position, Span


@dataclass(frozen=True, slots=True)
class Edit:
    """The lines of a file as they are and as they would have become."""

    stored: tuple[str, ...]
    edited: tuple[str, ...]

    def line(self, number: int) -> int:
        """The line of the stored file for one of the edited text, both counted from 1.

        A line that would have been added stands for the one that it would have followed.
        """
        wanted = number - 1
        steps = SequenceMatcher(None, self.edited, self.stored, autojunk=False).get_opcodes()
        for _, first, end, at, last in steps:
            if first <= wanted < end:
                return max(1, min(at + wanted - first, last - 1) + 1)
        return max(1, len(self.stored))


def edit(stored: str, edited: str) -> Edit:
    """What became of a text, by lines."""
    return Edit(tuple(stored.splitlines()), tuple(edited.splitlines()))


def as_stored(item: Located, edits: Mapping[str, Edit]) -> Located:
    """A finding with its places in the stored files."""
    related = tuple(_moved(mark, edits) for mark in item.related)
    return replace(item, mark=_moved(item.mark, edits), related=related)


def _moved(mark: Mark, edits: Mapping[str, Edit]) -> Mark:
    found = edits.get(mark.path)
    if found is None or not found.stored:
        return mark
    start, end = mark.span.start, mark.span.end
    first = found.line(start.line)
    text = found.stored[first - 1]
    if text == mark.line:
        last = max(first, found.line(end.line))
        return replace(mark, span=Span(Position(first, start.column), Position(last, end.column)))
    # The line itself would change, so its columns mean nothing: the whole line is marked.
    indent = len(text) - len(text.lstrip())
    span = Span(Position(first, indent + 1), Position(first, len(text) + 1))
    return replace(mark, span=span, line=text, text=text.strip())
