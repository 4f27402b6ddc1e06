"""The Markdown of a job's summary: what moved comes first, and no value is active."""

from __future__ import annotations

from dataclasses import replace

from kb.finding import Finding, Moved, Severity
from kb.report import renderer
from kb.rules.result import Located, Mark, Report
from kb.source import Place, Position, Span

SPAN = Span(Position(3, 1), Position(3, 2))


def located(message: str, moved: Moved | None = None) -> Located:
    place = Place("decisions/0001-x.md")
    finding = Finding("a-rule", Severity.ERROR, message, place, "look at it", moved=moved)
    return Located(finding, Mark(place.path, SPAN, "x"))


def test_a_value_that_moved_is_shown_before_and_after() -> None:
    moved = Moved("tpu-v6e/chip-hbm-capacity", "32 GB", "30 GB")
    report = Report((located("plain"), located("suspect", moved)), files=("x",), rules=1)
    text = renderer("markdown")(replace(report, prefix="kb/"))
    first, second = text.index("rest on a value that moved"), text.index("### Findings")
    assert first < second
    row = "| kb/decisions/0001-x.md:3 | tpu-v6e/chip-hbm-capacity | 32 GB | 30 GB | look at it |"
    assert row in text
    assert "suspect" not in text[second:]


def test_no_value_is_a_link_a_mention_or_a_cell_of_its_own() -> None:
    hostile = "a | b [x](http://bad) <script> @team `code` **bold** \x1b[31m\n# head"
    text = renderer("markdown")(Report((located(hostile),), files=("x",), rules=1))
    (row,) = [line for line in text.splitlines() if "a-rule" in line]
    assert row.count(" | ") == 3
    assert not any(mark in row for mark in ("](", "<", "@", "`", "**", "://", "\x1b", "#h", "# h"))
