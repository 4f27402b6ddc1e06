"""`kb import mlperf`: what it prints, writes and refuses, and what the loader makes of it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from kb.cli import main
from kb.home import Project
from kb.load import load
from kb.schema import schema_text
from tests.mlperf.rows import row, submission, summary

HEAD = ["import", "mlperf"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "base"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[tool.kb]\n")
    monkeypatch.chdir(folder)
    return folder


def imported(project: Path, *words: str) -> int:
    return main(["--project", str(project), *HEAD, *words])


def test_the_report_adds_up_and_the_record_loads(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = summary(tmp_path, row(), row(ID="9.9-0002", Accelerator="", count=""))
    assert imported(project, str(path)) == 0
    printed = capsys.readouterr().out
    assert "2 read = 2 imported + 0 left out" in printed
    assert "wrote evidence/mlperf-inference-v5.1.json" in printed
    found = load(Project(project))
    assert not found.findings
    assert list(found.corpus.results) == [
        "mlperf-inference-v5.1/9.9-0001-stable-diffusion-xl-offline",
        "mlperf-inference-v5.1/9.9-0002-stable-diffusion-xl-offline",
    ]


def test_what_could_not_be_read_is_listed_and_the_code_says_so(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = summary(tmp_path, row(), row(ID="9.9-0002", Scenario="Sideways"))
    assert imported(project, str(path)) == 1
    printed = capsys.readouterr().out
    assert "2 read = 1 imported + 1 left out" in printed
    assert "row 2: scenario 'Sideways' is none of offline" in printed
    assert (project / "evidence/mlperf-inference-v5.1.json").is_file()


def test_json_fits_its_schema_and_dry_run_writes_nothing(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = summary(tmp_path, row(), row(Performance_Result="x"))
    assert imported(project, str(path), "--json", "--dry-run") == 1
    data = json.loads(capsys.readouterr().out)
    jsonschema.validate(data, json.loads(schema_text("import-output")))
    assert data["read"] == data["imported"] + sum(data["skipped"].values()) == 2
    assert data["wrote"] is None
    assert not (project / "evidence").exists()


def test_a_reviewed_source_makes_a_folder_verified(project: Path, tmp_path: Path) -> None:
    path = submission(tmp_path)
    assert imported(project, str(path), "--source", "mlperf-inference-v4.1-results") == 0
    results = load(Project(project)).corpus.results.values()
    assert [entry.result.verification.value for entry in results] == ["verified"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere.json"], "there is no file or folder"),
        (["{file}", "--only", "colour=red"], "chooses by no field"),
        (["{file}", "--source", "nobody"], "there is no source 'nobody'"),
        (["{file}", "--id", "Not An Id"], "can't be an id"),
        (["{text}"], "holds no list of results"),
        (["{bytes}"], "is no UTF-8 text"),
        (["{empty}"], "holds no results of a submission"),
    ],
)
def test_what_can_not_be_done_is_said_in_one_line(
    words: list[str], told: str, project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: tmp_path / name for name in ("file", "text", "bytes", "empty")}
    summary(tmp_path, row()).rename(files["file"])
    files["text"].write_text("no JSON at all")
    files["bytes"].write_bytes(b"[\xff\xfe]")
    files["empty"].mkdir()
    assert imported(project, *(word.format(**files) for word in words)) == 2
    error = capsys.readouterr().err
    assert told in error
    assert "fix: " in error
    assert "Traceback" not in error


def test_a_changed_figure_is_found_by_its_hash(project: Path, tmp_path: Path) -> None:
    imported(project, str(summary(tmp_path, row())))
    path = project / "evidence/mlperf-inference-v5.1.json"
    path.write_text(path.read_text("utf-8").replace("19.25 samples/s", "29.25 samples/s"))
    (finding,) = load(Project(project)).findings
    assert finding.rule == "evidence-hash-mismatch"
    lines = path.read_text("utf-8").split("\n")
    span = load(Project(project)).corpus.documents[finding.place.path].locate(finding.place)
    assert "content_hash" in lines[span.start.line - 1]
