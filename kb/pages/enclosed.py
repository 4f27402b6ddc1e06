"""Where each clock of a record starts and stops, drawn along the steps of a program's life.

The steps stand in their order and not to scale: the drawing says what an interval encloses,
the figure beside a bar how long it took. Once-only stages are outlined, samples are filled,
and an interval over many calls in flight is hatched, so that nothing hangs on a colour.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.model.evidence import Evidence
from kb.pages.plot import BAND, INK, Plot, Stencil, blank_title, drawing, stencil, titled
from kb.pages.text import esc, table, wide
from kb.pages.words import name
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    from kb.pages.plot import Canvas

STEPS = ("interpreter", "import", "backend", "trace", "lower", "compile",
         "copy in", "dispatch", "device work", "wait", "copy out", "use")  # fmt: skip
"""What a program does on the host and the device, in order."""

_ENCLOSED = {
    Boundary.PROCESS_COLD: ("interpreter", "backend"),
    Boundary.FRAMEWORK_IMPORT: ("import", "import"),
    Boundary.BACKEND_START: ("backend", "backend"),
    Boundary.TRACE: ("trace", "trace"),
    Boundary.LOWER: ("lower", "lower"),
    Boundary.COMPILE: ("compile", "compile"),
    Boundary.HOST_TO_DEVICE: ("copy in", "copy in"),
    Boundary.FIRST_CALL: ("dispatch", "wait"),
    Boundary.DISPATCH_ONLY: ("dispatch", "dispatch"),
    Boundary.WARM_HOST: ("dispatch", "wait"),
    Boundary.THROUGHPUT: ("dispatch", "wait"),
    Boundary.DEVICE_EVENTS: ("device work", "device work"),
    Boundary.PROFILE_DEVICE: ("device work", "device work"),
    Boundary.COLLECTIVE: ("device work", "device work"),
    Boundary.DEVICE_TO_HOST: ("copy out", "copy out"),
    Boundary.END_TO_END: ("copy in", "use"),
}
"""First and last step inside each boundary; an unstated one encloses nothing that we know."""


@dataclass(frozen=True)
class Bar:
    """One interval of a record: its name, its first and last step, and how long it took."""

    label: str
    first: str
    last: str
    time: str
    once: bool
    queued: bool = False


def enclosed(record: Evidence, timed: Callable[[float], str]) -> tuple[Plot, str] | None:
    """The drawing and its table; None where nothing is known to be enclosed."""
    found = list(_bars(record, timed))
    if not found:
        return None
    title = f"{record.workload.id}: where each clock starts and stops (order of steps, not scale)"
    timeless = tuple(replace(bar, time=f"@time{number}@") for number, bar in enumerate(found))
    words = {f"time{number}": bar.time for number, bar in enumerate(found)}
    plot = _drawn(timeless, blank_title(title)).filled(title, {**titled(title), **words})
    rows = [
        (bar.label, bar.first, bar.last, "once" if bar.once else "sampled", bar.time)
        for bar in found
    ]
    head = ("boundary", "from the start of", "to the end of", "", "time")
    return plot, wide(table(head, [tuple(map(esc, row)) for row in rows], "llllr"))


def _bars(record: Evidence, timed: Callable[[float], str]) -> Iterator[Bar]:
    for stage in record.stages:
        if ends := _ENCLOSED.get(stage.boundary):
            yield Bar(name(stage.boundary), *ends, timed(stage.seconds), once=True)
    for seen in record.measurements:
        if ends := _ENCLOSED.get(seen.boundary):
            queued = seen.calls_per_sample > 1
            yield Bar(name(seen.boundary), *ends, timed(seen.median), once=False, queued=queued)


@functools.lru_cache(maxsize=64)
def _drawn(found: tuple[Bar, ...], title: str) -> Stencil:
    """The drawing without its times, which many records share."""
    with drawing(title, 1.6 + 0.27 * len(found)) as figure:
        _draw(figure.subplots(), found)
        return stencil(figure)


def _draw(axes: Canvas, found: Sequence[Bar]) -> None:
    for row, bar in enumerate(reversed(found)):
        left, right = STEPS.index(bar.first), STEPS.index(bar.last) + 1
        axes.barh(
            row,
            right - left,
            left=left,
            height=0.62,
            facecolor="none" if bar.once or bar.queued else BAND,
            edgecolor=INK,
            linestyle="--" if bar.once else "-",
            hatch="////" if bar.queued else None,
        )
        fits = right < len(STEPS) - 2
        place = right + 0.15 if fits else left - 0.15
        side = "left" if fits else "right"
        axes.text(place, row, bar.time, ha=side, va="center", fontsize=9)
    axes.set_yticks(range(len(found)), [bar.label for bar in reversed(found)])
    axes.set_xlim(0, len(STEPS))
    axes.set_xticks(
        [place + 0.5 for place in range(len(STEPS))],
        STEPS,
        rotation=50,
        ha="right",
        rotation_mode="anchor",
    )
    axes.tick_params(length=0)
    for place in range(1, len(STEPS)):
        axes.axvline(place, color=INK, linewidth=0.4, linestyle=":", zorder=0)
