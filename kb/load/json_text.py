"""The size of a JSON text, where its values and keys stand, and which hide a character.

Records of evidence run to megabytes, and findings ask for a few places of them. So the text
is read along the way to a place that somebody asks for, by Python's own scanner, and what
was seen on the way is remembered. The text must have been read as sound JSON before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from json import JSONDecoder
from typing import Any

from kb.characters import HIDDEN, hidden_character
from kb.finding import Finding
from kb.source import Part, Position, Route, Span, once

_BLANKS = re.compile(r"[ \t\n\r]*")
_scan = JSONDecoder(parse_float=str, parse_int=str).raw_decode
Stretch = tuple[int, int]


@dataclass
class Size:
    """Counts the objects and fields of a JSON text while it is read: an `object_pairs_hook`."""

    objects: int = 0
    fields: int = 0

    def __call__(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """The object of these pairs; raises `ValueError` for a key written twice."""
        self.objects += 1
        self.fields += len(pairs)
        return once(pairs)


def fields_below(data: Any) -> int:
    """How many fields the objects in a value have."""
    queue, found = [data], 0
    while queue:
        value = queue.pop()
        if isinstance(value, dict):
            found += len(value)
            queue += value.values()
        elif isinstance(value, list):
            queue += value
    return found


@dataclass(frozen=True, slots=True)
class _Member:
    """Offsets of a value and, inside an object, of its key."""

    value: Stretch
    key: Stretch | None = None


@dataclass
class _Text:
    """A JSON text and the lists and objects in it that were looked into."""

    text: str
    seen: dict[Route, dict[str | int, _Member]] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[int]:
        """Offsets at which lines begin."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    @cached_property
    def whole(self) -> _Member:
        """The one value of the text."""
        start = self.skip(0)
        return _Member((start, _scan(self.text, start)[1]))

    def skip(self, at: int) -> int:
        """The next offset that is no blank."""
        found = _BLANKS.match(self.text, at)
        return found.end() if found else at

    def member(self, route: Route) -> _Member:
        """What stands at a route; raises `KeyError` where nothing does."""
        return self.members(route[:-1])[route[-1]] if route else self.whole

    def members(self, route: Route) -> dict[str | int, _Member]:
        """What the list or object at a route holds; nothing where another value is."""
        if route not in self.seen:
            self.seen[route] = dict(self.inside(self.member(route).value[0]))
        return self.seen[route]

    def inside(self, at: int) -> Iterator[tuple[str | int, _Member]]:
        """The members of the list or object that begins at an offset."""
        opening, number = self.text[at], 0
        if opening not in "[{":
            return
        at = self.skip(at + 1)
        while self.text[at] not in "]}":
            name: str | int = number
            key = None
            if opening == "{":
                name, end = _scan(self.text, at)
                key = at, end
                at = self.skip(self.skip(end) + 1)  # behind the colon
            end = _scan(self.text, at)[1]
            yield name, _Member((at, end), key)
            number += 1
            at = self.skip(end)
            if self.text[at] == ",":
                at = self.skip(at + 1)

    def span(self, stretch: Stretch) -> Span:
        """Lines and columns of a stretch of the text."""
        start, end = (Position(line, at - self.lines[line - 1] + 1) for at in stretch
                      for line in [bisect_right(self.lines, at)])  # fmt: skip
        return Span(start, end)


class JsonPlaces(Mapping[Route, Span]):
    """Where each value stands, or each key of an object, by its route."""

    def __init__(self, text: _Text, part: Part) -> None:
        self._text = text
        self._part = part

    def __getitem__(self, route: Route) -> Span:
        try:
            member = self._text.member(route)
        except RecursionError:  # deeper than the scanner goes from here
            raise KeyError(route) from None
        stretch = member.key if self._part is Part.KEY else member.value
        if stretch is None:
            raise KeyError(route)
        return self._text.span(stretch)

    def __iter__(self) -> Iterator[Route]:
        open_: list[Route] = [()]
        while open_:
            route = open_.pop()
            if route in self:
                yield route
            open_ += [(*route, name) for name in self._text.members(route)]

    def __len__(self) -> int:
        return sum(1 for _ in self)


def json_places(text: str) -> tuple[JsonPlaces, JsonPlaces]:
    """The places of the values and of the keys of a sound JSON text."""
    read = _Text(text)
    return JsonPlaces(read, Part.VALUE), JsonPlaces(read, Part.KEY)


def hidden_in(
    data: Any, path: str, values: Mapping[Route, Span], keys: Mapping[Route, Span]
) -> Iterator[Finding]:
    """A finding for each text in the data of a JSON file that hides a character."""
    queue: list[tuple[Route, Any]] = [((), data)]
    while queue:
        route, value = queue.pop()
        if isinstance(value, str):
            if bad := HIDDEN.search(value):
                yield hidden_character(bad[0], path, values[route])
        elif isinstance(value, list):
            queue += [((*route, i), each) for i, each in reversed([*enumerate(value)])]
        elif isinstance(value, dict):
            for name in value:
                if bad := HIDDEN.search(name):
                    yield hidden_character(bad[0], path, keys[*route, name])
            queue += [((*route, name), each) for name, each in reversed(value.items())]
