"""Decisions by the day on which they took their present standing, newest first."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from kb.corpus import Corpus
from kb.pages import links
from kb.pages.text import blocks, bullets, chip, esc, link, page

_Event = tuple[str, str, str]
"""Day, decision and what happened."""


def timeline(corpus: Corpus) -> dict[str, str]:
    """The page; its days are those of the records."""
    events = sorted(set(_events(corpus)), reverse=True)
    months = itertools.groupby(events, key=lambda event: event[0][:7])
    parts = [
        blocks(f"## {month}", bullets(_shown(event, corpus) for event in found))
        for month, found in months
    ]
    return {
        links.TIMELINE: page(
            "# Timeline of decisions",
            "What happened to each decision, newest first; every event is in the log of its "
            "record. [All decisions](index.md)",
            *(parts or ["Nothing has happened yet."]),
        )
    }


def _events(corpus: Corpus) -> Iterator[_Event]:
    for key, entry in corpus.decisions.items():
        decision = entry.value
        if decision.date is not None:
            yield str(decision.date), key, decision.status
        for line in decision.log:
            yield str(line.date), key, line.event


def _shown(event: _Event, corpus: Corpus) -> str:
    day, key, what = event
    title = corpus.decisions[key].value.title
    return f"{day} {chip(what, what)} {link(f'{key}: {esc(title)}', f'{key}.md')}"
