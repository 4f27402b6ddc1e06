"""A record in the lines that a person reads in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.pages.words import name as words

if TYPE_CHECKING:
    from kb.model.evidence import Evidence
    from kb.model.measurement import Measurement


def describe(record: Evidence) -> list[str]:
    """The lines that tell a person what a record says and how far it reaches."""
    from kb.pages.evidence import queue_note
    from kb.qualifiers import Boundary

    lines = [f"{record.workload.id} on {record.device.kind} ({words(record.evidence_class)})"]
    lines += [f"  {_observed(seen)}" for seen in record.measurements]
    note = queue_note(record)
    lines += [f"    {note}"] if note else []
    steps = ", ".join(f"{words(step.boundary)} {time(step.seconds)}" for step in record.stages)
    lines.append(f"  once: {steps} ({words(record.cache.state)})")
    floor = record.measurement(Boundary.WARM_HOST)
    if floor is not None:
        lines.append(f"  null call: {time(floor.noise_floor.null_call_seconds)}")
    lines.append(f"  {record.device.speaks_for}")
    missed = [gate for gate in record.gates if not gate.passed]
    lines += [f"  not publishable, {gate.gate}: {gate.why}" for gate in missed]
    lines += [] if missed else [f"  publishable: all {len(record.gates)} gates passed"]
    return lines


def _observed(seen: Measurement) -> str:
    """One measurement: median, interval, and flags, which inform and decide nothing."""
    many = f" a call with {seen.calls_per_sample} in flight" if seen.calls_per_sample > 1 else ""
    line = f"{words(seen.boundary)}: median {time(seen.median)}{many}, {seen.n} samples"
    if seen.interval is not None:
        low, high = time(seen.interval.low), time(seen.interval.high)
        line += f", {low} to {high} at {seen.interval.coverage:.1%}"
    return f"{line}; flags: {', '.join(map(words, seen.labels))}" if seen.labels else line


def time(seconds: float) -> str:
    """A time with four digits and the unit that fits it."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.4g} {unit}"
    return f"{seconds / 1e-9:.4g} ns"
