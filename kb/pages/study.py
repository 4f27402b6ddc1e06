"""Pages of studies: the series side by side, the figures that prose cites, and the limits."""

from __future__ import annotations

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.model.study import Figure, Series, Study
from kb.pages import links
from kb.pages.data import record_pages
from kb.pages.evidence import resting, timed
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
    wide,
)
from kb.pages.words import name


def study_pages(corpus: Corpus) -> dict[str, str]:
    """One page and one JSON file for each study."""
    return record_pages(corpus.studies, lambda record: _page(record, corpus))


def with_studies(index: str, corpus: Corpus) -> str:
    """The index of evidence with the studies below the measured records."""
    rows = [
        (
            link(code(key), f"{key}.md"),
            esc(entry.value.subject),
            esc(entry.value.device.kind),
            _standing(entry.value),
        )
        for key, entry in sorted(corpus.studies.items())
    ]
    if not rows:
        return index
    head = ("study", "subject", "device", "checks")
    title = "## Studies { #studies }"
    said = "Several series side by side, each with its raw samples."
    return page(index, title, said, stacked(table(head, rows), "kb-studies"))


def _standing(study: Study) -> str:
    failed = sum(not check.passed for check in study.checks)
    return chip("no", f"✗ {failed} failed") if failed else chip("yes", "✓ all passed")


def _page(study: Study, corpus: Corpus) -> str:
    extra, found = "", resting(links.evidence_path(study.id), study.id, corpus)
    if study.device.platform == "cpu":
        extra = " **It ran on a CPU, so it speaks for no TPU and no GPU.**"
    return page(
        f"# {esc(study.subject)}",
        f"{code(study.id)} · {chip('class', name(study.evidence_class))} · {esc(study.created)} · "
        f"[the study as JSON]({study.id}.json)",
        box("cannot", f"**What this study can't say.** {esc(study.cannot)}{extra}"),
        f"It asks: {esc(study.study.sentence)}",
        _verdict(study),
        _series(study),
        _figures(study),
        _checks(study),
        _conditions(study),
        *_raw(study),
        blocks("## What rests on it", bullets(found) or "No decision yet."),
    )


def _verdict(study: Study) -> str:
    pair = study.pair
    if pair is None:
        return ""
    span, level = pair.interval, f"{pair.interval.coverage:.0%}, {esc(name(pair.interval.method))}"
    rows = [
        ("first", esc(pair.first)),
        ("second", esc(pair.second)),
        ("what differs", esc(pair.varied)),
        ("margin, declared before", f"{pair.margin:.1%}"),
        ("ratio of times, second over first", f"{span.low:.4g} to {span.high:.4g} ({level})"),
    ]
    return blocks(
        f"## Verdict: {esc(name(pair.verdict))}",
        esc(pair.verdict.sentence),
        table(("what", "value"), rows),
    )


def _series(study: Study) -> str:
    words = list(dict.fromkeys(word for each in study.series for word in each.facts))
    head = ("series", "boundary", "median", "samples", *(esc(name(word)) for word in words))
    rows = [
        (
            f"{code(each.name)}<br>{esc(each.title)}",
            esc(name(each.boundary)),
            "" if each.median is None else f"**{timed(each.median)}**",
            str(len(each.samples)),
            *(_fact(each, word) for word in words),
        )
        for each in study.series
    ]
    shown = wide(table(head, rows, "llrr" + "r" * len(words)))
    return blocks("## Series", shown)


def _fact(each: Series, word: str) -> str:
    value = each.facts.get(word, "")
    return f"{value:.4g}" if isinstance(value, float) else esc(str(value))


def _figures(study: Study) -> str:
    rows = [(code(f.name), esc(f.title), _amount(f.value, f.unit), _span(f)) for f in study.figures]
    head = ("figure", "what it is", "value", "lowest and highest")
    return blocks("## Figures", wide(table(head, rows, "llrr"))) if rows else ""


def _span(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{_amount(figure.low, figure.unit)} to {_amount(figure.high, figure.unit)}"


def _amount(value: float, unit: str) -> str:
    plain = {"s": timed(value), "share": f"{value:.1%}", "count": f"{value:.0f}",
             "ratio": f"{value:.4g}"}  # fmt: skip
    return plain.get(unit, f"{value:.4g} {unit}")


def _checks(study: Study) -> str:
    rows = [
        (chip("yes", "✓") if each.passed else chip("no", "✗"), esc(name(each.name)), esc(each.why))
        for each in study.checks
    ]
    return blocks("## Checks", stacked(table(("", "check", "found"), rows)))


def _conditions(study: Study) -> str:
    seen = study.environment
    rows = [(esc(name(word)), esc(value)) for word, value in study.controlled.items()]
    rows += [
        (
            "device",
            f"{study.device.count} × {esc(study.device.kind)} ({esc(study.device.platform)})",
        ),
        ("processor", esc(seen.cpu_model)),
        ("jax, jaxlib, Python", esc(f"{seen.jax}, {seen.jaxlib}, {seen.python}")),
        *((code(flag), code(value)) for flag, value in sorted(seen.flags.items())),
        ("command", code(study.command)),
        ("content hash", code(study.content_hash)),
    ]
    return blocks("## Held fixed", fold("Conditions", table(("what", "value"), rows)))


def _raw(study: Study) -> Iterator[str]:
    for each in study.series:
        if each.samples:
            text = ", ".join(f"{sample:.4g}" for sample in each.samples)
            yield fold(f"All {len(each.samples)} samples of {each.name} in s, in order", text)
