"""Foreign records become ours: both ends of links, honest statuses, and every line of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.cli import COMMANDS, import_
from kb.cli.foreign import foreign_report
from kb.finding import CheckError
from kb.home import Project
from kb.load import load
from tests.records.conftest import Run

CASES = Path(__file__).resolve().parents[3] / "shared/cases/decisions"

OLD = """\
# 1. Use the board

Date: 2026-01-05

## Status

Superseded by [2. Use the slice](0002-use-the-slice.md)

## Context

```text
````
```

The board is there already.
"""
NEW = """\
# 2. Use the slice

Date: 2026-02-05

## Status

Accepted

Supersedes [1. Use the board](0001-use-the-board.md)

## Context

The slice came.
"""
KEP = "title: Pools\nkep-number: 7\nstatus: provisional\ncreation-date: 2026-01-05\n"


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    top = tmp_path / "foreign"
    (top / "adr").mkdir(parents=True)
    (top / "adr/0001-use-the-board.md").write_text(OLD, "utf-8")
    (top / "adr/0002-use-the-slice.md").write_text(NEW, "utf-8")
    (top / "adr/README.md").write_text("# The records\n", "utf-8")
    (top / "keps/0007-pools").mkdir(parents=True)
    (top / "keps/0007-pools/kep.yaml").write_text(KEP, "utf-8")
    (top / "keps/0007-pools/README.md").write_text("# Pools\n\nWhy pools.\n", "utf-8")
    return top


@pytest.fixture(autouse=True)
def _command(monkeypatch: pytest.MonkeyPatch) -> None:
    # Until the command is listed under its name; the module is named with a mark behind it.
    import sys

    monkeypatch.setitem(COMMANDS, "import", COMMANDS.get("import", "import"))
    monkeypatch.setitem(sys.modules, "kb.cli.import", import_)


def imported(project: Path) -> dict[str, str]:
    loaded = load(Project(project))
    assert loaded.findings == ()
    return {
        e.value.title: (project / e.place.path).read_text("utf-8")
        for e in loaded.corpus.decisions.values()
    }


def lines(path: Path) -> Iterator[str]:
    text = path.read_bytes().decode("utf-8-sig")
    yield from (line for line in re.split(r"\r?\n", text) if line.strip())


def test_no_text_is_lost_and_both_ends_are_written(
    project: Path, kb: Run, foreign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("import", "decisions", foreign) == 0
    out = capsys.readouterr().out
    assert "skipped adr/README.md: it is no decision record" in out
    assert "accepted elsewhere: imported as a hypothesis" in out
    found = imported(project)
    for path, title in (
        ("adr/0001-use-the-board.md", "Use the board"),
        ("adr/0002-use-the-slice.md", "Use the slice"),
        ("keps/0007-pools/kep.yaml", "Pools"),
        ("keps/0007-pools/README.md", "Pools"),
    ):
        kept = found[title].split("\n")
        assert [line for line in lines(foreign / path) if line not in kept] == []
    # 0001 is taken in this project, so the old record got the next free id.
    assert 'superseded_by: ["0002"]' in found["Use the board"]
    assert 'supersedes: ["0003"]' in found["Use the slice"]
    kb("check")
    assert "error" not in capsys.readouterr().out


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
def test_every_shared_case_is_imported_whole(project: Path, kb: Run) -> None:
    assert kb("import", "decisions", CASES) == 0
    written = [p.read_text("utf-8") for p in (project / "decisions").glob("*.md")]
    everything = set("\n".join(written).split("\n"))
    for path in (p for p in CASES.rglob("*") if p.suffix in (".md", ".yaml")):
        assert [line for line in lines(path) if line not in everything] == [], path


def test_a_dry_run_writes_nothing(project: Path, kb: Run, foreign: Path) -> None:
    before = sorted((project / "decisions").iterdir())
    assert kb("import", "decisions", foreign, "--dry-run") == 0
    assert sorted((project / "decisions").iterdir()) == before


def test_a_folder_without_records_was_not_checked(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n\nNothing decided.\n", "utf-8")
    with pytest.raises(CheckError, match="holds no decision record"):
        foreign_report(tmp_path)
    with pytest.raises(CheckError, match="there is no folder"):
        foreign_report(tmp_path / "nowhere")


def test_a_sound_log_exits_0_and_a_broken_one_1(foreign: Path) -> None:
    assert foreign_report(foreign).exit_code == 0
    path = foreign / "adr/0002-use-the-slice.md"
    path.write_text(NEW.replace("Accepted", "Acepted"), "utf-8")
    report = foreign_report(foreign)
    assert report.exit_code == 1
    assert [(i.finding.rule, i.mark.span.start.line) for i in report.findings] == [
        ("odd-status", 7)
    ]
    assert "did you mean Accepted?" in report.findings[0].finding.remedy


def test_a_second_import_brings_only_what_is_new(
    project: Path, kb: Run, foreign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("import", "decisions", foreign) == 0
    first = {path: path.read_bytes() for path in (project / "decisions").iterdir()}
    capsys.readouterr()
    assert kb("import", "decisions", foreign) == 0
    out = capsys.readouterr().out
    assert "adr/0001-use-the-board.md is here already: decision 0003" in out
    assert "0 records written" in out
    assert {path: path.read_bytes() for path in (project / "decisions").iterdir()} == first

    later = NEW.replace("2. Use the slice\n", "3. Leave the slice\n")
    (foreign / "adr/0003-leave-the-slice.md").write_text(later, "utf-8")
    assert kb("import", "decisions", foreign) == 0
    assert "1 records written" in capsys.readouterr().out
    assert 'id: "0008"' in imported(project)["Leave the slice"]


@pytest.mark.usefixtures("project")
def test_two_teams_may_begin_with_the_same_words(
    kb: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for team in ("a", "b"):
        folder = tmp_path / team / "adr"
        folder.mkdir(parents=True)
        (folder / "0001-record.md").write_text(NEW, "utf-8")
        assert kb("import", "decisions", folder) == 0
        assert "1 records written" in capsys.readouterr().out
    assert kb("import", "decisions", tmp_path / "b") == 0
    assert "is here already" in capsys.readouterr().out


@pytest.mark.usefixtures("project")
def test_a_text_that_changed_since_names_the_decision_it_became(
    kb: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "adr/0004-use-the-slice.md"
    path.parent.mkdir()
    path.write_text(NEW, "utf-8")
    assert kb("import", "decisions", path.parent) == 0
    path.write_text(NEW.replace("The slice came.", "The slice came and went."), "utf-8")
    capsys.readouterr()
    assert kb("import", "decisions", path.parent) == 0
    out = capsys.readouterr().out
    assert "decision 0004 was imported from an earlier text of it" in out
    assert "kb supersede 0004 0005" in out
