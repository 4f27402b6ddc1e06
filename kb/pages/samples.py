"""Every sample of a measurement: as a strip in the order taken, and as the share below each value.

The frame with its axes is a stencil: limits are round numbers, so that few frames serve all
measurements. Only the points, the step curve, the median and its interval are drawn anew.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.pages.plot import (
    BAND,
    INK,
    POINT,
    WIDTH,
    Margins,
    Plot,
    Stencil,
    blank_title,
    drawing,
    layer,
    settings,
    stencil,
    titled,
)

if TYPE_CHECKING:
    from kb.pages.plot import Canvas, Sheet

HEIGHT = 4.0
"""Inches."""

MARGINS = Margins(left=0.75, right=0.3, bottom=0.5, gap=0.12)
"""Room for the words at the axes; `gap` is a part of the height of an axis."""

WIDE_SPREAD = 4
"""Largest over smallest sample from which on the axis is logarithmic."""

MANY = 100
"""Samples from which on the points are smaller."""

MOST_MARKS = 6
"""Marks that find room on the axis."""

SHORT = 2e-4
"""Length of a point's line as a part of the axis."""

AIR = 0.03
"""Part of the spread that stays empty at either end, so that no point lies on an edge."""

FIRST, LAST = 0.06, 0.94
"""Where on its axis the first and the last sample taken stand."""


@dataclass(frozen=True)
class Axis:
    """The values between which an axis runs, and its marks; both are round numbers."""

    marks: tuple[float, ...]
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where a value is: 0 at the left end, 1 at the right."""
        if self.logarithmic:
            return math.log(value / self.marks[0]) / math.log(self.marks[-1] / self.marks[0])
        return (value - self.marks[0]) / (self.marks[-1] - self.marks[0])

    @property
    def shape(self) -> tuple[float, ...]:
        """Where the marks are; all that the frame depends on."""
        return tuple(round(self.place(mark), 4) for mark in self.marks)

    @property
    def words(self) -> list[str]:
        """The marks as they are printed, with the digits that tell them apart."""
        if self.logarithmic:
            return [f"{mark:g}" for mark in self.marks]
        step = self.marks[1] - self.marks[0]
        digits = next((n for n in range(12) if math.isclose(round(step, n), step)), 12)
        return [f"{mark:.{digits}f}" for mark in self.marks]


def axis_of(values: Sequence[float]) -> Axis:
    """An axis with round ends on which all values lie; logarithmic where they lie far apart."""
    low, high = min(values), max(values)
    if low > 0 and high > low * WIDE_SPREAD:
        # A few late samples would press all others into one line.
        return Axis(_decades(low / (1 + AIR), high * (1 + AIR)), logarithmic=True)
    air = (high - low) * AIR or abs(high) * AIR or 1.0
    low, high = low - air, high + air
    power = math.floor(math.log10((high - low) / MOST_MARKS))
    steps = (factor * 10.0**p for p in (power, power + 1) for factor in (1, 2, 2.5, 5))
    tried = ((step, range(math.floor(low / step), math.ceil(high / step) + 1)) for step in steps)
    step, numbers = next(pair for pair in tried if len(pair[1]) <= MOST_MARKS)
    return Axis(tuple(number * step for number in numbers))


def _decades(low: float, high: float) -> tuple[float, ...]:
    """Marks at 1, 2 and 5 of each decade, or at some decades where those would be too many."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    marks: list[float] = []
    for factors, apart in (((1, 2, 5), 1), ((1,), 1), ((1,), 2), ((1,), 5)):
        powers = range(first, last + apart, apart)
        held = [factor * 10.0**power for power in powers for factor in factors]
        left = max(number for number, mark in enumerate(held) if mark <= low)
        right = min(number for number, mark in enumerate(held) if mark >= high)
        marks = held[left : right + 1]
        if len(marks) <= MOST_MARKS:
            break
    return tuple(marks)


def samples(
    title: str,
    unit: str,
    values: Sequence[float],
    median: float,
    interval: tuple[float, float] | None,
) -> Plot:
    """The strip and the step curve with the median and its interval, all of one unit."""
    axis = axis_of([*values, median, *(interval or ())])
    blank = blank_title(title)
    with settings():
        frame, canvas = _frame(axis.shape, blank)
        under = canvas.drawn(axis, values, median, interval)
    label = f"time of one call in {unit}" + (", logarithmic" if axis.logarithmic else "")
    marks = {f"mark{number}": word for number, word in enumerate(axis.words)}
    words = {**titled(title), **marks, "label": label}
    words["n"] = str(len(values)) if len(values) > 1 else ""
    return frame.filled(title, words, under)


@functools.lru_cache(maxsize=64)
def _frame(shape: tuple[float, ...], title: str) -> tuple[Stencil, _Data]:
    """Two axes one above the other with nothing in them, and the place of what they hold."""
    with drawing(title, HEIGHT, MARGINS) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
        lower.set_xlim(0, 1)
        lower.set_xticks(shape, [f"@mark{number}@" for number in range(len(shape))])
        lower.set_xlabel("@label@")
        upper.set_ylim(0, 1)
        upper.set_yticks((FIRST, LAST), ("1", "@n@"))
        upper.set_ylabel("order taken")
        lower.set_ylim(0, 1.04)
        lower.set_yticks((0, 0.25, 0.5, 0.75, 1))
        lower.set_ylabel("share of samples")
        figure.align_ylabels()
        frame = stencil(figure)
        return frame, _Data(figure, (upper, lower))


class _Data:
    """The lines of one frame, which each measurement moves to where its own values are."""

    def __init__(self, figure: Sheet, axes: tuple[Canvas, Canvas]) -> None:
        self.figure = type(figure)(figsize=(WIDTH, HEIGHT))
        self.figure.patch.set_visible(False)
        self.bands: list[Any] = []
        self.medians: list[Any] = []
        for frame in axes:
            own = self.figure.add_axes(frame.get_position().bounds)
            own.set_xlim(frame.get_xlim())
            own.set_ylim(frame.get_ylim())
            own.set_axis_off()
            self.bands.append(own.axvspan(0, 1, color=BAND, alpha=0.35, linewidth=0))
            self.medians += own.plot((0, 0), frame.get_ylim(), "--", color=INK, linewidth=1)
        upper, lower = self.figure.axes
        # Each point is a line too short to be seen, with round ends: one path for all of them.
        self.points = upper.plot((), (), solid_capstyle="round", color=POINT, alpha=0.8)[0]
        self.steps = lower.step((), (), where="post", color=POINT, linewidth=1.6)[0]

    def drawn(
        self,
        axis: Axis,
        values: Sequence[float],
        median: float,
        interval: tuple[float, float] | None,
    ) -> str:
        """The SVG of one measurement."""
        many, places = len(values), [axis.place(value) for value in values]
        for line in self.medians:
            line.set_xdata([axis.place(median)] * 2)
        for band in self.bands:
            band.set_visible(interval is not None)
            if interval is not None:
                low, high = map(axis.place, interval)
                band.set_bounds(low, 0, high - low, 1)
        rise = (LAST - FIRST) / max(1, many - 1)
        heights = [FIRST + rise * number for number in range(many)]
        ends = ((place, place + SHORT, math.nan) for place in places)
        self.points.set_data(
            [place for pair in ends for place in pair],
            [height for height in heights for _ in range(3)],
        )
        self.points.set_linewidth(4.5 if many <= MANY else 3)
        ranked = sorted(places)
        self.steps.set_data([ranked[0], *ranked], [number / many for number in range(many + 1)])
        return layer(self.figure)
