"""A record in the lines that a person reads in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.pages.words import name as words

if TYPE_CHECKING:
    from kb.model.evidence import Evidence
    from kb.model.measurement import Measurement
    from kb.model.study import Figure, Series, Study
    from kb.qualifiers import EvidenceClass


def _class(word: EvidenceClass) -> str:
    """The class of a run; the one whose name says too little says whom it speaks for."""
    from kb.qualifiers import EvidenceClass as Classes

    if word is Classes.EXECUTED_ELSEWHERE:
        return f"{words(word)}: it speaks for this device alone"
    return words(word)


def describe(record: Evidence) -> list[str]:
    """The lines that tell a person what a record says and how far it reaches."""
    from kb.pages.evidence import queue_note
    from kb.qualifiers import Boundary

    lines = [f"{record.workload.id} on {record.device.kind} ({_class(record.evidence_class)})"]
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


def study_lines(study: Study) -> list[str]:
    """A study as a person reads it: verdict or table, figures, what failed, what it can't say."""
    from kb.pages.words import name as words

    lines = [f"{study.subject} ({words(study.study)}, {_class(study.evidence_class)})"]
    if study.pair is not None:
        pair = study.pair
        lines += [
            f"  {words(pair.verdict)}: {pair.verdict.sentence}",
            f"  varied: {pair.varied}; margin {pair.margin:.1%}",
        ]
    lines += _table(study)
    lines += [f"  {figure.title}: {amount(figure)}" for figure in _told(study)]
    lines += [f"  failed, {check.name}: {check.why}" for check in study.checks if not check.passed]
    if study.sound:
        lines.append(f"  all {len(study.checks)} checks passed")
    return [*lines, f"  {study.cannot}"]


def _told(study: Study) -> list[Figure]:
    """Figures that a row of the table doesn't show already."""
    shown = ("_traces", "_compilations", "_padding")
    return [figure for figure in study.figures if not figure.name.endswith(shown)]


def _table(study: Study) -> list[str]:
    """One line a series: what it is, its median, and its counts."""
    width = max((len(each.name) for each in study.series), default=0)
    return [f"  {each.name:<{width}}  {_series(each)}" for each in study.series]


def _series(each: Series) -> str:
    """The median and those facts that fit a line."""
    middle = "-" if each.median is None else time(each.median)
    kept = ("traces", "compilations", "padding", "devices", "batch", "collectives", "size_bytes")
    facts = [
        f"{word.replace('_', ' ')} {_fact(each.facts[word])}" for word in kept if word in each.facts
    ]
    return ", ".join([f"{middle:>9}", f"n {len(each.samples)}", *facts])


def _fact(value: str | float) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def amount(figure: Figure) -> str:
    """A figure with its unit and its interval."""
    said = _amount(figure.value, figure.unit)
    if figure.low is None or figure.high is None:
        return said
    return f"{said} ({_amount(figure.low, figure.unit)} to {_amount(figure.high, figure.unit)})"


def _amount(value: float, unit: str) -> str:
    if unit == "s":
        return time(value)
    if unit == "share":
        return f"{value:.1%}"
    if unit == "count":
        return f"{value:.0f}"
    return f"{value:.4g}" if unit == "ratio" else f"{value:.4g} {unit}"


def time(seconds: float) -> str:
    """A time with four digits and the unit that fits it."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.4g} {unit}"
    return f"{seconds / 1e-9:.4g} ns"
