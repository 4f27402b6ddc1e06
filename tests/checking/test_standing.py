"""A check that goes on says after every change what a plain check says, and does little for it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from kb.checking import check
from kb.checking.standing import Standing
from kb.checking.summary import view
from kb.home import Project
from kb.load import load
from kb.rules.example import TODAY
from kb.rules.result import Report
from kb.rules.run import check_project
from tests.checking.test_checking import RULE, edit
from tests.checking.test_property import OVERRIDE


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read and parsed from now on."""
    seen: list[str] = []

    def view_and_note(file: object) -> object:
        seen.append(file.path)  # type: ignore[attr-defined]  # a RawFile
        return view(file)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr("kb.checking.part.view", view_and_note)
    monkeypatch.setattr("kb.checking.lazy.view", view_and_note)
    return seen


def raised(spec: Path) -> tuple[str, str]:
    """A specification with another bandwidth, and the claim that has it."""
    text = spec.read_text("utf-8")
    digits = re.search(r'gpu-hbm-bandwidth.*?published: "(\d+) GB/s"', text, re.S)
    assert digits
    changed = text.replace(f'"{digits[1]} GB/s"', f'"{int(digits[1]) + 1} GB/s"', 1)
    return changed, f"{spec.stem}/gpu-hbm-bandwidth"


def rules_of(report: Report) -> set[str]:
    return {item.finding.rule for item in report.findings}


def test_one_changed_claim_reads_one_file_and_judges_its_dependents(
    project: Project, judged: list[str], read: list[str]
) -> None:
    standing = Standing()
    assert standing.check(project, TODAY).report == check_project(project, TODAY)
    judged.clear()
    read.clear()
    spec = min(project.folder("specs").rglob("*-g*.yml"))
    changed, claim = raised(spec)
    spec.write_text(changed, "utf-8")
    report = standing.check(project, TODAY).report
    path = spec.relative_to(project.root).as_posix()
    texts = {p: p.read_text("utf-8") for p in project.folder("decisions").iterdir()}
    dependents = {f"decisions/{p.name}" for p, text in texts.items() if claim in text}
    filed = f'"product": "{spec.stem}"'  # whose device it is, its product says
    records = project.folder("evidence").iterdir()
    dependents |= {f"evidence/{p.name}" for p in records if filed in p.read_text("utf-8")}
    assert read == [path]
    assert set(judged) == {path, *dependents}
    assert rules_of(report) >= {"stale-citation"}
    assert report == check_project(project, TODAY)


def test_an_unsaved_text_counts_as_if_it_were_saved(project: Project, cache: Path) -> None:
    standing = Standing()
    before = standing.check(project, TODAY, cache=cache)
    left = cache.read_bytes()
    spec = min(project.folder("specs").rglob("*-g*.yml"))
    changed, claim = raised(spec)
    typed = {spec.relative_to(project.root).as_posix(): changed}
    drafted = standing.check(project, TODAY, drafts=typed, cache=cache)
    assert before.report.findings == ()
    assert cache.read_bytes() == left  # what is not saved is nobody else's
    assert drafted.corpus.claims[claim].claim != before.corpus.claims[claim].claim
    assert standing.check(project, TODAY).report == before.report
    spec.write_text(changed, "utf-8")
    assert drafted.report == check_project(project, TODAY)
    assert drafted.report.findings


def test_an_override_that_comes_changes_and_goes(project: Project) -> None:
    standing = Standing()
    standing.check(project, TODAY)
    override = project.folder("specs") / "tpu-v6e.yml"
    reports = []
    for figure in ("1600 GB/s", "1638 GBps", "1600 parsecs"):
        override.write_text(OVERRIDE.replace("1600 GB/s", figure), "utf-8")
        outcome = standing.check(project, TODAY)
        assert outcome.report == check_project(project, TODAY)
        plain = load(project).corpus
        assert dict(outcome.corpus.claims) == dict(plain.claims)
        assert dict(outcome.corpus.products) == dict(plain.products)
        reports.append(outcome.report.findings)
    assert reports[0] != reports[2]
    override.unlink()
    assert standing.check(project, TODAY).report.findings == ()


def test_a_rule_that_comes_crashes_and_is_mended(project: Project) -> None:
    standing = Standing()
    standing.check(project, TODAY)
    folder = project.folder("validators")
    folder.mkdir()
    codes = []
    for most in ("1", "1 / 0", "5000"):
        text = RULE.format(over="decision", arguments="entry, corpus", most=most)
        (folder / "long_title.py").write_text(text)
        report = standing.check(project, TODAY).report
        assert report == check_project(project, TODAY)
        codes.append(report.exit_code)
    assert codes == [1, 2, 0]


def test_a_commit_is_noticed(project: Project) -> None:
    git = ["git", "-C", str(project.root), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    decision = next(project.folder("decisions").glob("0005-*.md"))
    edit(decision, "status: hypothesis", "status: rejected")
    subprocess.run([*git, "init", "-q"], check=True)
    standing = Standing()
    before = standing.check(project, TODAY).report
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "first"], check=True)
    edit(decision, "status: rejected", "status: hypothesis")
    report = standing.check(project, TODAY).report
    assert report == check_project(project, TODAY)
    assert rules_of(report) - rules_of(before) == {"illegal-transition"}


def test_where_nothing_changed_the_last_answer_is_given(
    project: Project, read: list[str], judged: list[str]
) -> None:
    standing = Standing()
    first = standing.check(project, TODAY)
    read.clear()
    judged.clear()
    assert standing.check(project, TODAY) is first
    assert (read, judged) == ([], [])


def test_it_begins_with_what_a_check_left_and_leaves_it_for_the_next(
    project: Project, cache: Path, judged: list[str]
) -> None:
    check(project, TODAY, cache=cache, jobs=1)
    judged.clear()
    standing = Standing()
    standing.check(project, TODAY, cache=cache)
    assert judged == []
    spec = min(project.folder("specs").rglob("*-g*.yml"))
    spec.write_text(raised(spec)[0], "utf-8")
    report = standing.check(project, TODAY, cache=cache).report
    assert judged
    judged.clear()
    assert check(project, TODAY, cache=cache, jobs=1) == report
    assert judged == []
