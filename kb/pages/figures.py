"""Claims in a table: the printed value, where it stands, and every qualifier."""

from __future__ import annotations

from collections.abc import Iterable

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.text import code, esc, link, stacked, table
from kb.pages.words import badges


def figures(at: str, claims: Iterable[str], corpus: Corpus) -> str:
    """The table for these claim ids; unknown ones are left out, and it is empty without any."""
    rows = []
    for name in claims:
        entry = corpus.claims.get(name)
        if entry is not None:
            target = links.way(at, links.claim_target(name))
            printed = f"**{esc(entry.claim.current.published)}**"
            rows.append((printed, link(code(name), target), badges(at, entry.claim)))
    head = ("printed", "claim", "qualifiers")
    return stacked(table(head, rows), told=True) if rows else ""
