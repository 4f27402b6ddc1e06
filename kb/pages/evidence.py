"""Evidence pages: what was observed, at which boundary, and above all what it can't say."""

from __future__ import annotations

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.evidence import OTHER, Evidence
from kb.model.gates import gates
from kb.model.measurement import GuardVerdict, Measurement
from kb.pages import links
from kb.pages.cudarun import cuda_section
from kb.pages.enclosed import enclosed
from kb.pages.fingerprint import fingerprint
from kb.pages.plot import Plot
from kb.pages.samples import samples
from kb.pages.text import (
    blocks,
    box,
    bullets,
    chip,
    code,
    esc,
    fold,
    link,
    page,
    stacked,
    table,
    unsearched,
    wide,
)
from kb.pages.words import name
from kb.qualifiers import Boundary, EvidenceClass

CANNOT = {
    EvidenceClass.EXECUTED_ON_TARGET: "It says nothing about other products, shapes, number "
    "formats or versions, and a host time is no kernel time.",
    EvidenceClass.EXECUTED_ELSEWHERE: "It says nothing about how fast any product of the "
    "catalogue is.",
    EvidenceClass.COMPILED_NOT_EXECUTED: "Nothing ran: it holds no time, no rate and no winner.",
    EvidenceClass.IMPORTED: "Somebody else measured it; its samples and its guard were not seen.",
    EvidenceClass.ESTIMATED: "Nothing ran: it is arithmetic on claims and no observation.",
}
"""What each class of evidence can't say."""

_SCALES = ((1e-6, "ns", 1e9), (1e-3, "µs", 1e6), (1.0, "ms", 1e3))


def scale(seconds: float) -> tuple[str, float]:
    """The unit in which a time reads best, and the factor from seconds to it."""
    return next(((unit, by) for limit, unit, by in _SCALES if seconds < limit), ("s", 1.0))


def timed(seconds: float) -> str:
    """A time with a fitting unit: `1.28 ms`."""
    unit, by = scale(seconds)
    return f"{seconds * by:.4g} {unit}"


def evidence_pages(corpus: Corpus) -> dict[str, str]:
    """One page a record with its plots as files, and the index of them."""
    pages = {links.EVIDENCE: _index(corpus)}
    for key, entry in sorted(corpus.evidence.items()):
        pages |= _record(key, entry, corpus)
    return pages


def _index(corpus: Corpus) -> str:
    rows = []
    for key, entry in sorted(corpus.evidence.items()):
        record = entry.value
        rows.append(
            (
                link(code(key), f"{key}.md"),
                esc(record.workload.id),
                esc(record.device.kind),
                chip("class", name(record.evidence_class), record.evidence_class.sentence),
                standing(record),
            )
        )
    head = ("record", "workload", "device", "class", "gates")
    return page(
        "# Evidence",
        "Every record was written by a machine, never by hand. It speaks for "
        "the device it ran on and for nothing else.",
        stacked(table(head, rows), "kb-measured")
        if rows
        else "No evidence yet. `kb measure run` writes some; it needs the extra `jax`.",
    )


def standing(record: Evidence) -> str:
    """Whether the record passes its gates, judged again from its content."""
    missed = [gate for gate in gates(record) if not gate.passed]
    if missed:
        return chip("no", f"✗ {len(missed)} missed")
    return chip("yes", "✓ all passed")


def plots(key: str, record: Evidence) -> dict[str, Plot]:
    """One plot a measurement, by the path of its file."""
    drawn = {}
    for seen in record.measurements:
        unit, by = scale(seen.median)
        title = (
            f"{record.workload.id}, {name(seen.boundary)}, {unit} a call, "
            f"{name(record.dtypes.storage)}, {record.device.kind}"
        )
        span = (seen.interval.low * by, seen.interval.high * by) if seen.interval else None
        values = [value * by for value in seen.samples]
        path = f"evidence/{key}-{seen.boundary}.svg"
        drawn[path] = samples(title, unit, values, seen.median * by, span)
    return drawn


def _record(key: str, entry: Entry[Evidence], corpus: Corpus) -> dict[str, str]:
    record, at = entry.value, links.evidence_path(key)
    drawn = plots(key, record)
    text = page(
        f"# {esc(record.workload.id)} on {esc(record.device.kind)}",
        f"{code(record.id)} · {chip('class', name(record.evidence_class))} · "
        f"{esc(record.created)} · [the record as JSON]({key}.json)",
        _cannot(record),
        _times(record),
        _clocks(record),
        *(
            _measured(seen, path, plot)
            for seen, (path, plot) in zip(record.measurements, drawn.items(), strict=True)
        ),
        _stages(record),
        _correctness(record),
        cuda_section(record.cuda),
        _gates(record),
        fingerprint(record),
        _used(at, key, corpus),
    )
    return {at: text, **{path: plot.file for path, plot in drawn.items()}}


def _cannot(record: Evidence) -> str:
    """The box on top: how far this record reaches."""
    kind = record.evidence_class
    extra = ""
    if record.device.platform == "cpu":
        extra = " **It ran on a CPU, so it speaks for no TPU and no GPU.**"
    elif record.device.product == OTHER:
        extra = " **Its device is no product of the catalogue.**"
    missed = [gate for gate in gates(record) if not gate.passed]
    why = bullets(f"{esc(name(gate.gate))}: {esc(gate.why)}" for gate in missed)
    doubt = blocks("**Not publishable as support for anything; these gates were missed:**", why)
    return box(
        "cannot",
        blocks(
            f"**What this record can't say.** {CANNOT[kind]}{extra}",
            f"{esc(kind.sentence)} {esc(record.device.speaks_for)}",
            doubt if missed else "",
        ),
    )


def _times(record: Evidence) -> str:
    rows = []
    for seen in record.measurements:
        span = "too few samples"
        if seen.interval:
            span = (
                f"{timed(seen.interval.low)} to {timed(seen.interval.high)} "
                f"({seen.interval.coverage:.1%})"
            )
        rows.append(
            (
                f"[{esc(name(seen.boundary))}](#{seen.boundary}){_in_flight(seen)}",
                f"**{timed(seen.median)}**",
                span,
                str(seen.n),
                f"{seen.spread.relative_mad:.1%}",
            )
        )
    head = ("boundary", "median", "interval of the median", "samples", "spread")
    shown = stacked(table(head, rows, "lrlrr"), "kb-times")
    return blocks("## What was observed", shown, esc(queue_note(record)))


def _clocks(record: Evidence) -> str:
    """What each interval encloses, drawn along the steps of the program."""
    drawn = enclosed(record, timed)
    if drawn is None:
        return ""
    plot, shown = drawn
    verdict = record.guard.verdict
    doubt = (
        ""
        if verdict is GuardVerdict.SYNCHRONISED
        else box("hypothesis", f"**These intervals are in doubt.** {esc(verdict.sentence)}")
    )
    return blocks(
        "## Where each clock starts and stops { #clocks }",
        doubt,
        f'<figure class="kb-figure">\n{plot.inline}\n<figcaption>Steps in their order, not to '
        "scale. Dashed: happened once. Filled: sampled, with its median. Hatched: many calls in "
        "flight, the time of one of them.</figcaption>\n</figure>",
        fold("The same as a table", shown),
    )


def _in_flight(seen: Measurement) -> str:
    """How many calls share a sample, whose time is that of one of them."""
    many = seen.calls_per_sample
    return f"<br>a call, {many} in flight" if many > 1 else ""


def queue_note(record: Evidence) -> str:
    """What a call that takes longer among many than alone means; empty where none does."""
    alone, queued = record.measurement(Boundary.WARM_HOST), record.measurement(Boundary.THROUGHPUT)
    if alone is None or queued is None or queued.median <= alone.median:
        return ""
    return (
        f"With {queued.calls_per_sample} in flight a call takes longer than alone "
        f"({timed(queued.median)} against {timed(alone.median)}): keeping several in flight "
        "gains nothing here."
    )


def _measured(seen: Measurement, path: str, plot: Plot) -> str:
    labels = bullets(
        f"{chip('caution', name(label))} {esc(label.sentence)}" for label in seen.labels
    )
    spread = seen.spread
    unit, by = scale(seen.median)
    rows = [
        (what, f"{value * by:.4g} {unit}")
        for what, value in (
            ("smallest", spread.minimum),
            ("first quartile", spread.first_quartile),
            ("median", seen.median),
            ("third quartile", spread.third_quartile),
            ("largest", spread.maximum),
        )
    ]
    raw = ", ".join(f"{value * by:.4g}" for value in seen.samples)
    return blocks(
        f"### {esc(name(seen.boundary)).capitalize()} {{ #{seen.boundary} }}",
        f"**Boundary:** {esc(seen.boundary.sentence)} The interval encloses: {esc(seen.includes)}",
        f'<figure class="kb-figure">\n{plot.inline}\n<figcaption>Each circle is one sample; the '
        "line below is the share of samples up to that time. Dashed: the median. Shaded: its "
        "interval.</figcaption>\n</figure>",
        table(("what", "time of one call"), rows, "lr"),
        labels,
        fold(f"All {seen.n} samples in {unit}, in the order taken", raw, searched=False),
        f"[The plot as a file]({path.rpartition('/')[2]})",
    )


def _stages(record: Evidence) -> str:
    rows = [
        (
            esc(name(step.boundary)),
            timed(step.seconds),
            esc(step.includes),
            "first in this process" if step.first_in_process else "",
        )
        for step in record.stages
    ]
    table_ = wide(table(("stage", "once", "encloses", ""), rows, "lrll"))
    cache = f"{esc(name(record.cache.state))}: {esc(record.cache.state.sentence)}"
    return blocks("## Stages that happen once", table_, f"Compilation cache: {cache}")


def _correctness(record: Evidence) -> str:
    seen = record.correctness
    mark = chip("yes", "✓ within tolerance") if seen.passed else chip("no", "✗ out of tolerance")
    error = "not finite" if seen.norm_error is None else f"{seen.norm_error:.3g}"
    rows = [
        ("norm of the error over norm of the reference", error),
        ("declared bound", f"{seen.tolerance.bound:.3g}"),
        ("elements compared", str(seen.elements)),
        ("share out of tolerance", f"{seen.share_out_of_tolerance:.3g}"),
        ("not a number, infinite", f"{seen.nan_count}, {seen.inf_count}"),
    ]
    return blocks(
        "## Correctness",
        f"{mark} against a {esc(seen.reference)} reference. {esc(seen.tolerance.formula)}",
        table(("what", "value"), rows, "lr"),
    )


def _gates(record: Evidence) -> str:
    rows = [
        (
            chip("yes", "✓") if gate.passed else chip("no", "✗"),
            esc(name(gate.gate)),
            esc(gate.gate.sentence),
            esc(gate.why),
        )
        for gate in gates(record)
    ]
    return blocks(
        unsearched("Gates"),
        "Computed again from the record when this page was made.",
        stacked(table(("", "gate", "asks", "found"), rows), told=True),
    )


def _used(at: str, record: str, corpus: Corpus) -> str:
    return blocks(
        unsearched("What rests on it"),
        bullets(resting(at, record, corpus)) or "No decision rests on this record.",
    )


def resting(at: str, record: str, corpus: Corpus) -> Iterator[str]:
    """A link to every decision that names the record as evidence."""
    for key, entry in corpus.decisions_on(record):
        yield link(f"{key}: {esc(entry.value.title)}", links.way(at, links.decision_path(key)))
