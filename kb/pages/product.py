"""Product pages: every claim with its qualifiers in words, its sources and its doubts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.corpus import ClaimEntry, Corpus
from kb.model.claim import AXES
from kb.model.product import Product
from kb.operand import needed_axes
from kb.pages import links
from kb.pages.computed import computed
from kb.pages.drawing import composition
from kb.pages.jsonld import product_data
from kb.pages.statement import assessment_box, citation, cited_line, other_statements
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
    plural,
    stacked,
    table,
)
from kb.pages.words import badges, claim_title, name, qualifiers, titles
from kb.qualifiers import UNSTATED, Metric, Scope
from kb.records.impact import Node, Rests, direct

Resting = Mapping[Node, Sequence[Rests]]
"""What rests on each record directly."""

WANTED = frozenset({"accumulator", "output", "counting", "power_state", "arithmetic"})
"""Axes whose silence cautions instead of standing in the way."""


def product_pages(corpus: Corpus) -> dict[str, str]:
    """One page a product, and the index of them."""
    resting = direct(corpus)
    pages = {links.product_path(key): _product(corpus, key, resting) for key in corpus.products}
    return {links.PRODUCTS: _index(corpus), **pages}


def _index(corpus: Corpus) -> str:
    rows = []
    for key, entry in sorted(corpus.products.items()):
        product = entry.value
        target = links.way(links.PRODUCTS, links.product_path(key))
        rows.append(
            (
                link(esc(product.name), target),
                esc(product.vendor),
                esc(product.summary),
                str(len(product.claims)),
            )
        )
    head = ("product", "vendor", "what it is", "claims")
    return page(
        "# Products",
        "Every product of the catalogue. A figure belongs to one product "
        "and one part of it, never to a family.",
        stacked(table(head, rows, "lllr"), "kb-products", searched=False),
        _families(corpus),
    )


def _families(corpus: Corpus) -> str:
    """Names that alone name no product."""
    items = []
    for family in corpus.families:
        members = [_product_link(links.PRODUCTS, member, corpus) for member in family.value.members]
        note = f" {esc(family.value.note)}" if family.value.note else ""
        items.append(f"**{esc(family.value.name)}** may mean {' or '.join(members)}.{note}")
    return blocks("## Names that mean several products", bullets(items)) if items else ""


def _product_link(at: str, product: str, corpus: Corpus) -> str:
    entry = corpus.products.get(product)
    if entry is None:
        return esc(product)
    return link(esc(entry.value.name), links.way(at, links.product_path(product)))


def _product(corpus: Corpus, key: str, resting: Resting) -> str:
    product, at = corpus.products[key].value, links.product_path(key)
    entries = list(corpus.claims_of(key))
    groups = _grouped(entries)
    named = titles(entry.claim for entry in entries)
    return page(
        # A value is searched for where it is claimed, before all that cites it.
        "---\nsearch:\n  boost: 2\n---",
        f"# {esc(product.name)}",
        f"{esc(product.vendor)} · {code(key)} · {plural(len(entries), 'claim')} · "
        f"[the same as JSON]({key}.json)",
        esc(product.summary),
        _confusions(at, product, corpus),
        "## At a glance\n\n" + _glance(entries) if entries else "",
        _composition(at, product, corpus),
        computed(key, corpus),
        *(_group(at, title, members, named, corpus, resting) for title, members in groups.items()),
        product_data(product, entries, corpus),
    )


def _confusions(at: str, product: Product, corpus: Corpus) -> str:
    if not product.not_to_be_confused_with and not product.aliases:
        return ""
    others = [_product_link(at, other, corpus) for other in product.not_to_be_confused_with]
    named = f"**Not to be confused with** {', '.join(others)}." if others else ""
    aliases = ", ".join(esc(alias) for alias in product.aliases)
    return box("confusion", blocks(named, f"Also written: {aliases}." if aliases else ""))


def _glance(entries: list[ClaimEntry]) -> str:
    """The figures that comparisons are made of: one accelerator first, other scopes folded.

    Counts of parts stand further below.
    """
    figures = [entry for entry in entries if entry.claim.metric is not Metric.COUNT]
    near = [entry for entry in figures if _of_one_accelerator(entry)]
    far = [entry for entry in figures if entry not in near]
    if not near:
        return _figures(figures or entries)
    more = f"{plural(len(far), 'figure')} of cores, hosts, systems and the like"
    return blocks(_figures(near), fold(more, _figures(far)) if far else "")


def _of_one_accelerator(entry: ClaimEntry) -> bool:
    scope = entry.claim.value_of("scope")
    return not isinstance(scope, Scope) or scope.level == 2


def _figures(entries: list[ClaimEntry]) -> str:
    rows = [
        (
            f"**{esc(entry.claim.current.published)}**",
            link(esc(claim_title(entry.claim)), f"#{entry.claim.id}")
            + f"<br>{code(entry.claim.id)}",
            _open_axes(entry),
        )
        for entry in entries
    ]
    return stacked(table(("printed", "figure", "left open by the source"), rows), "kb-figures")


def _open_axes(entry: ClaimEntry) -> str:
    shown = []
    for axis, value in qualifiers(entry.claim):
        if value == UNSTATED:
            settled = entry.claim.assessment_of(axis)
            look, tail = ("assessed", ": assessed") if settled else ("unstated", "")
            shown.append(chip(look, f"{name(axis)}{tail}"))
    return " ".join(shown)


def _composition(at: str, product: Product, corpus: Corpus) -> str:
    """How the scopes nest, smallest first, and how many links leave one accelerator."""
    items = []
    ordered = sorted(product.composition.items(), key=lambda pair: _rank(pair[0]))
    for scope, part in ordered:
        text = f"1 {esc(name(scope))} = **{part.count} × {esc(name(part.of))}**"
        text += f", {esc(part.topology)}" if part.topology else ""
        items.append(text + _where(at, part.source, part.locator, corpus))
    for joined in product.links:
        one = name(product.accelerator or "accelerator")
        text = (
            f"1 {esc(one)} has **{plural(joined.count, joined.unit)}** of {name(joined.interface)}"
        )
        items.append(text + _where(at, joined.source, joined.locator, corpus))
    if product.sparse_mode is not None:
        mode = product.sparse_mode
        text = "structured-sparse mode: " + ("none" if mode.mode == "none" else name(mode.mode))
        text += f". {esc(mode.assessment)}" if mode.assessment else ""
        items.append(text + _where(at, mode.source, None, corpus))
    return blocks("## What it is made of", composition(product), bullets(items)) if items else ""


def _rank(scope: Scope) -> int:
    return list(Scope).index(scope)


def _where(at: str, source: str | None, locator: str | None, corpus: Corpus) -> str:
    if source is None:
        return ""
    return f" — {citation(at, source, corpus)}" + (f"; {esc(locator)}" if locator else "")


def _grouped(entries: list[ClaimEntry]) -> dict[str, list[ClaimEntry]]:
    """Claims by interface, else by metric, in the order in which they are written."""
    groups: dict[str, list[ClaimEntry]] = {}
    for entry in entries:
        interface = entry.claim.value_of("interface")
        title = name(interface) if interface is not None else name(entry.claim.metric)
        groups.setdefault(title[:1].upper() + title[1:], []).append(entry)
    return groups


def _group(
    at: str,
    title: str,
    entries: list[ClaimEntry],
    named: Mapping[str, str],
    corpus: Corpus,
    resting: Resting,
) -> str:
    anchor = links.anchor(f"about-{title}")
    return blocks(
        f"## {esc(title)} {{ #{anchor} }}",
        *(_claim(at, entry, named[entry.claim.id], corpus, resting) for entry in entries),
    )


def _claim(at: str, entry: ClaimEntry, title: str, corpus: Corpus, resting: Resting) -> str:
    claim = entry.claim
    return blocks(
        f"### {esc(claim.current.published)}: {esc(title)} {{ #{claim.id} }}",
        f'[{code(entry.id)}](#{claim.id} "Permanent link to this claim")<br>\n{badges(at, claim)}',
        bullets(_aloud(entry)),
        *(
            assessment_box(at, entry.product.product, claim, found, corpus)
            for found in claim.assessments
        ),
        f"Source: {cited_line(at, claim.current, corpus)}.",
        bullets(_remarks(at, entry, corpus)),
        _rests(at, entry, resting, corpus),
        other_statements(at, claim, corpus),
    )


def _rests(at: str, entry: ClaimEntry, resting: Resting, corpus: Corpus) -> str:
    """The decisions that would feel a change of this claim."""
    found = [
        link(esc(rests.node[1]), links.way(at, links.decision_path(rests.node[1])))
        for rests in resting.get(("claim", entry.id), ())
        if rests.node[0] == "decision" and rests.node[1] in corpus.decisions
    ]
    return f"Decisions that rest on it: {', '.join(dict.fromkeys(found))}." if found else ""


def _aloud(entry: ClaimEntry) -> Iterator[str]:
    """What the source leaves unstated, as sentences."""
    claim = entry.claim
    axes = {axis: claim.value_of(axis) for axis in AXES}
    present = {axis: value for axis, value in axes.items() if value is not None}
    needed = needed_axes(claim.metric, present, entry.product)
    for axis in AXES:
        if axes[axis] != UNSTATED and (axis not in needed or axes[axis] is not None):
            continue
        matters = "a comparison that turns on it stays undetermined"
        if axis in WANTED:
            matters = "a comparison passes with a caution"
        if claim.assessment_of(axis):
            matters = "the assessment below settles it"
        yield f"The source does not state the **{esc(name(axis))}**; {matters}."


def _remarks(at: str, entry: ClaimEntry, corpus: Corpus) -> Iterator[str]:
    claim = entry.claim
    if entry.override:
        yield f"This project departs from the installed catalogue: {esc(entry.override)}"
    if claim.current.note:
        yield f"About this statement: {esc(claim.current.note)}"
    if claim.precedence:
        yield f"Why this statement stands: {esc(claim.precedence)}"
    if claim.note:
        yield esc(claim.note)
    if claim.dense_factor:
        factor = claim.dense_factor
        yield (
            f"The vendor states {factor.factor} as the factor from this sparse rate to the "
            f"dense one: {citation(at, factor.source, corpus)}; {esc(factor.locator)}"
        )
    for axis, source in claim.backed_by.items():
        yield f"The {esc(name(axis))} is backed by {citation(at, source, corpus)}"
