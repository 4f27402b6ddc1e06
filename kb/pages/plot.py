"""Plots as SVG that follow the reader's colours, with the data beside them in the page.

matplotlib draws them. Its colours are placeholders that become CSS: `currentColor` for ink
and two variables of our style sheet, so that one drawing serves light, dark and print.
Shapes and dashes carry the meaning, colour never does. Equal data give equal bytes.

Laying out axes and words takes nine tenths of the time of a drawing. So drawings that differ
only in their words share one stencil, in which `@name@` stands for a word.
"""

from __future__ import annotations

import hashlib
import io
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.finding import CheckError, with_extra
from kb.pages.svg import short_paths, shorter
from kb.pages.text import html_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Canvas = Axes
    Sheet = Figure
    """What other rooms draw on: matplotlib's names stay in this one."""

WIDTH = 5.2
"""Inches; on a phone the letters come out about as large as those of the page."""

LETTER = 0.078
"""Inches of a letter beside an axis."""

LINE = 66
"""Letters that fit a line of a title."""

INK, BAND, POINT = "#010203", "#040506", "#070809"
_COLOURS = {
    INK: "currentColor",
    BAND: "var(--kb-plot-band, #8a8a8a)",
    POINT: "var(--kb-plot-point, #1f5fae)",
}
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "kb",
    "text.parse_math": False,  # a dollar in a name is a dollar
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
_ID = re.compile(r"(?<=[\"#])([a-z][0-9a-f]{10})(?=[\")])")
_WORD = re.compile(r"@(\w+)@")
_STYLED = re.compile(r'(<[a-z]+\b[^<>]*?)style="([^"]*)"')
_SHEET = '<?xml-stylesheet type="text/css" href="../assets/drawing.css"?>\n'
"""Turns a drawing that is opened by itself dark; saved elsewhere it stays ink on white."""
_GROUND = '<rect class="ground" width="100%" height="100%" fill="#fff"/>'


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


def ratios(title: str, dots: Sequence[Dot]) -> Plot:
    """Ratios on a logarithmic axis, each with the interval that the printed digits allow."""
    longest = max((len(line) for dot in dots for line in dot.label.split("\n")), default=0)
    around = Margins(left=0.25 + LETTER * longest, right=0.15, bottom=0.72, gap=0)
    with drawing(title, 1.3 + 0.5 * len(dots), around) as figure:
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
        _beside(axes, row, dot.label)
    _ratio_axis(axes, dots)
    axes.set_yticks(list(rows), [""] * len(dots))
    axes.set_ylim(0.4, len(dots) + 0.6)


def _beside(axes: Axes, row: int, label: str) -> None:
    """The lines of a label, each for itself: of one text only the first would end at the axis."""
    told = label.split("\n")
    for number, line in enumerate(told):
        axes.annotate(
            line,
            (0, row),
            xycoords=("axes fraction", "data"),
            xytext=(-8, 6 * (len(told) - 1) - 12 * number),
            textcoords="offset points",
            ha="right",
            va="center",
        )


def _ratio_axis(axes: Axes, dots: Sequence[Dot]) -> None:
    low, high = min(1.0, *(d.low for d in dots)), max(1.0, *(d.high for d in dots))
    _logarithmic(axes, low / 1.3, high * 1.6)
    axes.axvline(1, color=INK, linestyle=":", linewidth=1)
    # Two lines: beside long names the axis is too short for one.
    axes.set_xlabel("left over right (no unit), logarithmic")
    axes.annotate(
        "dotted line: equal",
        (0.5, 0),
        xycoords="axes fraction",
        xytext=(0, -41),
        textcoords="offset points",
        ha="center",
    )


def _logarithmic(axes: Axes, low: float, high: float) -> None:
    """A logarithmic x-axis with plain numbers at 1, 2 and 5 of each decade."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xlim(low, high)
    marks = [step * 10.0**power for power in range(-6, 7) for step in (1, 2, 5)]
    axes.xaxis.set_major_locator(FixedLocator([mark for mark in marks if low <= mark <= high]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


@dataclass(frozen=True)
class Margins:
    """Inches around the axes of a drawing, to the title above, and between two axes."""

    left: float
    right: float
    bottom: float
    gap: float

    def parts(self, title_lines: int, height: float) -> dict[str, float]:
        """The margins as parts of the drawing, below a title of so many lines."""
        return {
            "left": self.left / WIDTH,
            "right": 1 - self.right / WIDTH,
            "bottom": self.bottom / height,
            "top": 1 - (0.16 + 0.165 * title_lines) / height,
            "hspace": self.gap,
        }


@contextmanager
def drawing(title: str, height: float, margins: Margins | None = None) -> Iterator[Figure]:
    """A figure of its own under our settings; nothing of matplotlib's global state is used.

    Without margins matplotlib looks for the best ones, which doubles the time.
    """
    with settings():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(WIDTH, height), layout=None if margins else "constrained")
        if margins:
            figure.subplots_adjust(**margins.parts(len(lines(title)), height))
        figure.suptitle("\n".join(lines(title)), x=0.01, ha="left", fontsize=10, fontweight="bold")
        yield figure


@contextmanager
def settings() -> Iterator[None]:
    """Our settings; raises `CheckError` where matplotlib is not installed."""
    try:
        from matplotlib import rc_context
    except ImportError:
        raise CheckError(
            "the plots need matplotlib, which is not installed",
            with_extra("docs"),
        ) from None
    with rc_context(_STYLE):
        yield


def lines(title: str) -> list[str]:
    """A title as the lines that fit a drawing; one that is a stencil's stays as it is."""
    return title.split("\n") if "\n" in title else textwrap.wrap(title, LINE) or [title]


def blank_title(title: str) -> str:
    """The title of a stencil for all titles of so many lines; `titled` gives its words."""
    return "\n".join(f"@title{number}@" for number in range(len(lines(title))))


def titled(title: str) -> dict[str, str]:
    """The words of a blank title."""
    return {f"title{number}": line for number, line in enumerate(lines(title))}


@dataclass(frozen=True)
class Stencil:
    """A finished drawing, or one in which words are still to be filled in."""

    text: str
    """An `<svg>` element whose ids end in `@own@`."""

    def filled(self, title: str, words: Mapping[str, str], under: str = "") -> Plot:
        """The drawing with its words, over what `under` draws in the same frame."""
        # Equal parts of two drawings on one page would have equal ids.
        own = hashlib.sha256(title.encode()).hexdigest()[:6]
        told = {"own": own, **{key: html_text(word) for key, word in words.items()}}
        start = self.text.index(">") + 1
        text = self.text[:start] + under + self.text[start:]
        text = _WORD.sub(lambda found: told.get(found[1], found[0]), text)
        head = f'<svg role="img" aria-label="{html_text(title)}" class="kb-plot"'
        inline = text.replace("<svg", head, 1)
        end = inline.index(">")
        inline = re.sub(r'(?:width|height)="[\d.]+pt" ?', "", inline[:end]) + inline[end:]
        body = text.index(">") + 1
        ink = text[:body].replace("<svg", '<svg color="#1a1a1a"', 1)
        return Plot(inline, f"{_SHEET}{ink}{_GROUND}{text[body:]}\n")


def stencil(figure: Figure) -> Stencil:
    """The figure as SVG with our colours, without what changes or clashes inside a page."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return Stencil(_plain(out.getvalue()))


def layer(figure: Figure) -> str:
    """What a figure without axes draws, to go under a stencil of the same size."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out, canvas = io.StringIO(), FigureCanvasSVG(figure)
    # `savefig` would prepare the page, the size and the colours again, a fifth of the time.
    canvas.print_svg(out, metadata={"Date": None})  # type: ignore[no-untyped-call] # theirs
    text = _plain(out.getvalue())
    return text[text.index(">") + 1 : text.rindex("</svg>")].rstrip()


def as_svg(figure: Figure, title: str) -> Plot:
    """A figure that is drawn once."""
    return stencil(figure).filled(title, {})


def _plain(text: str) -> str:
    text = short_paths(text[text.index("<svg") :])
    text = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", text, flags=re.DOTALL)
    text = re.sub(r' id="[a-zA-Z0-9.]+_\d+"', "", text)  # names of groups; hashes stay
    for placeholder, colour in _COLOURS.items():
        text = text.replace(placeholder, colour)
    text = re.sub(r"font-family: [^;]*", "font-family: sans-serif", text)
    text = _STYLED.sub(_as_attributes, text)
    text = shorter(re.sub(r"\s*\n\s*", "\n", text).strip())
    return _ID.sub(r"\1@own@", text)


def _as_attributes(styled: re.Match[str]) -> str:
    """The declarations of an element as attributes: a strict policy of a server allows those."""
    pairs = (part.partition(":") for part in styled[2].split(";") if part.strip())
    return styled[1] + " ".join(f'{name.strip()}="{value.strip()}"' for name, _, value in pairs)
