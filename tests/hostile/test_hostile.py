"""A knowledge base that means harm: each file gives the finding that says what is wrong with it.

The files lie beside this one, in the folders they would have in a project; `expect.yml` says
what each must give when it is laid over the sound base of examples, with line and column.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from kb.checking import check
from kb.home import Project
from kb.load import load
from kb.report.text import render
from kb.rules.collect import collect
from kb.rules.example import TODAY, base_files
from kb.rules.result import Report
from kb.rules.run import judge

HERE = Path(__file__).parent
FILES = sorted(
    path.relative_to(HERE).as_posix()
    for folder in ("specs", "decisions", "evidence")
    for path in (HERE / folder).iterdir()
)
EXPECTED: dict[str, list[str]] = yaml.safe_load((HERE / "expect.yml").read_text("utf-8"))
COLLECTED = collect()
CPU_SECONDS = 60
MEMORY = 2_000_000_000
"""Bytes of address space for one check of all files; the libraries alone map half of it."""


def laid_out(folder: Path, *names: str) -> Project:
    """The sound base with some hostile files in their places."""
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in names:
        (folder / name).write_bytes((HERE / name).read_bytes())
    return Project(folder)


def checked(project: Project) -> Report:
    return judge(load(project), COLLECTED, TODAY)


def told(report: Report, name: str) -> list[str]:
    """Findings as `expect.yml` writes them: the file only where it is another one."""
    lines = []
    for item in report.findings:
        start = item.mark.span.start
        where = "" if item.mark.path == name else f"{item.mark.path}:"
        lines.append(f"{where}{start.line}:{start.column} {item.finding.rule}")
    return lines


def test_there_are_enough_and_each_has_its_answer() -> None:
    assert len(FILES) >= 80
    assert sorted(EXPECTED) == FILES


@pytest.mark.parametrize("name", FILES)
def test_each_gives_its_finding(name: str, tmp_path: Path) -> None:
    project = laid_out(tmp_path, name)
    report = checked(project)
    assert check(project, TODAY, jobs=1).findings == report.findings
    assert told(report, name) == EXPECTED[name]
    assert not report.crashes
    assert all(item.finding.remedy for item in report.findings)
    shown = render(report)
    assert not [c for c in shown if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0]
    assert len(shown) < 30_000


def test_all_at_once_are_judged_and_named(tmp_path: Path) -> None:
    """One bad file hides no other, within fixed memory and time."""
    laid_out(tmp_path, *FILES)
    limits = f'ulimit -t {CPU_SECONDS}; ulimit -v {MEMORY // 1024}; exec "$0" "$@"'
    done = subprocess.run(
        ["sh", "-c", limits, Path(sys.executable).with_name("kb"), "check", "--format", "github"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    commands = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert {line.partition(" ")[0] for line in commands} <= {"::error", "::warning", "::notice"}
    silent = [name for name in FILES if EXPECTED[name] and f"file={name}" not in done.stdout]
    assert not silent
