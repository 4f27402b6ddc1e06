"""`kb check --baseline`: known findings are hidden and counted, and the file only shrinks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.cli import main
from kb.rules.example import base_files

SPEC = "specs/bolt/bolt-b8.yml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The base on disk, with two units that can't be read."""
    root = tmp_path / "kb"
    for name, text in base_files().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    edit(root, '"180 GB"', '"180 gb"')
    edit(root, '"1.4 TB"', '"1.4 tb"')
    return root


def edit(root: Path, old: str, new: str) -> None:
    text = (root / SPEC).read_text("utf-8")
    assert old in text
    (root / SPEC).write_text(text.replace(old, new), encoding="utf-8")


def check(root: Path, *words: str) -> int:
    return main(["--project", str(root), "check", "--baseline", str(root / "known.json"), *words])


def findings(root: Path) -> list[dict[str, Any]]:
    data = json.loads((root / "known.json").read_text("utf-8"))
    assert data["kb_baseline"] == 1
    return list(data["findings"])


def test_a_baseline_hides_what_it_lists_and_counts_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(project, "--write-baseline") == 0
    assert "no findings (2 in the baseline)" in capsys.readouterr().out
    assert [entry["rule"] for entry in findings(project)] == ["ambiguous-unit"] * 2
    assert check(project) == 0
    edit(project, "claims:", "# a remark that moves every line\n\nclaims:")
    assert check(project) == 0


def test_a_new_finding_is_shown_all_the_same(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(project, "--write-baseline")
    edit(project, '"7.7 TB/s"', '"7.7 tb/s"')
    capsys.readouterr()
    assert check(project) == 1
    out = capsys.readouterr().out
    assert "'7.7 tb/s'" in out
    assert "'180 gb'" not in out
    assert "1 error (2 in the baseline)" in out


def test_an_entry_that_no_longer_occurs_is_a_finding(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(project, "--write-baseline")
    edit(project, '"180 gb"', '"180 GB"')
    capsys.readouterr()
    assert check(project) == 1
    out = capsys.readouterr().out
    line = next(
        number
        for number, text in enumerate((project / "known.json").read_text().split("\n"), start=1)
        if "180 gb" in text
    )
    assert f"known.json:{line}:5: error[stale-baseline-entry]" in out
    assert "fix: run the check again with --write-baseline" in out
    assert check(project, "--write-baseline") == 0
    assert len(findings(project)) == 1


def test_a_stale_entry_of_a_file_that_is_left_out_is_not_reported(project: Path) -> None:
    check(project, "--write-baseline")
    edit(project, '"180 gb"', '"180 GB"')
    assert check(project, str(project / "decisions")) == 0
    assert check(project, str(project / "specs")) == 1
    (project / SPEC).unlink()
    assert check(project, str(project / "decisions")) == 1


def test_an_existing_baseline_grows_only_on_request(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(project, "--write-baseline")
    before = (project / "known.json").read_bytes()
    edit(project, '"7.7 TB/s"', '"7.7 tb/s"')
    assert check(project, "--write-baseline") == 2
    error = capsys.readouterr().err
    assert f"would grow by 1 finding, such as ambiguous-unit in {SPEC}:39" in error
    assert (project / "known.json").read_bytes() == before
    assert check(project, "--write-baseline", "--grow-baseline") == 0
    assert len(findings(project)) == 3
    assert [path.name for path in project.glob(".known*")] == []


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[]",
        b"{}",
        b'{"version": "2.1.0", "runs": []}',
        b'{"kb_baseline": 2, "findings": []}',
        b'{"kb_baseline": 1, "findings": {}}',
        b'{"kb_baseline": 1, "findings": [{"rule": "x"}]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_broken_or_foreign_file_is_no_baseline(
    project: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "known.json").write_bytes(content)
    for words in ([], ["--write-baseline"], ["--write-baseline", "--grow-baseline"]):
        assert check(project, *words) == 2
        error = capsys.readouterr().err
        assert "is no baseline of kb check" in error
        assert "fix: restore it" in error
    assert (project / "known.json").read_bytes() == content


def test_a_missing_baseline_and_useless_options_are_said(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(project) == 2
    assert "fix: create it with --write-baseline" in capsys.readouterr().err
    assert check(project, "--grow-baseline") == 2
    assert main(["--project", str(project), "check", "--write-baseline"]) == 2
    assert "add --baseline FILE" in capsys.readouterr().err


def test_an_incomplete_check_writes_no_baseline(project: Path) -> None:
    (project / "validators").mkdir()
    (project / "validators" / "odd.py").write_text("x = 1\n", encoding="utf-8")
    assert check(project, "--write-baseline") == 2
    assert not (project / "known.json").exists()


def test_a_rule_that_crashed_makes_no_entry_stale(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = (Path(__file__).parents[1] / "rules" / "own_rule.txt").read_text("utf-8")
    rule = project / "validators" / "short_question.py"
    rule.parent.mkdir()
    rule.write_text(own, encoding="utf-8")
    assert check(project, "--write-baseline") == 0
    rule.write_text(own.replace("value.question", "value.queston"), encoding="utf-8")
    capsys.readouterr()
    assert check(project) == 2
    assert "stale-baseline-entry" not in capsys.readouterr().out


def test_paths_are_those_of_the_git_checkout(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / ".git").mkdir()
    main(["--project", str(project), "check", "--format", "github"])
    assert f"::error file=kb/{SPEC},line=25" in capsys.readouterr().out
    assert main(["--project", str(project), "check", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["path_prefix"] == "kb/"
    assert data["findings"][0]["path"] == SPEC
    main(["--project", str(project), "check"])
    assert capsys.readouterr().out.startswith(f"{SPEC}:25")


def test_a_baseline_above_the_knowledge_base_is_named_from_the_repository(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / ".git").mkdir()
    known = str(project.parent / "known.json")
    words = ["--project", str(project), "check", "--baseline", known, "--format", "github"]
    assert main([*words, "--write-baseline"]) == 0
    edit(project, '"180 gb"', '"180 GB"')
    capsys.readouterr()
    assert main(words) == 1
    assert "::error file=known.json,line=" in capsys.readouterr().out
