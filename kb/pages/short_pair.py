"""Short comparison pages: a product that decisions name against every other accelerator.

The matrix is whole and judged like any other. What would need a page a table, every verdict
in full, is one step away in the chooser; reasons and cautions stand here, each once.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.matrix import cautions, judged_table, ratios_table, reasons, refused
from kb.pages.pairs import Group, Judge, Matrix, groups_by
from kb.pages.shards import is_whole
from kb.pages.text import blocks, esc, fold, link, page, plural, stacked, table
from kb.pages.verdicts import Judged
from kb.pages.words import verdict_counts
from kb.qualifiers import Layer

MOST_SHORT = 60
"""Pages of this kind; where there would be more, the browser puts the matrix together."""

Pair = tuple[str, str]
"""Two product ids; the page has them in their order, so that each verdict is judged once."""


def short_pairs(corpus: Corpus, pairs: Sequence[Matrix]) -> list[Pair]:
    """Each product of the full pairs with every other accelerator, or none if too many."""
    hardware = [
        key
        for key, entry in sorted(corpus.products.items())
        if entry.value.layer is Layer.ACCELERATOR and entry.value.claims
    ]
    named = [key for key in dict.fromkeys(k for m in pairs for k in (m.left, m.right))
             if key in hardware]  # fmt: skip
    done = {frozenset((m.left, m.right)) for m in pairs}
    found: list[Pair] = []
    for left, right in itertools.product(named, hardware):
        if left != right and frozenset((left, right)) not in done:
            done.add(frozenset((left, right)))
            found.append((left, right))
    return found if len(found) <= MOST_SHORT else []


def short_pages(corpus: Corpus, pairs: Sequence[Matrix], judge: Judge) -> dict[str, str]:
    """One page a pair; search finds the products instead."""
    whole = is_whole(corpus)
    return {
        links.pair_path(*sorted(pair)): _page(corpus, sorted(pair), judge, choosable=whole)
        for pair in short_pairs(corpus, pairs)
    }


def short_index(corpus: Corpus, pairs: Sequence[Matrix]) -> str:
    """The short pages as a table: one row an accelerator, one column a product of decisions."""
    found = short_pairs(corpus, pairs)
    if not found:
        return ""
    columns = list(dict.fromkeys(left for left, _ in found))
    rows = [
        (
            esc(corpus.products[right].value.name),
            *(_to(left, right, corpus) if (left, right) in found else "" for left in columns),
        )
        for right in dict.fromkeys(right for _, right in sorted(found, key=lambda p: p[1]))
    ]
    head = ("product", *("" for _ in columns))
    return blocks(
        "## Against every other accelerator",
        "The products that decisions choose between, each against all others: the whole matrix, "
        "with reasons and cautions.",
        stacked(table(head, rows)),
    )


def _to(left: str, right: str, corpus: Corpus) -> str:
    label = f"against {esc(corpus.products[left].value.name)}"
    return link(label, links.way(links.COMPARISONS, links.pair_path(*sorted((left, right)))))


def _page(corpus: Corpus, pair: Sequence[str], judge: Judge, *, choosable: bool) -> str:
    left, right = pair
    at = links.pair_path(left, right)
    products = [corpus.products[key].value for key in pair]
    found = groups_by(corpus, left, right, judge)
    counts = Counter(item.verdict.kind for group in found for item in group.judged)
    sides = [link(esc(p.name), links.way(at, links.product_path(p.product))) for p in products]
    return page(
        "---\nsearch:\n  exclude: true\n---",
        f"# {' against '.join(esc(p.name) for p in products)}",
        f"{' and '.join(sides)}: every pair of claims with one metric and one role, "
        f"{plural(sum(counts.values()), 'pair')} in all: {verdict_counts(counts)}. "
        f"Ratios are {esc(products[0].name)} over {esc(products[1].name)}.",
        "No row says which product is better: a specification is no result. What a workload "
        "reaches has to be measured."
        + (" A verdict leads to the whole of it, with its steps." if choosable else ""),
        *_parts(at, found, choosable=choosable),
    )


def _parts(at: str, found: Sequence[Group], *, choosable: bool) -> Iterator[str]:
    def target(item: Judged) -> str:
        sides = urlencode({"left": item.left.id, "right": item.right.id}, safe="/")
        return f"{links.way(at, links.CHOOSE)}?{sides}" if choosable else ""

    if not found:
        yield "The two have no metric in common: nothing can be set side by side."
    for group in found:
        yield f"## {esc(group.title[:1].upper() + group.title[1:])}"
        yield judged_table(at, group, target)
        yield ratios_table(group, target)
        why = reasons(group)
        if not group.allowed:
            yield refused("No ratio", group)
        else:
            yield blocks("Cautions of these ratios:", said) if (said := cautions(group)) else ""
            yield fold("Why the other pairs allow no ratio", why) if why else ""
