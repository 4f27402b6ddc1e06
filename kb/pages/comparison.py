"""Comparison pages: two products claim by claim, every cell a verdict, charts only where allowed.

A chart holds only pairs for which `compare` allows a ratio. Where there is none, the
reasons stand in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kb.corpus import Corpus
from kb.model.product import Product
from kb.pages import links
from kb.pages.matrix import judged_table, ratios_table, refused, span_of
from kb.pages.pairs import Group, Judge, Matrix
from kb.pages.plot import Dot, Plot, ratios
from kb.pages.ratio import ratio
from kb.pages.short_pair import short_index, short_pages
from kb.pages.text import (
    blocks,
    bullets,
    esc,
    link,
    page,
    plural,
    stacked,
    table,
)
from kb.pages.verdicts import Judged, verdict_fold
from kb.pages.words import verdict_chip, verdict_counts
from kb.verdict import VerdictKind


def comparison_pages(corpus: Corpus, pairs: Sequence[Matrix], judge: Judge) -> dict[str, str]:
    """One page a pair of products with its charts, and the index of them."""
    pages = {links.COMPARISONS: _index(corpus, pairs), **short_pages(corpus, pairs, judge)}
    for matrix in pairs:
        pages |= _pair(corpus, matrix)
    return pages


def _index(corpus: Corpus, pairs: Sequence[Matrix]) -> str:
    rows = []
    for matrix in pairs:
        keys = matrix.left, matrix.right
        names = [esc(corpus.products[key].value.name) for key in keys]
        target = links.way(links.COMPARISONS, links.pair_path(*keys))
        counts = Counter(item.verdict.kind for group in matrix.groups for item in group.judged)
        rows.append((link(" against ".join(names), target), verdict_counts(counts)))
    kinds = [f"{verdict_chip(kind)} {esc(kind.sentence)}" for kind in VerdictKind]
    return page(
        "# Comparisons",
        "Two numbers are set side by side only after one function has judged them on every "
        "axis. Its answer is one of four:",
        bullets(kinds),
        f"[Choose any two claims]({links.way(links.COMPARISONS, links.CHOOSE)}) · "
        f"[Any two products]({links.way(links.COMPARISONS, links.ANY_TWO)})",
        stacked(table(("products", "verdicts"), rows))
        if rows
        else "No products are set side by side yet.",
        short_index(corpus, pairs),
    )


def _pair(corpus: Corpus, matrix: Matrix) -> dict[str, str]:
    left, right, found = matrix.left, matrix.right, matrix.groups
    at = links.pair_path(left, right)
    products = corpus.products[left].value, corpus.products[right].value
    charts = {group.title: chart(group, left, right) for group in found if group.allowed}
    text = page(
        f"# {esc(products[0].name)} against {esc(products[1].name)}",
        _introduction(at, products, found),
        *(_lesson(at, title, items, corpus) for title, items in matrix.lessons.items()),
        *(_group(at, group, charts.get(group.title)) for group in found),
    )
    files = {
        _beside(at, group, "svg"): charts[group.title].file for group in found if group.allowed
    }
    full = {_beside(at, group, "md"): _in_full(at, group, corpus) for group in found}
    return {at: text, **full, **files}


def _beside(at: str, group: Group, ending: str) -> str:
    """The path of what belongs to one group of a pair: its verdicts in full, its chart."""
    return f"{at.removesuffix('.md')}-{links.anchor(group.title)}.{ending}"


def _in_full(at: str, group: Group, corpus: Corpus) -> str:
    """Every verdict of one group on a page of its own; search finds the pair instead."""
    own = _beside(at, group, "md")
    sides = [esc(entry[0].product.name) for entry in (group.rows, group.columns)]
    back = link(" against ".join(sides), links.way(own, at))
    return page(
        "---\nsearch:\n  exclude: true\n---",
        f"# Verdicts in full: {esc(group.title)}",
        f"Every pair of one table in {back}, "
        "with reasons, cautions, steps and what to use instead.",
        *(
            verdict_fold(own, item, corpus, opened=item.verdict.allows_ratio)
            for item in group.judged
        ),
    )


def _introduction(at: str, products: tuple[Product, Product], found: Sequence[Group]) -> str:
    counts = Counter(item.verdict.kind for group in found for item in group.judged)
    shown = " and ".join(
        link(esc(p.name), links.way(at, links.product_path(p.product))) for p in products
    )
    return blocks(
        f"{shown}: every pair of claims with one metric and one role, "
        f"{plural(sum(counts.values()), 'pair')} in all: {verdict_counts(counts)}. "
        f"Ratios are {esc(products[0].name)} over {esc(products[1].name)}.",
        "No row says which product is better: a specification is no result. What a workload "
        "reaches has to be measured. "
        f"[The same verdicts as JSON]({at.removesuffix('.md').rpartition('/')[2]}.json).",
    )


def _lesson(at: str, title: str, items: Iterable[Judged], corpus: Corpus) -> str:
    folds = [verdict_fold(at, item, corpus, opened=True) for item in items]
    return blocks(f"## {title}", *folds)


def _group(at: str, group: Group, plot: Plot | None) -> str:
    title = group.title[:1].upper() + group.title[1:]
    full = links.way(at, _beside(at, group, "md"))
    return blocks(
        f"## {esc(title)}",
        judged_table(at, group, lambda item: f"{full}#{item.anchor}"),
        _drawn(at, group, plot) if plot else refused("No chart", group),
        f"[Every verdict of this table in full]({links.way(at, _beside(at, group, 'md'))})",
    )


def chart(group: Group, left: str, right: str) -> Plot:
    """The ratios of a group; only pairs whose verdict allows one are handed to the drawing."""
    dots = []
    for item in group.allowed:
        value, span = span_of(item)
        label = f"{item.left.claim.id}\n/ {item.right.claim.id}"
        dots.append(Dot(label, ratio(value), float(value), float(span.low), float(span.high)))
    return ratios(f"Ratio {left} / {right} (no unit): {group.title}", dots)


def _drawn(at: str, group: Group, plot: Plot) -> str:
    own = _beside(at, group, "svg").rpartition("/")[2]
    full = links.way(at, _beside(at, group, "md"))
    return blocks(
        f'<figure class="kb-figure">\n{plot.inline}\n</figure>',
        ratios_table(group, lambda item: f"{full}#{item.anchor}"),
        f"[The chart as a file]({own})",
    )
