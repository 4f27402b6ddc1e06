"""Rules of a project's own: they run beside ours, are named when they fail, replace none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.cli import main
from kb.home import project_at
from kb.rules.example import TODAY, base_files
from kb.rules.result import Report
from kb.rules.run import check_project

OWN = (Path(__file__).parent / "own_rule.txt").read_text("utf-8")
DECISION = "decisions/0001-acme-or-bolt.md"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sound base on disk with a rule of its own."""
    for name, text in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write(tmp_path, "validators/short_question.py", OWN)
    return tmp_path


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def check(root: Path) -> Report:
    return check_project(project_at(root), TODAY)


def slugs(report: Report) -> list[tuple[str, str, int]]:
    return [(i.finding.rule, i.mark.path, i.mark.span.start.line) for i in report.findings]


def test_it_runs_beside_the_bundled_rules_and_points_at_a_line(project: Path) -> None:
    report = check(project)
    assert slugs(report) == [("short-question", DECISION, 3)]
    assert report.exit_code == 0  # it is declared as a warning
    spec = project / "specs/bolt/bolt-b8.yml"
    spec.write_text(spec.read_text("utf-8").replace('"180 GB"', '"180 gb"'), encoding="utf-8")
    assert {slug for slug, *_ in slugs(check(project))} == {"short-question", "ambiguous-unit"}


def test_it_can_be_waived_explained_and_listed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decision = project / DECISION
    text = decision.read_text("utf-8")
    marked = text.replace(
        "forecasting\nstatus", "forecasting  # kb: ignore[short-question] x\nstatus"
    )
    assert marked != text
    decision.write_text(marked, encoding="utf-8")
    assert slugs(check(project)) == []
    assert main(["--project", str(project), "explain", "short-question"]) == 0
    assert "which question it answers" in capsys.readouterr().out
    assert main(["--project", str(project), "check", "--format", "sarif"]) == 0
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert "short-question" in {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_a_crash_is_named_and_the_bundled_rules_still_judge(project: Path) -> None:
    write(project, "validators/short_question.py", OWN.replace("value.question", "value.queston"))
    write(project, "specs/acme/odd.yml", "product: [\n")
    report = check(project)
    (crash,) = report.crashes
    assert crash.rule == "short-question"
    assert crash.remedy == "correct validators/short_question.py; the other rules ran"
    assert ("invalid-yaml", "specs/acme/odd.yml", 2) in slugs(report)
    assert report.exit_code == 2


@pytest.mark.parametrize("name", ["ambiguous_unit", "invalid_yaml", "stale_baseline_entry"])
def test_it_can_not_take_the_place_of_a_bundled_slug(project: Path, name: str) -> None:
    write(project, f"validators/{name}.py", OWN.replace("def short_question", f"def {name}"))
    spec = project / "specs/bolt/bolt-b8.yml"
    spec.write_text(spec.read_text("utf-8").replace('"180 GB"', '"180 gb"'), encoding="utf-8")
    report = check(project)
    (crash,) = report.crashes
    assert crash.rule == f"validators/{name}.py"
    assert "is already taken" in crash.reason
    assert "ambiguous-unit" in {slug for slug, *_ in slugs(report)}
    assert report.exit_code == 2


def test_its_folder_may_have_another_name(project: Path) -> None:
    (project / "validators").rename(project / "house-rules")
    assert slugs(check(project)) == []
    write(project, "pyproject.toml", '[tool.kb]\nvalidators = "house-rules"\n')
    assert slugs(check(project)) == [("short-question", DECISION, 3)]


def tried(project: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    code = main(["--project", str(project), "rules", "--test"])
    return code, [line for line in capsys.readouterr().out.splitlines() if "fix:" not in line]


def test_its_examples_are_tried(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "validators/short_question.py"
    assert tried(project, capsys) == (0, ["short-question: refuses and accepts what it shows"])
    write(project, name, OWN.replace("title: An example", "question: Which?"))
    assert tried(project, capsys) == (
        1,
        ["error: short-question: its refused example is not refused"],
    )
    write(project, name, OWN.replace("question: Which accelerator trains", "title: Which trains"))
    code, (said,) = tried(project, capsys)
    assert code == 1
    assert said.startswith(
        "error: short-question: its accepted example is refused by short-question"
    )
    write(project, name, OWN.replace("title: An example", "titel: An example"))
    code, told = tried(project, capsys)
    assert (code, told[0]) == (1, "error: short-question: its refused example is not refused")
    assert "its refused example is refused by unknown-field: 'titel'" in told[1]
    write(project, name, OWN.replace("yaml decision\ntitle", "yaml nothing\ntitle"))
    code, (said,) = tried(project, capsys)
    assert (code, "can't be laid down" in said) == (1, True)


def test_a_rule_of_the_same_house_does_not_count_against_its_examples(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "validators/no_question.py", OWN)
    assert tried(project, capsys) == (
        0,
        [
            f"{slug}: refuses and accepts what it shows"
            for slug in ("no-question", "short-question")
        ],
    )


def test_without_a_rule_there_is_nothing_to_try(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "validators" / "short_question.py").unlink()
    assert main(["--project", str(project), "rules", "--test"]) == 2
    assert "there is no rule of your own" in capsys.readouterr().err


def test_a_file_that_is_no_rule_is_explained_as_such(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "validators/short_question.py", OWN.replace("**Refused**", "Refused"))
    assert main(["--project", str(project), "explain", "short-question"]) == 2
    said = capsys.readouterr().err
    assert "validators/short_question.py is no rule: its docstring must hold the headings" in said
    assert "**Refused** and **Accepted**, each with a fenced example" in said
    assert tried(project, capsys)[0] == 2
