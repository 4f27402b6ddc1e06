"""Where in the texts something rests on a record, directly or through others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.corpus import Corpus
from kb.records.impact import Node, impact
from kb.source import Part, Place, Position, Span


def resting(name: str, corpus: Corpus) -> list[Place]:
    """One place for each thing that rests on a record, nearest first.

    It is where the thing names what it rests on, else where the thing itself is written.
    """
    found = []
    for rests in impact(name, corpus):
        home = _home(rests.node, corpus)
        if home is not None and home.path in corpus.documents:
            found.append(next(_mentions(rests.on[1], home, corpus), home))
    return list(dict.fromkeys(found))


def _home(node: Node, corpus: Corpus) -> Place | None:
    kind, key = node
    if kind == "claim":
        return corpus.claims[key].place
    tables = {
        "source": (corpus.sources,),
        "product": (corpus.products,),
        "evidence": (corpus.evidence, corpus.artefacts),
        "decision": (corpus.decisions,),
    }
    return next((t[key].place for t in tables.get(kind, ()) if key in t), None)


def _mentions(name: str, home: Place, corpus: Corpus) -> Iterator[Place]:
    """Every mention of an id in the document of a record, below the record's own line."""
    document = corpus.documents[home.path]
    first = document.locate(home).start.line if home.route else 1
    pattern = re.compile(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])")
    for number, line in enumerate(document.text.split("\n"), start=1):
        if number >= first and (match := pattern.search(line)):
            span = Span(Position(number, match.start() + 1), Position(number, match.end() + 1))
            yield Place(home.path, (), Part.VALUE, span)
