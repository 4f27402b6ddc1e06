"""The explorer of published results: by benchmark and scenario, plotted in legal groups only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kb.compare import compare
from kb.corpus import Corpus, ResultEntry
from kb.model.result import CANNOT, PublishedResult
from kb.pages import links
from kb.pages.dots import Point, dots
from kb.pages.footnote import footnotes
from kb.pages.text import blocks, box, chip, code, esc, fold, link, page, plural, stacked, table
from kb.pages.words import name
from kb.published import operand_of_result
from kb.qualifiers import Availability, RunKind, Scenario, Verification
from kb.verdict import VerdictKind

FEWEST = 3
"""Results from which on a group is drawn; two are better read."""


def results_pages(corpus: Corpus) -> dict[str, str]:
    """One page a benchmark, and the index of them; nothing without imports."""
    if not corpus.imports:
        return {}
    by_name: dict[str, list[ResultEntry]] = {}
    for entry in corpus.results.values():
        by_name.setdefault(entry.result.benchmark, []).append(entry)
    pages = {links.results_path(key): _benchmark(key, by_name[key], corpus) for key in by_name}
    return {links.RESULTS: _index(by_name, corpus), **pages}


def _index(by_name: dict[str, list[ResultEntry]], corpus: Corpus) -> str:
    rows = []
    for key, entries in sorted(by_name.items()):
        scenarios = Counter(entry.result.scenario for entry in entries)
        shown = ", ".join(f"{name(s)} {scenarios[s]}" for s in Scenario if s in scenarios)
        products = {entry.result.accelerators.product for entry in entries}
        held = ", ".join(sorted(products - {"other"}))
        target = links.results_path(key).rpartition("/")[2]
        rows.append((link(esc(key), target), esc(shown), esc(held), str(len(entries))))
    head = ("benchmark", "results by scenario", "accelerators of the catalogue", "results")
    return page(
        "# Published results",
        "Results of MLPerf® Inference benchmarks that others measured and MLCommons published. "
        "They are read in with every qualifier, and judged by MLCommons' own rules: one "
        "benchmark, one scenario, one division, compatible rounds, and systems of one size.",
        box("cannot", f"**What a result can't say.** {esc(CANNOT)}"),
        stacked(table(head, rows, "lllr")),
        "A plot holds only results that may be compared with one another. Nothing here is "
        "divided by accelerators: such a figure is derived, and is asked for by name with "
        f"{code('kb compare RESULT#per_accelerator RESULT#per_accelerator')}.",
        _pairs(corpus),
        footnotes(corpus.results.values(), corpus),
    )


def _pairs(corpus: Corpus) -> str:
    items = []
    for key, entry in sorted(corpus.decisions.items()):
        for item in entry.value.comparisons:
            if item.left in corpus.results and item.right in corpus.results:
                target = links.result_pair_path(item.left, item.right).rpartition("/")[2]
                items.append(f"- {link(esc(entry.value.title), target)} (decision {esc(key)})")
    return blocks("## Pairs", "\n".join(dict.fromkeys(items))) if items else ""


def _benchmark(key: str, entries: list[ResultEntry], corpus: Corpus) -> str:
    parts = []
    for scenario in Scenario:
        held = sorted((e for e in entries if e.result.scenario is scenario), key=_order)
        if held:
            parts.append(_scenario(scenario, held, corpus))
    return page(
        f"# MLPerf® Inference: {esc(key)}",
        f"{plural(len(entries), 'result')} · [all benchmarks](index.md)",
        box("cannot", f"**What a result can't say.** {esc(CANNOT)}"),
        *parts,
        footnotes(entries, corpus),
    )


def _order(entry: ResultEntry) -> tuple[str, int, str, str]:
    """By system and never by figure: a list is no race."""
    held = entry.result.accelerators
    return (held.product, held.total or 0, entry.result.submitter, entry.id)


def _scenario(scenario: Scenario, entries: list[ResultEntry], corpus: Corpus) -> str:
    groups: dict[tuple[object, ...], list[ResultEntry]] = {}
    for entry in entries:
        groups.setdefault(_group(entry.result), []).append(entry)
    drawn = [_plot(group) for group in groups.values() if len(group) >= FEWEST and legal(group)]
    rows = [_row(entry, corpus) for entry in entries]
    head = ("figure", "system", "number formats", "qualifiers", "id")
    listed = stacked(table(head, rows), told=True)
    return blocks(
        f"## {esc(name(scenario).capitalize())} {{ #{links.anchor(scenario.value)} }}",
        esc(scenario.sentence),
        *drawn,
        fold(f"All {plural(len(entries), 'result')}", listed, opened=len(entries) <= 12),
    )


def _group(result: PublishedResult) -> tuple[object, ...]:
    """What results of one plot share; `legal` holds every pair of them against the judge."""
    return (
        result.version,
        result.division,
        result.suite,
        result.run,
        result.model,
        result.quantity.unit.kind,
        result.accelerators.total,
    )


def legal(group: list[ResultEntry]) -> bool:
    """Whether each result of a group compares with the first one: then all do."""
    first = operand_of_result(group[0])
    return all(
        compare(first, operand_of_result(entry)).kind is VerdictKind.COMPARABLE
        for entry in group[1:]
    )


def _plot(group: list[ResultEntry]) -> str:
    first = group[0].result
    count = first.accelerators.total
    size = plural(count, "accelerator") if count else first.accelerators.processor
    measured = ", power run" if first.run is RunKind.POWER else ""
    title = f"{name(first.scenario)}, {first.version} {first.division}, {size}{measured}"
    points = [
        Point(
            f"{e.result.submitter}, {e.result.accelerators.printed}",
            f"weights {e.result.formats}",
            e.result.published,
            float(e.result.quantity.base),
            e.result.availability,
        )
        for e in group
    ]
    shapes = {point.availability for point in points}
    told = "Full circles are available systems"
    told += ", diamonds are previews" if Availability.PREVIEW in shapes else ""
    return (
        f'<figure class="kb-figure">\n{dots(title, points)}\n<figcaption>{told}. Each belongs to '
        "a whole submission, with software and tuning of its own.</figcaption>\n</figure>"
    )


def _row(entry: ResultEntry, corpus: Corpus) -> tuple[str, ...]:
    result = entry.result
    anchor = f'<span id="{links.anchor(entry.id)}"></span>'
    software = esc(result.software)
    return (
        f"{anchor}**{esc(result.published)}**{_accuracy(result)}",
        f"{system(entry, corpus)}<br>{software}",
        esc(result.formats),
        qualifiers(result),
        esc(entry.id),
    )


def system(entry: ResultEntry, corpus: Corpus) -> str:
    """Who submitted it, on how many accelerators of which kind."""
    result = entry.result
    held = result.accelerators
    what = esc(held.printed or held.processor)
    if held.product in corpus.products:
        what = link(what, links.way("results/x.md", links.product_path(held.product)))
    counted = f"{held.total} × " if held.total else ""
    nodes = f" on {held.nodes} nodes" if held.nodes > 1 else ""
    return f"**{esc(result.submitter)}**, {esc(result.system)}: {counted}{what}{nodes}"


def qualifiers(result: PublishedResult) -> str:
    """Round, division, category, review and oddities as labels."""
    words: Iterable[object] = (result.version, result.division, result.availability)
    shown = [chip("word", name(word), getattr(word, "sentence", "")) for word in words]
    verified = result.verification is Verification.VERIFIED
    shown.append(chip("yes" if verified else "open", name(result.verification)))
    if result.run is RunKind.POWER and result.power is not None:
        shown.append(chip("word", f"measured {result.power.published}"))
    for kind in dict.fromkeys(flag.kind for flag in result.flags):
        notes = "; ".join(flag.note for flag in result.flags if flag.kind is kind)
        shown.append(chip("caution", name(kind), notes))
    return " ".join(shown)


def _accuracy(result: PublishedResult) -> str:
    """The accuracy figures that have a target, and whether they meet it."""
    held = [figure for figure in result.accuracy if figure.met is not None]
    if not held:
        return ""
    shown = ", ".join(f"{figure.metric} {figure.value:.6g}" for figure in held)
    met = "within the target" if all(figure.met for figure in held) else "outside the target"
    return f"<br>{esc(shown)}: {met}"
