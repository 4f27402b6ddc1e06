"""`kb check`, `kb rules` and `kb explain` as a person or CI runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli import main
from kb.cli.explain import explanation
from kb.home import home
from kb.report import FORMATS, WITHOUT_CLOSING
from kb.rules.collect import collect
from kb.rules.example import base_files
from kb.rules.loading import READING, RESERVED

SPEC = "specs/bolt/bolt-b8.yml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sound base on disk."""
    for name, text in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def spoil(project: Path) -> None:
    path = project / SPEC
    path.write_text(path.read_text("utf-8").replace('"180 GB"', '"180 gb"'), encoding="utf-8")


def kb(*words: str | Path) -> int:
    return main([str(word) for word in words])


def test_a_sound_knowledge_base_is_clean(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("--project", project, "check") == 0
    assert capsys.readouterr().out.startswith("no findings in 5 files, checked by ")


def test_a_finding_exits_1_and_says_file_line_and_remedy(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(project)
    assert kb("--project", project, "check") == 1
    out = capsys.readouterr().out
    assert f"{SPEC}:25:26: error[ambiguous-unit]" in out
    assert "fix: write 'GB' or 'Gbit'" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("name", FORMATS[1:])
def test_other_formats_have_the_same_exit_code(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(project)
    assert kb("--project", project, "check", "--format", name) == 1
    out = capsys.readouterr().out
    assert "ambiguous-unit" in out
    if name == "json":
        assert json.loads(out)["counts"]["error"] == 1


def test_an_empty_knowledge_base_was_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("--project", tmp_path, "check") == 2
    error = capsys.readouterr().err
    assert "nothing was checked" in error
    assert "specs/, decisions/, evidence/" in error
    assert "fix: " in error


def test_paths_limit_what_is_reported(project: Path) -> None:
    spoil(project)
    assert kb("--project", project, "check", project / "decisions") == 0
    assert kb("--project", project, "check", project / "specs") == 1
    assert kb("--project", project, "check", project / SPEC, project / "decisions") == 1
    assert kb("--project", project, "check", project) == 1


def test_paths_that_hold_no_content_are_no_clean_check(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "notes").mkdir()
    for path in (project / "notes", project / "nowhere.yml", project.parent):
        assert kb("--project", project, "check", path) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert "fix: " in error


def test_a_missing_project_folder_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kb("--project", tmp_path / "none", "check") == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_crashing_rule_is_named_and_exits_2(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(project)
    own = (Path(__file__).parents[1] / "rules" / "own_rule.txt").read_text("utf-8")
    (project / "validators").mkdir()
    (project / "validators" / "short_question.py").write_text(
        own.replace("entry.value.question", "entry.value.queston"), encoding="utf-8"
    )
    assert kb("--project", project, "check") == 2
    out = capsys.readouterr().out
    assert "rule failed: short-question: AttributeError" in out
    assert "ambiguous-unit" in out
    assert "Traceback" not in out


def test_a_file_that_is_no_rule_exits_2_everywhere(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "validators").mkdir()
    (project / "validators" / "odd.py").write_text("x = 1\n", encoding="utf-8")
    assert kb("--project", project, "check") == 2
    assert "validators/odd.py: it declares 0 rules" in capsys.readouterr().out
    assert kb("--project", project, "rules") == 2
    assert "validators/odd.py is no rule" in capsys.readouterr().err


def test_a_file_name_can_not_start_a_github_command(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "specs" / "a\n::warning::b.yml").write_text("x: [", encoding="utf-8")
    assert kb("--project", project, "check", "--format", "github") == 1
    assert not [x for x in capsys.readouterr().out.splitlines() if x.startswith("::warning")]


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_name_that_is_no_text_is_shown_all_the_same(project: Path, name: str) -> None:
    (project / "specs" / os.fsdecode(b"caf\xe9.yml")).write_text("x: [", encoding="utf-8")
    code = "import sys; from kb.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "--project", project, "check", "--format", name],
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert bool(done.stderr) == (name in WITHOUT_CLOSING)
    assert "invalid-yaml" in done.stdout


def test_rules_lists_every_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("rules", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    files = {path.stem.replace("_", "-") for path in (home() / "validators").glob("[!_]*.py")}
    assert {rule["slug"] for rule in listed["rules"]} == files
    assert {told["slug"] for told in listed["reserved"]} == set(RESERVED)
    assert all(rule["why"] and rule["refused"] and rule["accepted"] for rule in listed["rules"])
    assert kb("rules") == 0
    assert "dense-versus-sparse" in capsys.readouterr().out


@pytest.mark.parametrize("slug", ["dense-versus-sparse", "invalid-yaml", "unused-waiver"])
def test_a_slug_is_explained(slug: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("explain", slug) == 0
    assert capsys.readouterr().out.startswith(f"{slug} (")


def test_every_slug_has_an_explanation() -> None:
    collected = collect()
    for slug in [*(rule.slug for rule in collected.rules), *RESERVED]:
        lines = explanation(slug, collected)
        assert lines[0].startswith(f"{slug} (")
        assert any(line.startswith("Why: ") for line in lines)


def test_an_unknown_slug_gets_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert kb("explain", "dense-vs-sparse") == 2
    assert "did you mean dense-versus-sparse" in capsys.readouterr().err


def test_the_table_of_the_reader_holds_exactly_its_slugs() -> None:
    top = Path(__file__).parents[2]
    readers = [*(top / "kb/load").glob("*.py"), top / "kb/files.py", top / "kb/characters.py"]
    sources = "".join(path.read_text("utf-8") for path in readers)
    said = re.findall(r'(?:Finding|add|_add|_error)\(\s*"([a-z]+(?:-[a-z]+)+)"', sources)
    # A reader may find what a rule finds too: the seal of a compiled record.
    rules = {path.stem.replace("_", "-") for path in (top / "validators").glob("*.py")}
    assert set(said) - rules == set(READING)


def test_the_check_runs_as_a_program(project: Path) -> None:
    spoil(project)
    code = "import sys; from kb.cli import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, "--project", project, "check", SPEC],
        cwd=project,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "ambiguous-unit" in done.stdout


def test_records_of_other_tools_are_judged_in_their_own_terms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "# 1. Use two boards\n\nDate: 2026-11-30\n\n## Status\n\nAcceptd\n"
    text = f"{head}\n## Context\n\nText.\n"
    (tmp_path / "0001-use-two-boards.md").write_text(text, "utf-8")
    assert main(["check", "--decisions", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "0001-use-two-boards.md:7:1: error[odd-status]" in out
    assert main(["explain", "odd-status"]) == 0
    assert main(["check", "--decisions", str(tmp_path / "none")]) == 2
