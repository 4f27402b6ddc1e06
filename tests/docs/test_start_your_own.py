"""The files that the guide shows make a knowledge base, and its commands work on them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from kb.cli import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "start-your-own.md"
_FILE = re.compile(r"<!-- file: (\S+) -->\n+```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILES = dict(_FILE.findall(PAGE.read_text("utf-8")))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the page shows and nothing else."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("project")
def test_the_files_pass_the_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(FILES) == {
        "specs/sources.yml",
        "specs/acme-x1.yml",
        "decisions/0001-acme-x1-or-tpu-v6e.md",
    }
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("no findings in 3 files")


def test_the_spec_passes_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    next((project / "decisions").iterdir()).unlink()
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("no findings in 2 files")


def test_a_number_that_is_changed_in_one_place_is_found(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = project / "specs" / "acme-x1.yml"
    spec.write_text(spec.read_text("utf-8").replace("96 GB", "64 GB"), encoding="utf-8")
    assert main(["check"]) == 1
    assert "decisions/0001-acme-x1-or-tpu-v6e.md" in capsys.readouterr().out


def test_every_command_of_the_page_works(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^\$ kb (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        assert main(shlex.split(command)) == 0, command
        assert capsys.readouterr().out
    assert (project / "build" / "pages" / "products" / "acme-x1.md").is_file()
