"""Plots as SVG that follow the reader's colours, with the data beside them in the page.

matplotlib draws them. Its colours are placeholders that become CSS: `currentColor` for ink
and two variables of our style sheet, so that one drawing serves light, dark and print.
Shapes and dashes carry the meaning, colour never does. Equal data give equal bytes.
"""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.finding import CheckError, with_extra
from kb.pages.text import html_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Canvas = Axes
    """What other rooms draw on: matplotlib's name stays in this one."""

WIDTH = 5.2
"""Inches; on a phone the letters come out about as large as those of the page."""

LINE = 54
"""Letters that fit a line of a title."""

WIDE_SPREAD = 4
"""Largest over smallest sample from which on the axis is logarithmic."""

MANY = 100
"""Samples from which on the circles are smaller."""

INK, BAND, POINT = "#010203", "#040506", "#070809"
_COLOURS = {
    INK: "currentColor",
    BAND: "var(--kb-plot-band, #8a8a8a)",
    POINT: "var(--kb-plot-point, #1f5fae)",
}
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
_STANDALONE = (
    "<style>svg{color:#1a1a1a;background:#fff}@media (prefers-color-scheme:dark)"
    "{svg{color:#e8e8e8;background:#16181d}}</style>"
)


@dataclass(frozen=True)
class Plot:
    """One drawing, as it stands in a page and as a file of its own."""

    inline: str
    """An `<svg>` element without blank lines, for raw HTML inside Markdown."""
    file: str
    """A whole SVG document."""


@dataclass(frozen=True)
class Dot:
    """One ratio with what its digits allow."""

    label: str
    text: str
    """The ratio as it is printed everywhere else."""
    value: float
    low: float
    high: float


def samples(
    title: str,
    unit: str,
    values: Sequence[float],
    median: float,
    interval: tuple[float, float] | None,
) -> Plot:
    """Every sample twice: as a strip in the order taken, and as the share below each value."""
    with drawing(title, 4.0) as figure:
        _draw_samples(figure, values, median, interval, unit)
        return as_svg(figure, title)


def _draw_samples(
    figure: Figure,
    values: Sequence[float],
    median: float,
    interval: tuple[float, float] | None,
    unit: str,
) -> None:
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    for axes in (upper, lower):
        if interval is not None:
            axes.axvspan(*interval, color=BAND, alpha=0.35, linewidth=0)
        axes.axvline(median, color=INK, linestyle="--", linewidth=1)
    order = range(1, len(values) + 1)
    size = 4 if len(values) <= MANY else 2.5
    upper.plot(values, order, "o", markersize=size, markerfacecolor="none", color=POINT)
    upper.set_ylabel("order taken")
    ranked = sorted(values)
    shares = [i / len(ranked) for i in range(len(ranked) + 1)]
    lower.step([ranked[0], *ranked], shares, where="post", color=POINT, linewidth=1.6)
    lower.set_ylim(0, 1.04)
    lower.set_ylabel("share of samples")
    label = f"time of one call in {unit}"
    if ranked[-1] > ranked[0] * WIDE_SPREAD:
        # A few late samples would press all others into one line.
        label += ", logarithmic"
        _logarithmic(lower, ranked[0] / 1.1, ranked[-1] * 1.1)
    lower.set_xlabel(label)


def ratios(title: str, dots: Sequence[Dot]) -> Plot:
    """Ratios on a logarithmic axis, each with the interval that the printed digits allow."""
    with drawing(title, 1.3 + 0.5 * len(dots)) as figure:
        _draw_ratios(figure.subplots(), dots)
        return as_svg(figure, title)


def _draw_ratios(axes: Axes, dots: Sequence[Dot]) -> None:
    rows = range(len(dots), 0, -1)
    for row, dot in zip(rows, dots, strict=True):
        axes.plot([dot.low, dot.high], [row, row], "-", color=INK, linewidth=2)
        axes.plot([dot.low, dot.high], [row, row], "|", color=INK, markersize=9)
        axes.plot([dot.value], [row], "D", color=POINT, markersize=5)
        axes.annotate(
            dot.text,
            (dot.high, row),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
        )
    _ratio_axis(axes, dots)
    axes.set_yticks(list(rows), [dot.label for dot in dots])
    axes.set_ylim(0.4, len(dots) + 0.6)


def _ratio_axis(axes: Axes, dots: Sequence[Dot]) -> None:
    low, high = min(1.0, *(d.low for d in dots)), max(1.0, *(d.high for d in dots))
    _logarithmic(axes, low / 1.3, high * 1.6)
    axes.axvline(1, color=INK, linestyle=":", linewidth=1)
    # Two lines: beside long names the axis is too short for one.
    axes.set_xlabel("left over right (no unit), logarithmic\ndotted line: equal")


def _logarithmic(axes: Axes, low: float, high: float) -> None:
    """A logarithmic x-axis with plain numbers at 1, 2 and 5 of each decade."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xlim(low, high)
    marks = [step * 10.0**power for power in range(-6, 7) for step in (1, 2, 5)]
    axes.xaxis.set_major_locator(FixedLocator([mark for mark in marks if low <= mark <= high]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


@contextmanager
def drawing(title: str, height: float) -> Iterator[Figure]:
    """A figure of its own under our settings; nothing of matplotlib's global state is used."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise CheckError(
            "the plots need matplotlib, which is not installed",
            with_extra("docs"),
        ) from None
    style: Any = {**_STYLE, "svg.hashsalt": title}
    with rc_context(style):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        words = textwrap.fill(title, LINE)
        figure.suptitle(words, x=0.01, ha="left", fontsize=10, fontweight="bold")
        yield figure


def as_svg(figure: Figure, title: str) -> Plot:
    """The figure as SVG with our colours, without what changes or clashes inside a page."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="[a-zA-Z0-9.]+_\d+"', "", text)  # names of groups; hashes stay
    for placeholder, colour in _COLOURS.items():
        text = text.replace(placeholder, colour)
    text = re.sub(r"font-family: [^;]*", "font-family: sans-serif", text)
    text = re.sub(r"\s*\n\s*", "\n", text).strip()
    head = f'<svg role="img" aria-label="{html_text(title)}" class="kb-plot"'
    inline = text.replace("<svg", head, 1)
    end = inline.index(">")
    inline = re.sub(r'(?:width|height)="[\d.]+pt" ?', "", inline[:end]) + inline[end:]
    body = text.index(">") + 1
    return Plot(inline, text[:body] + _STANDALONE + text[body:] + "\n")
