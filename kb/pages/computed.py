"""What is computed from a product's claims, beside what the vendor prints for the same."""

from __future__ import annotations

from kb.corpus import Corpus
from kb.estimate import Derived, derived_of
from kb.pages.text import blocks, chip, esc, fold, link, plural, table, wide


def computed(product: str, corpus: Corpus) -> str:
    """The section of computed values; empty where nothing can be computed."""
    items = derived_of(product, corpus)
    if not items:
        return ""
    rows = [(f"**{esc(i.text)}**", esc(i.title), _from(i), _beside(i)) for i in items]
    head = ("computed", "figure", "from", "printed by the vendor")
    intro = (
        "Nothing here is typed in: each value follows from its parents, and what they leave "
        "open stays open. It is an estimate from claims; nothing ran."
    )
    shown = fold(plural(len(rows), "computed value"), wide(table(head, rows)))
    return blocks("## Computed from these claims", intro, shown)


def _from(item: Derived) -> str:
    parents = [link(esc(name.partition("/")[2]), f"#{name.partition('/')[2]}") for name in
               item.parents]  # fmt: skip
    notes = "".join(f"<br>{esc(note)}" for note in item.notes)
    return f"{esc(item.formula)}<br>{', '.join(parents)}{notes}"


def _beside(item: Derived) -> str:
    if item.printed is None:
        return ""
    name = item.printed.partition("/")[2]
    verdict = chip("yes", "agrees") if item.agrees else chip("no", "differs beyond rounding")
    return f"{link(esc(name), f'#{name}')} {verdict}"
