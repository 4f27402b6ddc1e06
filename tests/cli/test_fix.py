"""`kb fix` takes out waivers that waive nothing, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.cli import main
from kb.home import Project
from kb.rules.example import base_files
from kb.rules.result import Report
from kb.rules.run import check_project

SPEC = "specs/bolt/bolt-b8.yml"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    for name, text in base_files().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / SPEC


def fix(project: Path, *words: str) -> int:
    return main(["--project", str(project), "fix", *words])


def test_unused_waivers_are_shown_first_and_taken_out_when_asked(
    spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = spec.parents[2]
    sound = spec.read_text("utf-8")
    first, _, rest = sound.partition("\n")
    alone = "# kb: ignore[unknown-unit] it was once needed\n"
    spoilt = f"{alone}{first}  # kb: ignore[file-name] so was this\n{rest}"
    spec.write_text(spoilt, "utf-8")
    assert fix(project) == 1
    assert "-# kb: ignore[unknown-unit]" in capsys.readouterr().out
    assert spec.read_text("utf-8") == spoilt
    assert fix(project, "--apply") == 0
    assert spec.read_text("utf-8") == sound
    assert fix(project) == 0


def test_a_waiver_in_use_stays(spec: Path) -> None:
    project = spec.parents[2]
    text = spec.read_text("utf-8").replace(
        "product: bolt-b8\n", "product: bolt-b8\ncolour: red  # kb: ignore[unknown-field] a test\n"
    )
    spec.write_text(text, "utf-8")
    assert fix(project, "--apply") == 0
    assert spec.read_text("utf-8") == text


def test_what_another_run_took_out_meanwhile_costs_no_other_line(
    spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = spec.read_text("utf-8")
    spec.write_text(f"# kb: ignore[unknown-unit] it was once needed\n{sound}", "utf-8")

    def judged(project: Project) -> Report:
        report = check_project(project)
        spec.write_text(sound, "utf-8")  # as another run does between judging and reading
        return report

    monkeypatch.setattr("kb.cli.fix.check_project", judged)
    assert fix(spec.parents[2], "--apply") == 0
    assert spec.read_text("utf-8") == sound
