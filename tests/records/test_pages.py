"""What a reader of the site sees of a decision's life."""

from __future__ import annotations

import pytest

from kb.load import load_files
from kb.pages import render
from kb.rules.example import base_files

RECORD = """\
---
id: "0002"
title: An example
status: accepted
date: 2026-11-30
approvals: [{by: Ada, date: 2026-11-30}]
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
chosen: bolt
tolerance: 1 %
cost:
  engineering: {low: 3, high: 8, by: Ada}
rule:
  choose: bolt
  when: b >= 1.3 * a
  otherwise: acme
  inputs: {a: acme-x1/chip-hbm-bandwidth, b: bolt-b8/gpu-hbm-bandwidth}
review_by: 2027-01-31
pins:
  - id: acme-x1/chip-hbm-bandwidth
    hash: "00"
    values: {published: "1,500 GB/s"}
log: [{date: 2026-11-30, event: accepted, by: Ada, note: at last}]
---

Text.
"""


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    loaded = load_files({**base_files(), "decisions/0002-x.md": RECORD})
    assert loaded.findings == ()
    return render(loaded.corpus)


def test_a_suspect_decision_says_so_on_top_with_before_and_after(site: dict[str, str]) -> None:
    top = site["decisions/0002.md"].split("## Options")[0]
    assert "Suspect: something that this decision relies on has changed since." in top
    assert "| 1,500 GB/s | 1,638 GB/s |" in top
    assert "+9.2 %, tolerance 1 %" in top


def test_the_index_lists_what_to_look_at(site: dict[str, str]) -> None:
    part = site["decisions/index.md"].split("## To look at again")[1]
    assert "[0002: An example](0002.md)" in part
    assert "was 1,500 GB/s, is 1,638 GB/s" in part
    assert "- 2027-01-31: [0002: An example](0002.md)" in part


def test_break_even_points_are_published(site: dict[str, str]) -> None:
    page = site["decisions/0002.md"]
    assert "On the values cited today it gives **bolt**." in page
    assert "1638 GB/s; flips at 5923 GB/s (+262 %)" in page
    assert "7.7 TB/s; flips at 2.129 TB/s (-72.3 %)" in page


def test_typed_fields_are_read_as_words(site: dict[str, str]) -> None:
    page = site["decisions/0002.md"]
    assert "| cost | engineering: low: 3, high: 8, by: Ada |" in page
    assert "Approved by Ada, 2026-11-30." in page
    assert "| 2026-11-30 | accepted | Ada | at last |" in page


def test_the_graph_is_a_file_beside_the_index(site: dict[str, str]) -> None:
    assert site["decisions/graph.svg"].startswith("<svg ")
    assert "](graph.svg)" in site["decisions/index.md"]
