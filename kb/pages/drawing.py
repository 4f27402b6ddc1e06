"""Drawings of what a product is made of, with the boxes and arrows of the decision graph."""

from __future__ import annotations

from kb.model.product import Product
from kb.pages.words import name
from kb.qualifiers import Scope
from kb.records.graph import Graph, svg
from kb.records.impact import Node


def composition(product: Product) -> str:
    """The scopes of a product from the smallest part to the whole; empty without any.

    Raw HTML; the same is said as a list beside it.
    """
    if not product.composition:
        return ""
    order = list(Scope)
    counted = sorted(product.composition.items(), key=lambda pair: order.index(pair[0]))
    scopes = dict.fromkeys(scope for whole, part in counted for scope in (part.of, whole))
    labels: dict[Node, tuple[str, str]] = {}
    for scope in sorted(scopes, key=order.index):
        part = product.composition.get(scope)
        told = "" if part is None else f"{part.count} × {name(part.of)}"
        told += f", {part.topology}" if part and part.topology else ""
        labels["scope", scope] = (f"1 {name(scope)}", told)
    arrows = tuple(
        (("scope", part.of), ("scope", whole), f"{part.count} of them make one")
        for whole, part in counted
    )
    return drawn(Graph(labels, {}, arrows, f"What {product.name} is made of"))


def drawn(graph: Graph) -> str:
    """A graph inside a page, as raw HTML without a blank line that would end it."""
    picture = svg(graph).strip().replace("\n", "")
    return f'<div class="kb-scroll kb-drawn" tabindex="0" role="region">{picture}</div>'
