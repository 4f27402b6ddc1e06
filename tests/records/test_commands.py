"""The commands around records: what they print, refuse and leave alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kb.records import write
from kb.writing import replace_file
from tests.records.conftest import Run, begun, commit, git, record, runner

PROJECT = """\
---
id: "{key}"
title: Specifications in {title}
kind: project
status: accepted  # by all of us
date: 2026-11-30
decision-makers: [Ada]
confirmation: the reader
approvals: [{{by: Ada, date: 2026-11-30}}]
---

## Format

YAML.

## Place

Here.
"""


@pytest.fixture(scope="module")
def accepted_two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two accepted project decisions, 0002 and 0003, by way of the command."""
    project = begun(tmp_path_factory.mktemp("two"))
    kb = runner(project)
    for key, title in (("0002", "YAML"), ("0003", "TOML")):
        text = PROJECT.format(key=key, title=title)
        text = text.replace("status: accepted  # by all of us", "status: draft  # by all of us")
        path = project / f"decisions/{key}-{title.lower()}.md"
        path.write_text(text.replace("approvals: [{by: Ada, date: 2026-11-30}]\n", ""), "utf-8")
        assert kb("status", key, "accepted") == 0
    commit(project, "Accept two")
    return project


@pytest.fixture
def two(project: Path, accepted_two: Path) -> Path:
    shutil.rmtree(project)
    return shutil.copytree(accepted_two, project)


def test_new_takes_the_next_id_of_all_branches(project: Path, kb: Run) -> None:
    git(project, "switch", "--quiet", "--create", "other")
    assert kb("new", "decision", "--title", "Über alles: ja!", "--question", "Q?") == 0
    commit(project, "On another branch")
    git(project, "switch", "--quiet", "main")
    assert kb("new", "decision", "--title", 'A "quoted": title', "--question", "Q?") == 0
    assert record(project, "0003").name == "0003-a-quoted-title.md"
    assert kb("new", "decision", "--title", "T", "--question", "Q", "--id", "0002") == 2
    assert kb("check") == 0


def test_new_asks_nothing_in_a_pipe(kb: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("new", "decision") == 2
    assert "--title" in capsys.readouterr().err


def test_an_interrupted_supersede_leaves_both_files(
    two: Path, kb: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {p.name: p.read_bytes() for p in (two / "decisions").iterdir()}
    real, calls = replace_file, 0

    def interrupted(path: Path, content: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:  # the note, the first record, and then somebody presses Ctrl-C
            raise KeyboardInterrupt
        real(path, content)

    monkeypatch.setattr(write, "replace_file", interrupted)
    assert kb("supersede", "0002", "0003") == 130
    assert {p.name: p.read_bytes() for p in (two / "decisions").iterdir()} == before


def test_supersede_writes_both_ends_and_keeps_comments(two: Path, kb: Run) -> None:
    assert kb("supersede", "0002", "0003") == 0
    assert kb("check") == 0
    assert "status: superseded" in record(two, "0002").read_text("utf-8")
    assert "# by all of us" in record(two, "0002").read_text("utf-8")
    assert kb("supersede", "0002", "0003") == 2, "it is superseded already"


def test_one_section_can_be_superseded(
    two: Path, kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("supersede", "0002", "0003", "--section", "Formats") == 2
    assert "name one of: Format; Place" in capsys.readouterr().err
    assert kb("supersede", "0002", "0003", "--section", "Format") == 0
    assert kb("check") == 0
    text = record(two, "0002").read_text("utf-8")
    assert "status: accepted" in text
    assert "section: Format" in text


def test_what_may_not_take_part_is_refused(
    two: Path, kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, said in (
        (("supersede", "0002", "0002"), "can't supersede itself"),
        (("supersede", "0001", "0002"), "only an accepted one is superseded"),
        (("supersede", "0002", "0009"), "there is no decision '0009'"),
        (("status", "0002", "draft"), "can't become draft"),
        (("status", "0002", "superseded"), "kb supersede 0002 <new id>"),
        (("review", "0001"), "only an accepted one has pins"),
    ):
        assert kb(*words) == 2, two
        assert said in capsys.readouterr().err


def test_status_says_what_is_lacking(kb: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("status", "0001") == 0
    out = capsys.readouterr().out
    assert "may become: accepted or rejected" in out
    assert "next measurement: The same matmul on Bolt B8." in out
    assert "before it can be accepted it needs an observed bottleneck" in out
    assert kb("status", "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in data["decisions"]] == ["0001"]


def test_overdue_decisions_are_listed(
    two: Path, kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("review", "0002", "--next", "2026-12-24") == 0
    capsys.readouterr()
    assert kb("review", "--today", "2027-01-01") == 0
    assert "0002: overdue since 2026-12-24" in capsys.readouterr().out
    assert kb("review", "--today", "2026-12-24", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"schema_version": 1, "rows": []}
    assert "review_by: 2026-12-24" in record(two, "0002").read_text("utf-8")


def test_impact_follows_a_source_to_the_decision(
    kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("impact", "acme-datasheet") == 0
    out = capsys.readouterr().out
    assert "source acme-datasheet\n  claim acme-x1/chip-hbm-capacity: current" in out
    assert "    decision 0001: relies on it (hypothesis)" in out
    assert "    evidence matmul-acme-x1-1: holds it as its ceiling" in out
    assert kb("impact", "acme-datasheets") == 2
    assert "did you mean acme-datasheet" in capsys.readouterr().err


def test_the_graph_is_mermaid_or_svg(
    two: Path, kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("supersede", "0002", "0003") == 0
    capsys.readouterr()
    assert kb("graph") == 0
    out = capsys.readouterr().out
    assert out.startswith("graph LR\n")
    assert '-->|"supersedes"|' in out
    target = two / "graph.svg"
    assert kb("graph", "0001", "--format", "svg", "--out", target) == 0
    root = ElementTree.fromstring(target.read_text("utf-8"))  # noqa: S314 - we wrote it
    assert root.tag.endswith("svg")
    texts = "".join(root.itertext())
    assert "matmul-acme-x1-1" in texts
    assert "7.7 TB/s" in texts


def test_the_log_is_a_timeline_and_an_index(
    two: Path, kb: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("log") == 0
    out = capsys.readouterr().out
    assert "0001  hypothesis by Ada Example: commit " in out
    assert "0002  accepted by Ada Example" in out
    assert kb("log", "--index") == 0
    assert "- [0002: Specifications in YAML](decisions/0002-yaml.md) – accepted" in (
        capsys.readouterr().out
    )
    assert two.is_dir()
