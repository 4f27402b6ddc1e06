"""The Atom feed: decisions by the day of their standing, and claims whose figure changed.

Days come from the records, so that equal content gives an equal feed.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from kb.corpus import Corpus
from kb.pages import links

PATH = "feed.xml"
NAMESPACE = "http://www.w3.org/2005/Atom"
MOST = 100
"""Newest entries that the feed holds."""


@dataclass(frozen=True)
class Item:
    """One entry."""

    day: datetime.date
    key: str
    title: str
    target: str
    summary: str


def feed(corpus: Corpus) -> dict[str, str]:
    """The feed as one file; there is one even where nothing has happened yet."""
    items = sorted(_items(corpus), key=lambda item: (item.day, item.key), reverse=True)[:MOST]
    ElementTree.register_namespace("", NAMESPACE)
    root = ElementTree.Element(_tag("feed"))
    _add(root, "title", "Decisions and changed claims")
    _add(root, "id", "tag:accelerator-kb,2026:feed")
    _add(root, "updated", _moment(items[0].day if items else datetime.date(2026, 1, 1)))
    ElementTree.SubElement(_author(root), _tag("name")).text = "accelerator-kb"
    ElementTree.SubElement(root, _tag("link"), rel="self", href=PATH, type="application/atom+xml")
    for item in items:
        entry = ElementTree.SubElement(root, _tag("entry"))
        _add(entry, "title", item.title)
        _add(entry, "id", f"tag:accelerator-kb,2026:{item.key}")
        _add(entry, "updated", _moment(item.day))
        ElementTree.SubElement(entry, _tag("link"), href=links.address(item.target))
        _add(entry, "summary", item.summary)
    ElementTree.indent(root)
    return {PATH: ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"}


def _items(corpus: Corpus) -> Iterator[Item]:
    for key, entry in corpus.decisions.items():
        decision = entry.value
        told = decision.question or decision.next_measurement or decision.title
        title = f"{key} {decision.status}: {decision.title}"
        name = f"decision/{key}/{decision.status}"
        if decision.date is not None:
            yield Item(decision.date, name, _clean(title), links.decision_path(key), _clean(told))
    for key, claim in corpus.claims.items():
        current = claim.claim.current
        others = [s.published for s in claim.claim.statements if s.status == "superseded"]
        if others and current.as_of is not None:
            title = f"{key} is {current.published}"
            before = f"Printed before: {', '.join(dict.fromkeys(others))}."
            name = f"claim/{key}/{current.as_of}"
            yield Item(current.as_of, name, _clean(title), links.claim_target(key), _clean(before))


def _clean(text: str) -> str:
    """Text without characters that XML 1.0 can't hold."""
    return "".join(c for c in text if c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff"))


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _add(parent: ElementTree.Element, name: str, text: str) -> None:
    ElementTree.SubElement(parent, _tag(name)).text = text


def _author(root: ElementTree.Element) -> ElementTree.Element:
    return ElementTree.SubElement(root, _tag("author"))


def _moment(day: datetime.date) -> str:
    return f"{day.isoformat()}T00:00:00Z"
