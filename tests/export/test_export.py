"""The catalogue as CSV, JSON and BibTeX: complete, exact, and inert in a spreadsheet."""

from __future__ import annotations

import csv
import io
import json

import pytest

from kb.corpus import Corpus
from kb.export import COLUMNS, as_citations, as_csv, as_json
from kb.load import load_files

SOURCES = """
sources:
  s: {title: "A & B: 100 %", publisher: "Acme {Inc}", kind: vendor_page, address: "https://a.example/x_y"}
"""
SPEC = """
product: a1
name: A1
vendor: Acme
layer: accelerator
summary: An example.
claims:
  - id: hbm
    metric: memory_capacity
    interface: hbm
    scope: gpu
    basis: advertised
    statements:
      - {published: "1.4 TB", source: s, locator: "=HYPERLINK(1)", as_of: 2026-08-26}
      - {published: "96 GiB", source: s, status: disputed}
      - {published: "no number", source: s, status: disputed}
"""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded = load_files({"specs/sources.yml": SOURCES, "specs/a1.yml": SPEC})
    assert loaded.findings == ()
    return loaded.corpus


def test_the_table_has_one_row_a_statement_with_exact_base_values(corpus: Corpus) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(corpus), newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["published"], row["base_value"], row["base_unit"]) for row in rows] == [
        ("1.4 TB", "1400000000000", "B"),
        ("96 GiB", "103079215104", "B"),
        ("no number", "", ""),
    ]


def test_no_cell_can_act_as_a_formula(corpus: Corpus) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(corpus), newline="")))
    assert rows[0]["locator"] == "'=HYPERLINK(1)"


def test_the_json_holds_what_was_written(corpus: Corpus) -> None:
    data = json.loads(as_json(corpus))
    statements = data["products"][0]["claims"][0]["statements"]
    assert [s["published"] for s in statements] == ["1.4 TB", "96 GiB", "no number"]
    assert data["sources"]["s"]["title"] == "A & B: 100 %"


def test_a_citation_escapes_what_tex_reads_as_its_own(corpus: Corpus) -> None:
    text = as_citations(corpus)
    assert "title = {A \\& B: 100 \\%}," in text
    assert "author = {{Acme Inc}}," in text
    assert "x\\_y" in text
