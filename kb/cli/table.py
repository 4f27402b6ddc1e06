"""Columns in a terminal, whatever script their text is in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kb.characters import padded, width


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A line a row, each column as wide as its widest cell and two blanks apart."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (padded(cell, wide) for cell, wide in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()
