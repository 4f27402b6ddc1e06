"""A knowledge base in a git repository of its own, and the commands as a person types them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb.cli import COMMANDS, main
from kb.rules.example import base_files

Run = Callable[..., int]

NEEDED = ("new", "status", "supersede", "log", "graph", "impact")


@pytest.fixture(autouse=True, scope="session")
def commands() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in NEEDED:
            patch.setitem(COMMANDS, name, COMMANDS.get(name, name))
        yield


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sound base on disk, committed."""
    return begun(tmp_path / "project")


@pytest.fixture
def kb(project: Path) -> Run:
    return runner(project)


def begun(folder: Path) -> Path:
    """The sound base in a repository of its own."""
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "config", "user.name", "Ada Example")
    git(folder, "config", "user.email", "ada@example.org")
    commit(folder, "Begin")
    return folder


def runner(project: Path) -> Run:
    """The command line on one project."""

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
