"""Dot plots of published results, drawn by hand so that a page costs no drawing library.

Each point has its whole system and qualifiers in words above it; its shape says the
category. The axis begins at zero. Colours come from the style sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kb.pages.text import html_text
from kb.qualifiers import Availability

WIDTH, LEFT, RIGHT, ROW, TOP = 360, 8, 118, 50, 30
"""As wide as a phone, so that its letters are those of the page there."""
FITS = 62
"""Letters of a label that fit the width."""


@dataclass(frozen=True)
class Point:
    """One result: what did it, the figure as printed, and its size on the axis."""

    label: str
    more: str
    """Second line of the label: the number formats."""
    text: str
    value: float
    availability: Availability


def dots(title: str, points: Sequence[Point]) -> str:
    """An `<svg>` element without blank lines; every point stands on a line of its own."""
    height = TOP + ROW * len(points) + 12
    largest = max(point.value for point in points)
    frame = f'viewBox="0 0 {WIDTH} {height}" xmlns="http://www.w3.org/2000/svg"'
    look = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    parts = [
        f'<svg role="img" aria-label="{html_text(title)}" class="kb-plot kb-dots" {frame} {look}>',
        f'<text x="{LEFT}" y="16" font-weight="bold">{html_text(title)}</text>',
        f'<line x1="{LEFT}" y1="{TOP}" x2="{LEFT}" y2="{height - 8}" stroke="currentColor" />',
    ]
    for index, point in enumerate(points):
        parts += _row(point, TOP + ROW * index, largest)
    return "\n".join([*parts, "</svg>"])


def _row(point: Point, top: int, largest: float) -> list[str]:
    x = LEFT + point.value / largest * (WIDTH - LEFT - RIGHT)
    y = top + 40
    line = f'<line x1="{LEFT}" y1="{y}" x2="{x:.1f}" y2="{y}"'
    return [
        _label(point.label, top + 14),
        _label(point.more, top + 27),
        f'{line} stroke="currentColor" stroke-opacity="0.35" />',
        _mark(point.availability, x, y),
        f'<text x="{x + 9:.1f}" y="{y + 4}">{html_text(point.text)}</text>',
    ]


def _label(text: str, y: int) -> str:
    short = text if len(text) <= FITS else f"{text[: FITS - 1]}…"
    return f'<text x="{LEFT + 6}" y="{y}" font-size="11">{html_text(short)}</text>'


def _mark(availability: Availability, x: float, y: int) -> str:
    """A full circle for what can be had, a diamond for a preview, a ring for the rest."""
    colour = "var(--kb-plot-point, #1f5fae)"
    if availability is Availability.PREVIEW:
        shape = f"M{x:.1f} {y - 6}l6 6l-6 6l-6 -6z"
        return f'<path d="{shape}" fill="none" stroke="{colour}" stroke-width="2" />'
    fill = colour if availability is Availability.AVAILABLE else "none"
    return f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{fill}" stroke="{colour}" />'
