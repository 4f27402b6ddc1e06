"""Tables of reStructuredText and plain text: grids, simple tables, list tables, CSV tables.

Each gives rows of cells with exact bounds, as a Markdown table does. A plain text may hold a
grid or a pipe table too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

Range = tuple[int, int]
Rows = list[list[Range]]

_GRID = re.compile(r"[ \t]*\+(?:[-=]+\+)+\s*\Z")
_SIMPLE = re.compile(r"[ \t]*=+(?:[ \t]+=+)+\s*\Z")
_UNDER = re.compile(r"[ \t]*-+(?:[ \t]+-+)*\s*\Z")
_LIST = re.compile(r"\s*\.\.\s+list-table::")
_CSV = re.compile(r"\s*\.\.\s+csv-table::")
_ITEM = re.compile(r"[ \t]*(?P<row>\*[ \t]+)?(?P<cell>-[ \t]+|-\s*\Z)")
_OPTION = re.compile(r"\s*:(?P<name>[\w-]+):[ \t]*")
_CELL = re.compile(r'[ \t]*+(?:"(?P<quoted>[^"\n]*+)"[ \t]*+|(?P<plain>[^,\n]*+))(?:,|\Z)')


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of a text without Markdown, and how many lines it takes."""

    rows: Rows
    lines: int


def grid_at(text: str, starts: Sequence[int], line: int, *, rst: bool) -> Grid | None:
    """The table that begins at a line, or None. `starts` holds the bounds of all lines."""
    words = text[starts[line] : starts[line + 1]]
    if _GRID.match(words):
        return _grid(text, starts, line)
    if "|" in words and words.count("|") > 1 and words.lstrip().startswith("|"):
        return _pipes(text, starts, line)
    if rst and _SIMPLE.match(words):
        return _simple(text, starts, line)
    if rst and _LIST.match(words):
        return _listed(text, starts, line)
    if rst and _CSV.match(words):
        return _comma(text, starts, line)
    return None


def _lines(text: str, starts: Sequence[int], line: int) -> Iterator[tuple[int, Range, str]]:
    for number in range(line, len(starts) - 1):
        bounds = starts[number], starts[number + 1]
        yield number, bounds, text[slice(*bounds)].rstrip("\r\n")


def _between(text: str, first: int, last: int) -> Range:
    """A stretch without the blanks around it."""
    while first < last and text[first].isspace():
        first += 1
    while last > first and text[last - 1].isspace():
        last -= 1
    return first, last


def _pipes(text: str, starts: Sequence[int], line: int) -> Grid:
    rows: Rows = []
    last = line
    for number, (first, _), words in _lines(text, starts, line):
        if not words.lstrip().startswith(("|", "+")):
            break
        last = number
        cuts = [m.start() for m in re.finditer(r"\|", words)]
        if words.strip(" \t|+-=:") and len(cuts) > 1:
            pairs = pairwise(cuts)
            rows.append([_between(text, first + a + 1, first + b) for a, b in pairs])
    return Grid(rows, last - line + 1)


_grid = _pipes
"""A grid table's rows lie between pipes too; a cell of several lines is read line by line."""


def _simple(text: str, starts: Sequence[int], line: int) -> Grid | None:
    """`====  ====` above, below and under the heads; columns begin where the rulers do."""
    ruler = text[starts[line] : starts[line + 1]]
    columns = [m.span() for m in re.finditer(r"=+", ruler)]
    rows: Rows = []
    rulers = 0
    for number, (first, end), words in _lines(text, starts, line):
        if _SIMPLE.match(words) and words.strip():
            rulers += 1
            after = text[end : starts[number + 2]] if number + 2 < len(starts) else ""
            if rulers > 1 and (rulers == 3 or not after.strip()):
                return Grid(rows, number - line + 1)
            continue
        if not words.strip() or _UNDER.match(words):
            continue
        stops = [a for a, _ in columns[1:]] + [len(words)]
        rows.append(
            [
                _between(text, first + min(a, len(words)), first + max(min(b, len(words)), a))
                for (a, _), b in zip(columns, stops, strict=True)
                if a <= len(words)
            ]
        )
    return None


def _body(text: str, starts: Sequence[int], line: int) -> Iterator[tuple[int, Range, str]]:
    """The indented lines under a directive."""
    for number, bounds, words in _lines(text, starts, line + 1):
        if words.strip() and words[:1] not in (" ", "\t"):
            return
        yield number, bounds, words


def _listed(text: str, starts: Sequence[int], line: int) -> Grid:
    rows: Rows = []
    last = line
    for number, (first, _), words in _body(text, starts, line):
        last = number
        item = _ITEM.match(words)
        if item is None or _OPTION.match(words):
            continue
        if item["row"] or not rows:
            rows.append([])
        rows[-1].append(_between(text, first + item.end(), first + len(words)))
    return Grid(rows, last - line + 1)


def _comma(text: str, starts: Sequence[int], line: int) -> Grid:
    rows: Rows = []
    last = line
    for number, (first, _), words in _body(text, starts, line):
        last = number
        option = _OPTION.match(words)
        if option and option["name"] != "header":
            continue
        at = option.end() if option else 0
        cells = []
        while at < len(words) and words.strip():
            cell = _CELL.match(words, at)
            if cell is None or cell.end() == at:
                break
            cells.append(
                (first + cell.start(cell.lastgroup or 0), first + cell.end(cell.lastgroup or 0))
            )
            at = cell.end()
        if cells:
            rows.append([_between(text, *cell) for cell in cells])
    return Grid(rows, last - line + 1)
