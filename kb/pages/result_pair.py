"""Two published results side by side: the whole chain from two totals to what may be said."""

from __future__ import annotations

from collections.abc import Iterator

from kb.compare import explained
from kb.corpus import Corpus, Entry, ResultEntry
from kb.model.decision import Comparison, Decision
from kb.pages import links
from kb.pages.footnote import footnotes
from kb.pages.ratio import ratio
from kb.pages.results import qualifiers, system
from kb.pages.text import blocks, box, esc, link, page, stacked, table, wide
from kb.pages.verdicts import Linker, answer, verdict_body
from kb.pages.words import name, verdict_chip
from kb.published import View, operand_of_result
from kb.qualifiers import RESULT_AXES
from kb.verdict import Verdict

Pair = tuple[ResultEntry, ResultEntry]


def result_pair_pages(corpus: Corpus) -> dict[str, str]:
    """One page for each pair of published results that a decision compares."""
    pages = {}
    for entry in corpus.decisions.values():
        for item in entry.value.comparisons:
            pair = sides(item.left, item.right, corpus)
            if pair is not None:
                at = links.result_pair_path(item.left, item.right)
                pages[at] = _page(at, pair, item, entry, corpus)
    return pages


def sides(left: str, right: str, corpus: Corpus) -> Pair | None:
    """The two results of these ids; None where either is none."""
    found = corpus.results.get(left), corpus.results.get(right)
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def view_of(item: Comparison) -> View:
    """The view of the results that a record asks for."""
    if "divide_by_power" in item.derivation:
        return "per_watt"
    return "per_accelerator" if "divide_by_count" in item.derivation else "total"


def judged(pair: Pair, view: View, corpus: Corpus) -> Verdict | None:
    """The verdict on two results in one view; None where a result doesn't have it."""
    try:
        left, right = (operand_of_result(entry, view) for entry in pair)
    except ValueError:
        return None
    return explained(left, right, corpus)


def _page(at: str, pair: Pair, item: Comparison, entry: Entry[Decision], corpus: Corpus) -> str:
    told = Linker(at, corpus)
    total, view = judged(pair, "total", corpus), view_of(item)
    derived = judged(pair, view, corpus) if view != "total" else None
    first, second = pair
    decision = link(
        f"decision {esc(entry.value.id)}", links.way(at, links.decision_path(entry.value.id))
    )
    return page(
        f"# {esc(first.result.benchmark)} {esc(name(first.result.scenario))}: "
        f"{_short(first)} against {_short(second)}",
        f"Two published results of MLPerf® Inference, as {decision} compares them.",
        "## The two results",
        stacked(
            table(
                ("figure", "system", "number formats", "qualifiers"),
                [_row(side, corpus) for side in pair],
            )
        ),
        _totals(total, told),
        _derived(derived, view, told),
        "## What still differs",
        wide(table(("", _short(first), _short(second)), list(_differences(pair)))),
        _conclusion(pair, derived or total, view, entry.value),
        footnotes(pair, corpus, derived=derived is not None),
    )


def _short(entry: ResultEntry) -> str:
    held = entry.result.accelerators
    counted = f"{held.total} × " if held.total else ""
    return f"{counted}{esc(held.printed or held.processor)}"


def _row(entry: ResultEntry, corpus: Corpus) -> tuple[str, ...]:
    result = entry.result
    where = links.result_target(entry).rpartition("/")[2]
    return (
        f"**{link(esc(result.published), where)}**",
        f"{system(entry, corpus)}<br>{esc(result.software)}",
        esc(result.formats),
        qualifiers(result),
    )


def _totals(verdict: Verdict | None, told: Linker) -> str:
    if verdict is None:
        return ""
    head = "## The ratio of the totals"
    body = verdict_body(verdict, told)
    if verdict.allows_ratio:
        return blocks(head, answer(verdict), body)
    refused = box("refused", "**Refused.** No ratio of the two totals may be printed.")
    return blocks(head, refused, verdict_chip(verdict.kind), body)


def _derived(verdict: Verdict | None, view: View, told: Linker) -> str:
    if verdict is None:
        return ""
    note = (
        "A derived figure, asked for by name. It is no official metric of the benchmark, and "
        "nothing was measured on one accelerator."
        if view == "per_accelerator"
        else "A derived figure, from the system power that was measured in the same runs."
    )
    title = name(view).capitalize()
    return blocks(f"## {title}", note, answer(verdict), verdict_body(verdict, told))


def _differences(pair: Pair) -> Iterator[tuple[str, str, str]]:
    left, right = (operand_of_result(entry) for entry in pair)
    for axis in RESULT_AXES:
        if axis != "normalisation" and left.get(axis) != right.get(axis):
            yield esc(name(axis)), esc(name(left.word(axis))), esc(name(right.word(axis)))
    one, other = (entry.result for entry in pair)
    for what in ("submitter", "system", "software"):
        if getattr(one, what) != getattr(other, what):
            yield what, esc(getattr(one, what)), esc(getattr(other, what))


def _conclusion(pair: Pair, verdict: Verdict | None, view: View, decision: Decision) -> str:
    first, second = pair
    said = (
        f"{esc(first.result.submitter)} reached {esc(first.result.published)} on {_short(first)}, "
        f"{esc(second.result.submitter)} {esc(second.result.published)} on {_short(second)}."
    )
    if verdict is None or verdict.ratio is None:
        return blocks("## What may be said", said, "No ratio follows from the two.")
    per = "" if view == "total" else f" {esc(name(view))}, by a derived figure"
    more = (
        f"That is {ratio(verdict.ratio)} times as much{per}. The ratio is one of two submissions: "
        "it holds for these systems, this software and these number formats, and no part of it "
        "may be put down to the accelerator alone. It names no winner."
    )
    next_ = decision.next_measurement
    return blocks(
        "## What may be said",
        said,
        more,
        f"**What would settle it.** {esc(next_)}" if next_ else "",
    )
