"""Reads a profile of the device and joins it to a compiled record.

Only leaf events of the lines that hold work count, since a profile nests them and shows the
same work on several lines. What can't be joined, what another program did, what ran beside
and what was idle stand apart and are never spread over the rest.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from kb.finding import CheckError
from kb.measure.compile.classes import COPIES
from kb.measure.compile.collectives import KINDS
from kb.model.artefact import Artefact

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a device's line; times in nanoseconds."""

    line: str
    start: float
    end: float
    op: str
    """The HLO instruction that it ran for; empty where the profile does not say."""
    program: str = ""
    """Module and number of the program, as far as the profile says."""
    name: str = ""

    @property
    def length(self) -> float:
        """How long it took."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Device:
    """The events of one device."""

    name: str
    work: tuple[Event, ...]
    beside: tuple[Event, ...] = ()
    """Asynchronous operations, whose spans overlap the work."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """Device time by who wrote the kernel, in nanoseconds."""

    devices: int
    by_group: Mapping[str, float]
    unjoined: float
    idle: float
    program: str = ""
    asynchronous: float = 0.0
    """Spans of asynchronous operations, which overlap the work and are not part of it."""
    others: float = 0.0
    """Leaf time of other programs in the same profile."""

    @property
    def busy(self) -> float:
        """All leaf time of the program."""
        return sum(self.by_group.values()) + self.unjoined

    def share(self, group: str) -> float:
        """The share of a group in all leaf time, from 0 to 1."""
        return self.by_group.get(group, 0.0) / self.busy if self.busy else 0.0


def read(path: Path) -> tuple[Device, ...]:
    """The events of each device in an `.xplane.pb`; raises `CheckError` where it holds none."""
    profiler: Any = importlib.import_module("jax.profiler")
    try:
        data = profiler.ProfileData.from_serialized_xspace(path.read_bytes())
        return devices(data, path.name)
    except (OSError, RuntimeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise CheckError(
            f"{path.name} is no profile: {why}", "Give the .xplane.pb that jax.profiler wrote."
        ) from error


def devices(data: Any, name: str) -> tuple[Device, ...]:
    """The device planes of a profile."""
    planes = [plane for plane in data.planes if plane.name.startswith("/device:")]
    found = tuple(_device(plane) for plane in planes)
    if not any(device.work for device in found):
        raise CheckError(
            f"{name} holds no device events.", "Profile on the device itself; a CPU has none."
        )
    return found


def _device(plane: Any) -> Device:
    lines = {line.name: tuple(_event(line.name, each) for each in line.events)
             for line in plane.lines}  # fmt: skip
    work = [name for name in lines if name.startswith("Stream #")]
    work = work or [name for name in lines if name == "XLA Ops"]
    beside = [name for name in lines if name.startswith("Async")]
    if not work:  # a profiler that names its lines otherwise still says what an event ran for
        work = [n for n, listed in lines.items() if n not in beside and any(e.op for e in listed)]
    return Device(
        plane.name,
        tuple(event for name in work for event in lines[name]),
        tuple(event for name in beside for event in lines[name]),
    )


def runtime(found: Sequence[Device], record: Artefact, program: str | None = None) -> Runtime:
    """Leaf device time by group, joined to `record` by the name of the instruction.

    `program` chooses one of several programs in the profile by its name; raises `CheckError`
    where there are several and none is named, or where nothing joins.
    """
    chosen = _chosen(found, program)
    groups = _groups(record)
    by_group: dict[str, float] = {}
    unjoined = others = 0.0
    for event in (event for device in found for event in leaves(device.work)):
        if event.program not in ("", chosen):
            others += event.length
            continue
        group = groups.get(event.op) or _moved(event)
        if group is None:
            unjoined += event.length
        else:
            by_group[group] = by_group.get(group, 0.0) + event.length
    if not any(event.op in groups for device in found for event in device.work):
        raise CheckError(
            f"No instruction of the profile is in {record.id}.",
            "Give the record of the program that was profiled, compiled with the same versions.",
        )
    return Runtime(
        devices=sum(bool(device.work) for device in found),
        by_group=by_group,
        unjoined=unjoined,
        idle=sum(_idle(_spans(device.work)) for device in found),
        program=chosen,
        asynchronous=sum(_covered(_spans(device.beside)) for device in found),
        others=others,
    )


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


def _chosen(found: Sequence[Device], wanted: str | None) -> str:
    """The one program that is looked at."""
    spent: dict[str, float] = {}
    for event in (event for device in found for event in leaves(device.work)):
        if event.program:
            spent[event.program] = spent.get(event.program, 0.0) + event.length
    matching = [name for name in spent if wanted is None or wanted in (name, _bare(name))]
    if len(matching) == 1:
        return matching[0]
    if not spent and wanted is None:
        return ""
    told = ", ".join(
        f"{name} ({spent[name] / 1e6:.3g} ms)" for name in sorted(spent, key=lambda n: -spent[n])
    )
    what = "several programs" if wanted is None else f"no single program {wanted!r}"
    raise CheckError(
        f"The profile holds {what}: {told or 'it names none'}.",
        "Name the one that the record is of: --program NAME.",
    )


def _bare(name: str) -> str:
    return name.partition("(")[0]


def _groups(record: Artefact) -> dict[str, str]:
    """The group by instruction; one that the variants class differently is left out."""
    seen: dict[str, set[str]] = {}
    for variant in record.variants:
        for kernel in variant.kernels:
            seen.setdefault(kernel.name, set()).add(kernel.kernel_class.group)
    return {name: groups.pop() for name, groups in seen.items() if len(groups) == 1}


def _event(line: str, event: Any) -> Event:
    stats = {key: value for key, value in event.stats if key}
    number, module = stats.get("program_id"), str(stats.get("hlo_module", ""))
    return Event(
        line,
        float(event.start_ns),
        float(event.start_ns + event.duration_ns),
        str(stats.get("hlo_op", "")),
        module if number is None else f"{module}({number})",
        str(event.name),
    )


def _moved(event: Event) -> str | None:
    """Collectives and copies, which no kernel class covers."""
    if event.op.startswith(KINDS):
        return "communication"
    if event.name.startswith(("Memcpy", "Memset")) or event.op.startswith(tuple(COPIES)):
        return "copies"
    return None


def _spans(listed: Iterable[Event]) -> list[Span]:
    return [(event.start, event.end) for event in listed]


def _covered(spans: Iterable[Span]) -> float:
    """The length of the union of spans."""
    return sum(end - start for start, end in _joined(spans))


def _idle(spans: Iterable[Span]) -> float:
    """Time between the first start and the last end in which nothing ran."""
    joined = list(_joined(spans))
    return sum(after[0] - before[1] for before, after in pairwise(joined))


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    open_: Span | None = None
    for start, end in sorted(spans):
        if open_ is None:
            open_ = start, end
        elif start > open_[1]:
            yield open_
            open_ = start, end
        else:
            open_ = open_[0], max(open_[1], end)
    if open_ is not None:
        yield open_
