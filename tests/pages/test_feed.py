"""The feed: well-formed Atom, newest first, each entry once and leading to a page."""

from __future__ import annotations

from xml.etree import ElementTree

from kb.corpus import Corpus
from kb.pages.feed import MOST, NAMESPACE, PATH, feed

ATOM = f"{{{NAMESPACE}}}"


def entries(text: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(text)  # noqa: S314 - made by us
    assert root.tag == f"{ATOM}feed"
    for needed in ("id", "title", "updated", "author"):
        assert root.find(ATOM + needed) is not None
    return root.findall(f"{ATOM}entry")


def said(entry: ElementTree.Element, tag: str) -> str:
    found = entry.find(ATOM + tag)
    assert found is not None
    return found.text or ""


def test_decisions_and_changed_claims_are_told(site: dict[str, str], corpus: Corpus) -> None:
    found = entries(site[PATH])
    assert 0 < len(found) <= MOST
    ids = [said(entry, "id") for entry in found]
    assert len(ids) == len(set(ids))
    for key, decision in corpus.decisions.items():
        assert f"tag:accelerator-kb,2026:decision/{key}/{decision.value.status}" in ids
    changed = next(e for e in found if said(e, "title").startswith("tpu-v6e/chip-hbm-bandwidth"))
    assert "1638 GBps" in said(changed, "title")
    assert "1640 GBps" in said(changed, "summary")
    days = [said(entry, "updated") for entry in found]
    assert days == sorted(days, reverse=True)
    assert all(day.endswith("T00:00:00Z") for day in days)


def test_every_entry_leads_to_a_page(site: dict[str, str]) -> None:
    for entry in entries(site[PATH]):
        linked = entry.find(f"{ATOM}link")
        assert linked is not None
        path, _, anchor = linked.attrib["href"].partition("#")
        page = site[f"{path.rstrip('/')}.md"]
        assert not anchor or f"{{ #{anchor} }}" in page


def test_an_empty_catalogue_has_an_empty_feed() -> None:
    assert entries(feed(Corpus())[PATH]) == []
