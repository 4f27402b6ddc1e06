"""Decisions as a graph, in Mermaid and as SVG: which replaces which, and what they rest on."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from kb.corpus import Corpus
from kb.records.impact import Node, impact
from kb.records.reliance import relied_on

WIDTH, HEIGHT, ACROSS, DOWN, EDGE = 230, 54, 90, 22, 16
"""Size of a box, the gaps between boxes, and the margin."""

TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
    'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#7a7a7a"/></marker></defs>'
)
"""The head of an arrow."""

COLOURS = {
    "draft": "#e8e8e8",
    "hypothesis": "#fff3c4",
    "accepted": "#d5f0d8",
    "rejected": "#f6d5d5",
    "superseded": "#dcdcdc",
    "deprecated": "#dcdcdc",
}
"""Fill of a decision by its status; other records are white."""


@dataclass(frozen=True)
class Graph:
    """Boxes and arrows; an arrow leads to what is replaced or rested on."""

    labels: Mapping[Node, tuple[str, str]]
    """Two lines for each box."""
    fills: Mapping[Node, str]
    arrows: tuple[tuple[Node, Node, str], ...]
    title: str = "Decisions and what they rest on"


def graph_of(corpus: Corpus, around: str | None = None) -> Graph:
    """All decisions, or one with everything that it rests on and that rests on it."""
    arrows = [*_succession(corpus)]
    if around is None:
        keys: Collection[str] = corpus.decisions
        nodes = [("decision", key) for key in sorted(keys)]
    else:
        center = ("decision", around)
        rests = [(_node(name), center) for name in relied_on(corpus.decisions[around], corpus)]
        arrows += [(center, node, "rests on") for node, _ in rests]
        arrows += [(item.node, item.on, item.how) for item in impact(around, corpus)]
        nodes = [center, *(n for a, b, _ in arrows if center in (a, b) for n in (a, b))]
        nodes += [item.node for item in impact(around, corpus)]
    nodes = list(dict.fromkeys(nodes))
    shown = tuple(dict.fromkeys(a for a in arrows if a[0] in nodes and a[1] in nodes))
    fills = {
        node: COLOURS[corpus.decisions[node[1]].value.status]
        for node in nodes
        if node[0] == "decision" and node[1] in corpus.decisions
    }
    return Graph({node: _label(node, corpus) for node in nodes}, fills, shown)


def mermaid(graph: Graph) -> str:
    """The graph in Mermaid's language, without the fence around it."""
    names = {node: f"n{i}" for i, node in enumerate(graph.labels)}
    lines = ["graph LR"]
    for node, (first, second) in graph.labels.items():
        text = f"{first}<br/>{second}" if second else first
        lines.append(f'  {names[node]}["{_plain(text)}"]')
    lines += [f'  {names[a]} -->|"{_plain(how)}"| {names[b]}' for a, b, how in graph.arrows]
    lines += [f"  style {names[node]} fill:{fill}" for node, fill in graph.fills.items()]
    return "\n".join(lines) + "\n"


def svg(graph: Graph) -> str:
    """The graph as one SVG with a title and a text for readers that see no picture."""
    at = _places(graph)
    wide = max((x for x, _ in at.values()), default=0) + WIDTH + EDGE
    high = max((y for _, y in at.values()), default=0) + HEIGHT + EDGE
    told = "; ".join(
        f"{graph.labels[a][0]} {how} {graph.labels[b][0]}" for a, b, how in graph.arrows
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}" font-family="sans-serif" font-size="12">'
        f"<title>{html.escape(graph.title)}</title><desc>{html.escape(told)}</desc>"
    )
    parts = [
        head,
        TIP,
        *(_arrow(at[a], at[b], how) for a, b, how in graph.arrows),
        *(_box(at[n], graph.labels[n], graph.fills.get(n, "#ffffff")) for n in graph.labels),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _succession(corpus: Corpus) -> Iterator[tuple[Node, Node, str]]:
    for key, entry in sorted(corpus.decisions.items()):
        for other in entry.value.supersedes:
            yield ("decision", key), ("decision", other), "supersedes"
        for part in entry.value.supersedes_sections:
            how = f"supersedes section {part.section}"
            yield ("decision", key), ("decision", part.decision), how


def _node(name: str) -> Node:
    return ("claim" if "/" in name else "evidence"), name


def _label(node: Node, corpus: Corpus) -> tuple[str, str]:
    kind, name = node
    if kind == "decision" and name in corpus.decisions:
        decision = corpus.decisions[name].value
        return f"{name} {decision.status}", _short(decision.title)
    if kind == "claim" and name in corpus.claims:
        return _short(name), corpus.claims[name].claim.current.published
    return f"{kind}", _short(name)


def _places(graph: Graph) -> dict[Node, tuple[int, int]]:
    """A column for each step away from the boxes that nothing leads to."""
    columns: dict[Node, int] = dict.fromkeys(graph.labels, 0)
    for _ in graph.labels:  # as many rounds as boxes: a circle ends there too
        for a, b, _how in graph.arrows:
            if columns[b] <= columns[a] and columns[a] + 1 < len(graph.labels):
                columns[b] = columns[a] + 1
    rows: dict[int, int] = {}
    at: dict[Node, tuple[int, int]] = {}
    for node, column in columns.items():
        row = rows.get(column, 0)
        rows[column] = row + 1
        at[node] = (EDGE + column * (WIDTH + ACROSS), EDGE + row * (HEIGHT + DOWN))
    return at


def _box(at: tuple[int, int], label: tuple[str, str], fill: str) -> str:
    x, y = at
    first, second = map(html.escape, label)
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{fill}" '
        f'stroke="#7a7a7a"/><text x="{x + 10}" y="{y + 22}" font-weight="bold" fill="#111">{first}'
        f'</text><text x="{x + 10}" y="{y + 40}" fill="#111">{second}</text>'
    )


def _arrow(start: tuple[int, int], end: tuple[int, int], how: str) -> str:
    x1, y1 = start[0] + WIDTH, start[1] + HEIGHT // 2
    x2, y2 = end[0], end[1] + HEIGHT // 2
    middle = (x1 + x2) // 2
    return (
        f'<path d="M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}" fill="none" stroke="#7a7a7a" '
        f'marker-end="url(#tip)"><title>{html.escape(how)}</title></path>'
    )


def _short(text: str, most: int = 32) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _plain(text: str) -> str:
    """A text without what Mermaid would read as its own."""
    return text.replace('"', "'").replace("|", "/").replace("`", "'")
