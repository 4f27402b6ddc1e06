"""Git knows what a record was; a knowledge base without git is still checked."""

from __future__ import annotations

import shutil
from pathlib import Path

from kb.cli import main
from kb.finding import Finding
from kb.home import Project
from kb.load import load
from kb.records.history import identity, taken_ids, versions, with_history
from tests.records.conftest import commit, git, replace

TEXT = """\
---
id: "0002"
title: Specifications in YAML
kind: project
status: {status}
date: 2026-11-30
confirmation: the reader
---

YAML keeps comments.
"""


def findings(project: Path) -> list[Finding]:
    found = Project(project)
    return list(with_history(load(found), found).findings)


def written(project: Path, status: str, name: str = "0002-yaml.md") -> Path:
    path = project / "decisions" / name
    path.write_text(TEXT.format(status=status), encoding="utf-8")
    commit(project, f"Make it {status}")
    return path


def test_a_text_that_was_accepted_stays(project: Path) -> None:
    path = written(project, "accepted")
    assert findings(project) == []
    replace(path, ("keeps comments", "keeps nothing"), ("the reader", "nobody"))
    (found,) = findings(project)
    assert found.rule == "accepted-text-changed"
    assert "Ada Example)" in found.message
    assert "@" not in found.message
    assert "confirmation, the text changed since" in found.message
    assert found.remedy.startswith("git restore --source ")
    # Committing it makes it no better.
    commit(project, "Change it")
    assert [f.rule for f in findings(project)] == ["accepted-text-changed"]


def test_links_pins_and_errata_may_change(project: Path) -> None:
    path = written(project, "accepted")
    text = path.read_text("utf-8").replace("date:", "review_by: 2027-01-01\ndate:")
    path.write_text(text + "\n> **Erratum 2026-11-30.** Comments and order.\n", "utf-8")
    assert findings(project) == []


def test_a_status_never_goes_back(project: Path) -> None:
    path = written(project, "accepted")
    replace(path, ("status: accepted", "status: draft"))
    (found,) = findings(project)
    assert found.rule == "illegal-transition"
    assert "was accepted in commit" in found.message
    assert found.place.route == ("status",)


def test_ids_on_other_branches_are_taken(project: Path) -> None:
    git(project, "switch", "--quiet", "--create", "other")
    written(project, "draft", "0007-yaml.md")
    git(project, "switch", "--quiet", "main")
    assert not (project / "decisions/0007-yaml.md").exists()
    assert taken_ids(Project(project)) == {"0001", "0007"}


def test_a_project_inside_a_repository_has_its_own_paths(project: Path) -> None:
    inner = project / "inner"
    shutil.copytree(project / "decisions", inner / "decisions")
    commit(project, "Add another")
    assert list(versions(Project(inner))) == ["decisions/0001-acme-or-bolt.md"]


def test_without_git_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "decisions").mkdir()
    (tmp_path / "decisions/0002-yaml.md").write_text(TEXT.format(status="accepted"), "utf-8")
    assert versions(Project(tmp_path)) == {}
    assert findings(tmp_path) == []
    assert taken_ids(Project(tmp_path)) == {"0002"}


def test_who_is_at_work(project: Path) -> None:
    assert identity(project) == "Ada Example"


def test_the_ten_thousandth_decision_has_five_digits(tmp_path: Path) -> None:
    decisions = tmp_path / "decisions"
    decisions.mkdir()
    (decisions / "9999-last.md").write_text(TEXT.format(status="draft").replace("0002", "9999"))
    (tmp_path / "specs").mkdir()
    assert (
        main(
            [
                "--project",
                str(tmp_path),
                "new",
                "decision",
                "--title",
                "Ten",
                "--question",
                "Which?",
            ]
        )
        == 0
    )
    (made,) = decisions.glob("10000-*.md")
    assert taken_ids(Project(tmp_path)) == {"9999", "10000"}
    loaded = load(Project(tmp_path))
    assert "10000" in loaded.corpus.decisions, loaded.findings
    assert made.name == "10000-ten.md"
