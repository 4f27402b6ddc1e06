"""A draft that nobody filled in goes nowhere, and what is said about it fits its file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb.records.placeholders import PLACEHOLDERS, answered, untouched
from tests.records.conftest import begun, record, replace, runner

CHOICE = """\
options:
  - {id: here, title: Here}
  - {id: there, title: There}
chosen: here
"""


def _project_draft(folder: Path) -> Path:
    assert runner(folder)(
        "new", "decision", "--kind", "project", "--title", "Zed", "--question", "Q?"
    ) == 0  # fmt: skip
    path = record(folder, "0002")
    text = path.read_text("utf-8")
    start, end = text.index("options:"), text.index("confirmation:")
    path.write_text(text[:start] + CHOICE + text[end:], encoding="utf-8")
    return path


def _stack_draft(folder: Path) -> Path:
    assert runner(folder)("new", "decision", "--title", "Multiply", "--question", "On what?") == 0
    return record(folder, "0002")


def test_an_untouched_project_draft_is_not_accepted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = begun(tmp_path)
    path = _project_draft(folder)
    assert "kb status 0002 accepted" in capsys.readouterr().out, "the next step is a legal one"
    before = path.read_bytes()
    assert runner(folder)("status", "0002", "accepted") == 1
    out = capsys.readouterr().out
    assert path.read_bytes() == before
    assert "anything that keeps watch over it" in out
    assert "every section below the front matter is empty" in out
    assert "hypothesis" not in out, "a project decision can't become one"
    lines = before.decode().splitlines()
    places = re.findall(r"0002-zed\.md:(\d+):(\d+)", out)
    quoted = re.findall(r"^ *(\d+) \| (.+)$", out, re.MULTILINE)
    assert places
    assert quoted
    assert all(int(row) <= len(lines) and int(column) <= 1 + len(lines[int(row) - 1])
               for row, column in places)  # fmt: skip
    assert all(lines[int(row) - 1] == text for row, text in quoted)

    replace(
        path,
        (PLACEHOLDERS["confirmation"], "tests/test_zed.py fails"),
        ("## Decision\n", "## Decision\n\nHere, since it is near.\n"),
    )
    assert runner(folder)("status", "0002", "accepted") == 0


def test_an_untouched_stack_draft_becomes_no_hypothesis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = begun(tmp_path)
    kb, path = runner(folder), _stack_draft(folder)
    before = path.read_bytes()
    capsys.readouterr()
    assert kb("status", "0002", "hypothesis") == 1
    assert "names no next measurement" in capsys.readouterr().out
    assert path.read_bytes() == before
    assert kb("status", "0002") == 0
    assert "a quality target" in capsys.readouterr().out


@pytest.mark.parametrize("field", PLACEHOLDERS)
def test_what_a_draft_begins_with_answers_nothing(field: str) -> None:
    text = PLACEHOLDERS[field]
    assert not answered(field, text)
    assert not answered(field, f" {text.capitalize()}. ")
    assert not answered(field, "…")
    assert not answered(field, None)
    assert answered(field, "Peak memory of one step.")


def test_headings_alone_are_no_prose() -> None:
    assert untouched("\n## Context\n\n## Decision\n")
    assert not untouched("\n## Context\n\nWords.\n")
    assert not untouched("Words.")
    assert not untouched("")


def test_what_a_draft_lacks_is_complete_and_can_be_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = begun(tmp_path)
    kb, path = runner(folder), _stack_draft(folder)
    replace(path, ("## Context\n", "## Context\n\n[1 GB](claim:acme-x1/nothing) in 1.25 ms.\n"))
    capsys.readouterr()
    assert kb("status", "0002") == 0
    out = capsys.readouterr().out
    assert out.count("'deployment: {") == 1, "four such lines would be duplicate keys"
    assert "accelerators: 8, shapes:" in out
    assert "chosen: one of '" not in out
    assert "there is no claim 'acme-x1/nothing'" in out, "the check would refuse it too"
    assert "[1.25 ms](evidence:…#…)" in out
    assert kb("log", "0002") == 0
    assert "1 event of 1 decision\n" in capsys.readouterr().out
