"""Places in a JSON file that holds one field a line and one item of a list a line.

Composing hundreds of results costs seconds; finding the line of one costs nothing. A file
in another layout is read all the same, and its findings stand at its first line.
"""

from __future__ import annotations

import re

from kb.source import Position, Route, Span

_FIELD = re.compile(r'  "(\w+)": ')
_ITEM = re.compile(r"    (?=[{\[\"])")


def json_places(text: str) -> tuple[dict[Route, Span], dict[Route, Span]]:
    """The spans of fields and of the items of lists, as values and as keys by route."""
    values: dict[Route, Span] = {}
    keys: dict[Route, Span] = {}
    name, index = "", 0
    for number, line in enumerate(text.split("\n"), start=1):
        end = Position(number, len(line.rstrip(",")) + 1)
        if found := _FIELD.match(line):
            name, index = found[1], 0
            keys[name,] = Span(Position(number, 3), Position(number, found.end(1) + 2))
            values[name,] = Span(Position(number, found.end() + 1), end)
        elif name and _ITEM.match(line):
            values[name, index] = Span(Position(number, 5), end)
            index += 1
    return values, keys
