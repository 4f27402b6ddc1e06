"""A knowledge base in a git repository of its own, and the commands as a person types them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kb.cli import COMMANDS, main
from kb.rules.example import base_files

Run = Callable[..., int]

NEEDED = ("new", "status", "supersede", "log", "graph", "impact")


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NEEDED:
        monkeypatch.setitem(COMMANDS, name, COMMANDS.get(name, name))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sound base on disk, committed."""
    for name, text in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "config", "user.name", "Ada Example")
    git(tmp_path, "config", "user.email", "ada@example.org")
    commit(tmp_path, "Begin")
    return tmp_path


@pytest.fixture
def kb(project: Path) -> Run:
    def run(*words: str | Path) -> int:
        return main(["--project", str(project), *map(str, words)])

    return run


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
    )
    return done.stdout


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def record(project: Path, key: str) -> Path:
    return next((project / "decisions").glob(f"{key}-*.md"))


def replace(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text("utf-8")
    for old, new in pairs:
        assert old in text, f"{old!r} is not in {path}"
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
