"""Where a thing is written: documents, positions in them, and places in their data.

A rule names a `Place` (a route of keys and indices inside a document); only the
document knows which line and column that is. So a rule can't be wrong by a line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any, NoReturn

Route = tuple[str | int, ...]
"""Keys and indices from the root of a document's data to one value."""


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """One character of a text; the first line and the first column are 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text from `start` up to, not including, `end`."""

    start: Position
    end: Position


MOST_DIGITS = 1000
"""Digits of a whole number in JSON; more would cost time that grows with their square."""
START = Span(Position(1, 1), Position(1, 1))


class Part(Enum):
    """Which end of a `key: value` pair a place points at."""

    VALUE = "value"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Place:
    """One place in the data of a document, independent of lines and columns."""

    path: str
    """The document's path relative to the project root, with forward slashes."""
    route: Route = ()
    part: Part = Part.VALUE
    span: Span | None = None
    """An exact stretch of text, for places that are no data (prose, syntax errors)."""

    def at(self, *steps: str | int, part: Part = Part.VALUE) -> Place:
        """The place `steps` further down from this one."""
        return Place(self.path, (*self.route, *steps), part)

    def key(self) -> Place:
        """The key of this place's pair instead of its value."""
        return Place(self.path, self.route, Part.KEY)


@dataclass(frozen=True)
class Document:
    """One file: its text, its plain data, and where each value and key stands."""

    path: str
    text: str
    data: Any = None
    values: Mapping[Route, Span] = field(default_factory=dict)
    keys: Mapping[Route, Span] = field(default_factory=dict)
    body: str = ""
    """Markdown below the front matter; empty for YAML and JSON."""
    body_line: int = 1
    """Line of the file on which `body` begins."""

    def locate(self, place: Place) -> Span:
        """The stretch of text that `place` means.

        A route that is not in the document (a missing field) gives the nearest
        enclosing value, at its key where it has one.
        """
        if place.span is not None:
            return place.span
        route = place.route
        wanted = self.keys if place.part is Part.KEY else self.values
        if route in wanted:
            return wanted[route]
        while route:
            route = route[:-1]
            if route in self.keys:
                return self.keys[route]
            if route in self.values:
                return self.values[route]
        return self.values.get((), START)

    def line(self, number: int) -> str:
        """The text of line `number` without its line end; empty past the last line."""
        return self._lines[number - 1].rstrip("\r") if 0 < number <= len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return self.text.split("\n")


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, for `object_pairs_hook`; raises `ValueError` for a key written twice.

    Python's parser would keep the last value and say nothing.
    """
    record: dict[str, Any] = {}
    for key, value in pairs:
        if key in record:
            raise ValueError(f"the key {key!r} is written twice")
        record[key] = value
    return record


def json_object(line: str) -> dict[str, Any]:
    """The object in a line of JSON; raises `ValueError` that says in plain words why it is none.

    Its `id` can be written again, as an answer repeats it.
    """
    try:
        record = json.loads(
            line, object_pairs_hook=once, parse_constant=_no_number, parse_int=_whole
        )
        if not isinstance(record, dict):
            raise ValueError("the line is no JSON object")
        json.dumps(record.get("id"), allow_nan=False)  # 1e999 can be read and not written
    except RecursionError:
        raise ValueError("the line has too many brackets inside each other") from None
    return record


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON number")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"a number has {len(digits)} digits; {MOST_DIGITS} at most")
    return int(digits)
