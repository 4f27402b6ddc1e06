"""No page and no record names an address: what people wrote into one is published as a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.home import Project
from kb.load import load
from kb.pages.data import data_files
from kb.pages.decision import decision_pages
from kb.records.people import name_of
from tests.records.conftest import Run


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ada Example <ada@example.org>", "Ada Example"),
        ("Ada Example (ada.e+kb@mail.example.org)", "Ada Example"),
        ("<ada@example.org>", "ada"),
        ("ada@example.org", "ada"),
        ("mailto:ada@localhost", "ada"),
        ("Ada", "Ada"),
        ("  Ada Example ", "Ada Example"),
        ("@ada", "@ada"),
        ("@owner/team", "@owner/team"),
        ("", ""),
    ],
)
def test_a_person_is_a_name(written: str, name: str) -> None:
    assert name_of(written) == name


def test_no_command_writes_an_address(
    project: Path, kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    by = ("--by", "Bo Example <bo@example.org>")
    asked = ("--title", "T", "--question", "Q?", "--kind", "project")
    assert kb("new", "decision", *asked, "--id", "0009", *by) == 0
    assert kb("status", "0009", "rejected", *by) == 0
    assert "by Bo Example\n" in capsys.readouterr().out
    (record,) = (project / "decisions").glob("0009-*.md")
    text = record.read_text("utf-8")
    assert 'decision-makers: ["Bo Example"]' in text
    assert "by: Bo Example\n" in text
    assert "example.org" not in text


def test_an_address_in_a_record_is_not_published(project: Path) -> None:
    (project / "decisions" / "0009-named.md").write_text(
        """\
---
id: "0009"
title: Named
kind: project
status: rejected
date: 2026-11-30
decision-makers: ["Ada <ada@example.org>"]
consulted: [bo@example.org]
informed: ["Cy (cy@example.org)"]
question: Q?
approvals:
  - {by: "Dee <dee@example.org>", date: 2026-11-30}
log:
  - {date: 2026-11-30, event: rejected, by: "Ed <ed@example.org>"}
---

Why.
""",
        "utf-8",
    )
    corpus = load(Project(project)).corpus
    assert "0009" in corpus.decisions
    shown = "".join({**decision_pages(corpus), **data_files(corpus, ())}.values())
    for name in ("Ada", "bo", "Cy", "Dee", "Ed"):
        assert name in shown
    assert "example.org" not in shown
