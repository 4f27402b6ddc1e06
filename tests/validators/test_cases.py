"""Every rule on its cases: it fires where it should, on that stretch, and no other rule does.

`KB_REWRITE=1 pytest tests/validators` writes `wording.txt` anew; read the difference.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.report.text import render
from kb.rules.catalogue import Block
from kb.rules.collect import Rule, collect
from kb.rules.example import example_files, judge_files
from kb.rules.result import Located, Report

HERE = Path(__file__).parent
COLLECTED = collect()
WORDING = HERE / "wording.txt"
OVERLAYS = {
    "evidence": "evidence",
    "evidence_as_written": "evidence as written",
    "results": "results",
    "artefact": "artefact",
}

each_rule = pytest.mark.parametrize("rule", COLLECTED.rules, ids=lambda rule: rule.slug)


@dataclass(frozen=True)
class Case:
    """One named case of a rule's file."""

    slug: str
    name: str
    files: dict[str, str]
    expect: list[tuple[str, int, str]]

    def judged(self) -> Report:
        return judge_files(self.files, COLLECTED)


def cases_of(path: Path) -> list[Case]:
    return [case(path.stem, data) for data in yaml.safe_load(path.read_text("utf-8"))]


def case(slug: str, data: dict[str, Any]) -> Case:
    unknown = set(data) - {"case", "files", "expect", *OVERLAYS}
    assert not unknown, f"{slug}: {data['case']}: unknown {unknown}"
    overlays = [
        Block("yaml", kind, text)
        for key, kind in OVERLAYS.items()
        for text in ([data[key]] if isinstance(data.get(key), str) else data.get(key, ()))
    ]
    expect = [(e["path"], e["line"], str(e["marks"])) for e in data["expect"]]
    files = {**example_files(overlays), **data.get("files", {})}
    return Case(slug, data["case"], files, expect)


CASES = [case for path in sorted(HERE.glob("*.yml")) for case in cases_of(path)]


def marked(item: Located) -> str:
    """The text under the caret."""
    return item.mark.line[item.mark.span.start.column - 1 : item.mark.span.end.column - 1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.slug}: {case.name}")
def test_the_rule_fires_there_and_no_other_does(case: Case) -> None:
    report = case.judged()
    found = [
        (item.finding.rule, item.mark.path, item.mark.span.start.line, marked(item))
        for item in report.findings
    ]
    assert sorted(found) == sorted((case.slug, *expected) for expected in case.expect)
    assert not report.crashes
    assert all(item.finding.remedy for item in report.findings)


def test_every_file_in_the_folder_is_a_rule() -> None:
    assert COLLECTED.refusals == ()


def test_no_rule_without_cases_and_no_cases_without_a_rule() -> None:
    assert {path.stem for path in HERE.glob("*.yml")} == {rule.slug for rule in COLLECTED.rules}


@each_rule
def test_each_rule_has_a_firing_and_a_silent_case(rule: Rule) -> None:
    outcomes = {bool(case.expect) for case in CASES if case.slug == rule.slug}
    assert outcomes == {True, False}


@each_rule
def test_what_the_docstring_refuses_yields_exactly_this_rule(rule: Rule) -> None:
    report = judge_files(example_files(rule.text.blocks("refused")), COLLECTED)
    assert {item.finding.rule for item in report.findings} == {rule.slug}


@each_rule
def test_what_the_docstring_accepts_yields_nothing(rule: Rule) -> None:
    report = judge_files(example_files(rule.text.blocks("accepted")), COLLECTED)
    assert render(report).startswith("no findings")


def test_the_base_is_sound() -> None:
    report = judge_files({}, COLLECTED)
    assert (report.exit_code, report.findings) == (0, ())


def test_the_wording_was_reviewed() -> None:
    parts = []
    for rule in COLLECTED.rules:
        report = judge_files(example_files(rule.text.blocks("refused")), COLLECTED)
        parts.append(render(report).rpartition("\n\n")[0])
    text = "\n\n".join(parts) + "\n"
    if os.environ.get("KB_REWRITE"):
        WORDING.write_text(text, encoding="utf-8")
    assert text == WORDING.read_text("utf-8"), "KB_REWRITE=1 writes it anew"
