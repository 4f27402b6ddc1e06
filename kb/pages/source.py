"""The list of sources: who printed what, in which edition, read when, and used where."""

from __future__ import annotations

from kb.corpus import Corpus, Entry
from kb.model.product import Source
from kb.pages import links
from kb.pages.text import blocks, chip, code, esc, link, page, web_link
from kb.pages.words import name


def source_pages(corpus: Corpus) -> dict[str, str]:
    """One page with an anchor for every source, by publisher."""
    used = _used(corpus)
    by_publisher: dict[str, list[str]] = {}
    for key, entry in sorted(corpus.sources.items()):
        by_publisher.setdefault(entry.value.publisher, []).append(key)
    intro = (
        "Every document that printed a figure, listed once. A third-party copy "
        "repeats what a publisher printed; it is marked wherever it is used."
    )
    parts = ["# Sources", intro]
    for publisher, keys in sorted(by_publisher.items()):
        parts.append(f"## {esc(publisher)} {{ #by-{links.anchor(publisher) or 'publisher'} }}")
        parts += [_source(key, corpus.sources[key], used.get(key, {})) for key in keys]
    return {links.SOURCES: page(*parts)}


def _used(corpus: Corpus) -> dict[str, dict[str, int]]:
    """For each source, how many statements of each product rest on it."""
    counts: dict[str, dict[str, int]] = {}
    for entry in corpus.claims.values():
        for statement in entry.claim.statements:
            if statement.source is not None:
                per_product = counts.setdefault(statement.source, {})
                product = entry.product.product
                per_product[product] = per_product.get(product, 0) + 1
    return counts


def _source(key: str, entry: Entry[Source], used: dict[str, int]) -> str:
    source = entry.value
    facts = [chip("third" if "copy" in source.kind else "word", name(source.kind)), code(key)]
    if source.version:
        facts.append(esc(source.version))
    if source.retrieved:
        facts.append(f"read on {source.retrieved}")
    if source.copy_of:
        facts.append(f"copy of [{esc(source.copy_of)}](#{source.copy_of})")
    where = [
        f"{link(esc(product), links.way(links.SOURCES, links.product_path(product)))} ({number})"
        for product, number in sorted(used.items())
    ]
    return blocks(
        f"### {esc(source.title)} {{ #{key} }}",
        " · ".join(facts),
        web_link(esc(source.address), source.address) if source.address else "",
        esc(source.note or ""),
        f"Statements that rest on it: {', '.join(where)}" if where else "No statement rests on it.",
    )
