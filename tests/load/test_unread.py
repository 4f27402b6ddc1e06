"""What can't be read under a content folder is said, and never passed over."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.cli import main
from kb.finding import CheckError
from kb.home import Project, project_at
from kb.load import load
from kb.rules.example import base_files

NOBODY = 65534


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The sound base in a folder that everyone may reach, read by somebody who isn't root."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    yield folder
    if root:
        os.seteuid(0)
    shutil.rmtree(folder)


def lock(path: Path) -> None:
    """Take every right away, as the owner of the file."""
    mine = os.geteuid()
    if os.getuid() == 0:
        os.seteuid(0)
    path.chmod(0)
    os.seteuid(mine)


def unread(folder: Path) -> list[str]:
    return [f.place.path for f in load(Project(folder)).findings if f.rule == "unreadable-file"]


def owned(base: Path) -> Path:
    if os.getuid() == 0:
        os.seteuid(0)
    return base


def test_a_folder_without_permission_is_named(base: Path) -> None:
    sub = next(path for path in (base / "specs").iterdir() if path.is_dir())
    lock(sub)
    assert unread(base) == [sub.relative_to(base).as_posix()]
    lock(base / "specs")
    assert unread(base) == ["specs"]


def test_rules_that_can_t_be_listed_are_named(base: Path) -> None:
    owned(base)
    (base / "validators").write_text("x", encoding="utf-8")
    assert unread(base) == ["validators"]
    (base / "validators").unlink()
    (base / "validators").mkdir(mode=0)
    if os.getuid() == 0:
        os.seteuid(NOBODY)
    assert unread(base) == ["validators"]
    owned(base)


def test_a_linked_folder_and_a_file_for_a_folder_are_named(base: Path) -> None:
    owned(base)
    (base / "elsewhere").mkdir()
    (base / "specs" / "linked").symlink_to(base / "elsewhere")
    shutil.rmtree(base / "evidence", ignore_errors=True)
    (base / "evidence").write_text("x", encoding="utf-8")
    assert unread(base) == ["specs/linked", "evidence"]


@pytest.mark.parametrize("name", ["specs/bad.YML", "decisions/0002-x.MD", "evidence/x.JSON"])
def test_the_case_of_a_suffix_does_not_matter(base: Path, name: str) -> None:
    owned(base)
    (base / name).parent.mkdir(exist_ok=True)
    (base / name).write_text("[", encoding="utf-8")
    assert name in {f.place.path for f in load(Project(base)).findings}


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_named_folder_must_be_there(
    base: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    owned(base)
    if kind == "file":
        (base / "products").write_text("x", encoding="utf-8")
    (base / "pyproject.toml").write_text("[tool.kb]\nspecs = 'products'\n", encoding="utf-8")
    assert main(["check"]) == 2
    said = capsys.readouterr().err
    assert "'products'" in said
    assert "fix: create the folder" in said


@pytest.mark.parametrize(
    "text",
    ["tool = 5\n", "[tool]\nkb = [1]\n", '[tool.kb]\nspecs = "a\\u0000b"\n'],
)
def test_odd_tables_are_no_traceback(base: Path, text: str) -> None:
    owned(base)
    (base / "pyproject.toml").write_text(text, encoding="utf-8")
    if text.startswith("tool"):
        assert project_at(base).specs == "specs"
    else:
        with pytest.raises(CheckError, match=r"\[tool.kb\]"):
            project_at(base)


def test_a_project_without_permission_is_named(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock(base)
    assert main(["--project", str(base), "check"]) == 2
    assert f"the folder {str(base)!r} can't be read" in capsys.readouterr().err
    owned(base).chmod(0o755)
