"""Reads a profile of the device and joins it to a compiled record.

Only leaf events count, since a profile nests them; what can't be joined and what was idle
stand apart and are never spread over the rest.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.finding import CheckError
from kb.model.artefact import Artefact

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a device's line."""

    line: str
    start: float
    end: float
    op: str
    """The HLO instruction that it ran for; empty where the profile does not say."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Device time by who wrote the kernel, in nanoseconds."""

    devices: int
    by_group: Mapping[str, float]
    unjoined: float
    idle: float

    @property
    def busy(self) -> float:
        """All leaf time."""
        return sum(self.by_group.values()) + self.unjoined

    def share(self, group: str) -> float:
        """The share of a group in all leaf time, from 0 to 1."""
        return self.by_group.get(group, 0.0) / self.busy if self.busy else 0.0


def read(path: Path) -> tuple[tuple[str, tuple[Event, ...]], ...]:
    """The events of each device in an `.xplane.pb`; raises `CheckError` where it holds none."""
    profiler: Any = importlib.import_module("jax.profiler")
    try:
        data = profiler.ProfileData.from_serialized_xspace(path.read_bytes())
    except (OSError, RuntimeError, ValueError) as error:
        raise CheckError(
            f"{path.name} is no profile: {str(error).splitlines()[0]}",
            "Give the .xplane.pb that jax.profiler wrote.",
        ) from error
    return events(data, path.name)


def events(data: Any, name: str) -> tuple[tuple[str, tuple[Event, ...]], ...]:
    """The events of each device plane of a profile."""
    found = []
    for plane in data.planes:
        if plane.name.startswith("/device:"):
            listed = tuple(_event(line.name, e) for line in plane.lines for e in line.events)
            found.append((plane.name, tuple(e for e in listed if e.op or _kernel_line(e.line))))
    if not any(listed for _, listed in found):
        raise CheckError(
            f"{name} holds no device events.", "Profile on the device itself; a CPU has none."
        )
    return tuple(found)


def runtime(planes: Iterable[tuple[str, tuple[Event, ...]]], record: Artefact) -> Runtime:
    """Leaf device time by group, joined to `record` by the name of the instruction."""
    groups = {k.name: k.kernel_class.group for v in record.variants for k in v.kernels}
    by_group: dict[str, float] = {}
    unjoined = idle = 0.0
    devices = 0
    for _, listed in planes:
        devices += bool(listed)
        for event in leaves(listed):
            group = groups.get(event.op) or _communication(event.op)
            if group is None:
                unjoined += event.end - event.start
            else:
                by_group[group] = by_group.get(group, 0.0) + event.end - event.start
        idle += _idle([(e.start, e.end) for e in listed])
    return Runtime(devices, by_group, unjoined, idle)


def leaves(listed: Iterable[Event]) -> list[Event]:
    """Events that hold no other event of their line."""
    by_line: dict[str, list[Event]] = {}
    for event in listed:
        by_line.setdefault(event.line, []).append(event)
    found = []
    for line in by_line.values():
        line.sort(key=lambda e: (e.start, -e.end))
        for event, following in zip(line, [*line[1:], None], strict=True):
            inside = following is not None and following.start < event.end
            if not (inside and following is not None and following.end <= event.end):
                found.append(event)
    return found


def _event(line: str, event: Any) -> Event:
    stats = {key: value for key, value in event.stats if key}
    op = str(stats.get("hlo_op", ""))
    return Event(line, float(event.start_ns), float(event.start_ns + event.duration_ns), op)


def _kernel_line(line: str) -> bool:
    """Lines that hold work, as the TPU and the GPU profiler name them."""
    return line.startswith(("XLA Ops", "Stream #"))


def _communication(op: str) -> str | None:
    words = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-", "copy")
    return "communication" if op.startswith(words) else None


def _idle(spans: list[Span]) -> float:
    """Time between the first start and the last end in which nothing ran."""
    idle, reached = 0.0, None
    for start, end in sorted(spans):
        if reached is not None and start > reached:
            idle += start - reached
        reached = end if reached is None else max(reached, end)
    return idle
