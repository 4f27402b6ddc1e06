"""Draw what each timed interval encloses: docs/assets/timing-boundaries.svg.

Each row is a list of steps as a record holds it; the verdict beside it is computed from the
steps by the very function that judges records. Run: .venv/bin/python tools/timing_picture.py
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt

from kb.model.intervals import Step, StepKind, TimedInterval, judge
from kb.qualifiers import Boundary

OUT = Path(__file__).resolve().parents[1] / "docs/assets/timing-boundaries.svg"


@dataclass(frozen=True)
class Row:
    """One interval: its name, its steps, and where it starts and stops on the drawing."""

    name: str
    boundary: Boundary
    steps: str
    start: float
    stop: float


ROWS = (
    Row("JAX: warm call, host clock", Boundary.WARM_HOST,
        "clock_start; launch 1; synchronise 1; clock_stop", 0.0, 6.0),
    Row("JAX: clock stopped after dispatch", Boundary.WARM_HOST,
        "clock_start; launch 1; clock_stop", 0.0, 1.2),
    Row("CUDA: host clock, stream waited for", Boundary.WARM_HOST,
        "clock_start; launch 1; synchronise 1; clock_stop", 0.0, 6.0),
    Row("CUDA: events in the kernel's stream", Boundary.DEVICE_EVENTS,
        "record start 1; launch 1; record stop 1; synchronise stop; read", 1.25, 5.55),
    Row("CUDA: events in another stream", Boundary.DEVICE_EVENTS,
        "record start 2; launch 1; record stop 2; synchronise stop; read", 0.3, 1.3),
)  # fmt: skip


def interval(row: Row) -> TimedInterval:
    """The row's steps as a record would hold them."""
    made = []
    for part in row.steps.split(";"):
        kind, *rest = part.split()
        stream = next((int(word) for word in rest if word.isdecimal()), None)
        event = next((word for word in rest if not word.isdecimal()), None)
        made.append(Step(kind=StepKind.of(kind), stream=stream, event=event))
    ends = ("start", "stop") if row.boundary is Boundary.DEVICE_EVENTS else ("clock", "clock")
    return TimedInterval(boundary=row.boundary, start=ends[0], stop=ends[1], steps=tuple(made))


def draw() -> None:
    """Write the picture."""
    mpl.rcParams.update({"svg.hashsalt": "kb", "svg.fonttype": "none", "font.size": 10})
    figure, axes = plt.subplots(figsize=(8.2, 4.6))
    for place, row in enumerate(reversed(ROWS)):
        good = judge(interval(row)).encloses
        low = place * 1.5
        axes.broken_barh([(0.0, 1.2)], (low + 0.55, 0.32), facecolor="#cfd8dc", edgecolor="#333")
        axes.broken_barh([(1.4, 4.0)], (low + 0.15, 0.32), facecolor="#90a4ae", edgecolor="#333")
        axes.text(0.6, low + 0.71, "launch", ha="center", va="center", fontsize=8)
        axes.text(3.4, low + 0.31, "kernel on the device", ha="center", va="center", fontsize=8)
        axes.annotate(
            "",
            (row.start, low),
            (row.stop, low),
            arrowprops={"arrowstyle": "|-|", "linestyle": "-" if good else "--"},
        )
        word = "encloses the work" if good else "refused"
        axes.text(6.25, low + 0.35, f"{'✓' if good else '✗'} {word}", va="center")
        axes.text(-0.2, low + 0.5, row.name, ha="right", va="center")
    axes.set_xlim(-5.2, 8.8)
    axes.set_ylim(-0.4, len(ROWS) * 1.5)
    axes.axis("off")
    figure.savefig(
        OUT, format="svg", bbox_inches="tight", facecolor="white", metadata={"Date": None}
    )


if __name__ == "__main__":
    draw()
