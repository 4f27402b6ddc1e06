"""What the source must look like: light to import, small, explained, at home anywhere."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for folder in ("kb", "validators") for path in (ROOT / folder).rglob("*.py"))
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
HEAVY = (
    "argcomplete", "jax", "jaxlib", "matplotlib", "mcp", "mkdocs", "numpy", "pandas", "pint",
    "polars", "pygls", "sqlalchemy", "sqlmodel", "watchfiles",
)  # fmt: skip
# Written in halves, or this file would be the first to offend.
ONE_MACHINE_ONLY = ("/wo" + "rk/", "/ro" + "ot/", "--index" + "-url", "python" + "hosted")

each_source = pytest.mark.parametrize(
    "path", SOURCES, ids=[path.relative_to(ROOT).as_posix() for path in SOURCES]
)


@pytest.mark.parametrize("module", ["kb", "kb.cli"])
def test_a_fresh_interpreter_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_there_are_sources_to_look_at() -> None:
    folders = {path.relative_to(ROOT).parts[0] for path in SOURCES}
    assert folders == {"kb", "validators"}


@each_source
def test_every_room_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


@each_source
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST_FILE


@each_source
def test_a_function_can_be_seen_at_once(path: Path) -> None:
    functions = (
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    long = {
        node.name: lines
        for node in functions
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    }
    assert long == {}


def committed_files() -> list[Path]:
    """All files that git tracks, or an empty list where there is no git or no clone."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        return []
    listed = subprocess.run(
        [git, "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_no_file_belongs_to_one_machine() -> None:
    files = committed_files()
    if not files:
        pytest.skip("no git clone, so nothing says which files are committed")
    offenders = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in files
        if path.is_file()
        for word in ONE_MACHINE_ONLY
        if word.encode() in path.read_bytes()
    ]
    assert offenders == []
