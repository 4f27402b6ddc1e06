"""Imported records on the site: what was read, what was odd, and what a decision makes of it."""

from __future__ import annotations

from kb.corpus import Corpus, ResultEntry
from kb.model.decision import Decision
from kb.model.result import CANNOT, FlagKind, Import, SkipReason
from kb.pages import links
from kb.pages.data import record_pages
from kb.pages.footnote import footnotes
from kb.pages.result_pair import judged, sides, view_of
from kb.pages.text import (
    blocks,
    box,
    chip,
    code,
    esc,
    link,
    page,
    plural,
    stacked,
    table,
    web_link,
    wide,
)
from kb.pages.verdicts import Linker, answer, verdict_body
from kb.pages.words import name, verdict_chip
from kb.published import operand_of_result


def imported_pages(corpus: Corpus) -> dict[str, str]:
    """One page and one JSON file for each import."""
    return record_pages(corpus.imports, lambda record: _page(record, corpus))


def with_imported(index: str, corpus: Corpus) -> str:
    """The index of evidence with the imported records below all others."""
    rows = [
        (
            link(code(key), f"{key}.md"),
            esc(entry.value.publisher),
            plural(len(entry.value.results), "result"),
            f"{sum(entry.value.tally.skipped.values())} left out",
        )
        for key, entry in sorted(corpus.imports.items())
    ]
    if not rows:
        return index
    title = "## Imported: measured by others { #imported }"
    head = ("record", "published by", "taken over", "of the source")
    return page(index, title, esc(CANNOT), stacked(table(head, rows)))


def _page(record: Import, corpus: Corpus) -> str:
    source = corpus.sources.get(record.source)
    where = esc(record.source)
    if source is not None:
        where = web_link(esc(source.value.title), source.value.address)
    tally = record.tally
    rows = [("read", str(tally.read), ""), ("taken over", str(tally.imported), "")]
    rows += [("flagged", str(n), esc(FlagKind.of(k).sentence)) for k, n in tally.flagged.items()]
    rows += [("left out", str(n), esc(SkipReason.of(k).sentence)) for k, n in tally.skipped.items()]
    left_out = [(esc(s.where), esc(s.reason.sentence), esc(s.note)) for s in record.skipped]
    names = sorted({result.benchmark for result in record.results})
    shown = ", ".join(
        link(esc(key), links.way("evidence/x.md", links.results_path(key))) for key in names
    )
    out = sum(tally.skipped.values())
    return page(
        f"# {esc(record.id)}",
        f"{code(record.id)} · {chip('class', 'imported')} · {esc(record.created)} · "
        f"[the record as JSON]({record.id}.json)",
        box("cannot", f"**What it can't say.** {esc(CANNOT)}"),
        f"Published by {esc(record.publisher)}: {where}, retrieved {esc(record.retrieved)}.",
        "## What was read",
        f"{tally.read} read = {tally.imported} taken over + {out} left out",
        wide(table(("", "number", "what it means"), rows, "lr"), told=True),
        "## What could not be read" if left_out else "",
        stacked(table(("where", "why", "in words"), left_out), told=True) if left_out else "",
        "## Results",
        f"By benchmark: {shown}",
        "## Fingerprint",
        wide(
            table(
                ("what", "value"),
                [
                    ("made by", code(record.command)),
                    ("SHA-256 of the source", code(record.source_sha256)),
                    ("content hash", code(record.content_hash)),
                ],
            )
        ),
        footnotes((e for e in corpus.results.values() if e.record is record), corpus),
    )


def decision_results(at: str, decision: Decision, corpus: Corpus) -> str:
    """The published results that a decision compares, with the pair's page."""
    rows: list[tuple[str, ...]] = []
    used: list[ResultEntry] = []
    for item in decision.comparisons:
        pair = sides(item.left, item.right, corpus)
        if pair is None:
            continue
        verdict, view = judged(pair, view_of(item), corpus), view_of(item)
        target = links.way(at, links.result_pair_path(item.left, item.right))
        said = ", ".join(name(axis) for axis in item.differences)
        rows.append(
            (
                link(f"{code(item.left)}<br>{code(item.right)}", target),
                "" if verdict is None else f"{answer(verdict)}<br>{esc(name(view))}",
                f"{esc(item.note or '')} They differ in {esc(said)}." if said else "",
            )
        )
        used += pair
    if not rows:
        return ""
    head = ("left, right", "verdict", "what for")
    notes = footnotes(used, corpus, derived=True)
    return blocks("## Published results", stacked(table(head, rows), told=True), notes)


def decision_refusals(at: str, decision: Decision, corpus: Corpus) -> str:
    """The comparisons that a decision keeps as refused, with the verdict that refuses them."""
    parts = []
    told = Linker(at, corpus)
    for item in decision.refused:
        pair = sides(item.left, item.right, corpus)
        verdict = None if pair is None else judged(pair, "total", corpus)
        if pair is not None and verdict is not None:
            left, right = (esc(operand_of_result(entry).quantity.text) for entry in pair)
            head = f"**{left}** {code(item.left)} against **{right}** {code(item.right)}"
            chipped = verdict_chip(verdict.kind)
            parts.append(
                blocks(f"{head} {chipped}", esc(item.note or ""), verdict_body(verdict, told))
            )
        else:
            axes = ", ".join(name(axis) for axis in item.axes)
            head = f"{told.text(item.left)} against {told.text(item.right)}"
            parts.append(f"{head}: they differ in {esc(axes)}. {esc(item.note or '')}")
    return blocks("## Comparisons that must not be made", *parts) if parts else ""
