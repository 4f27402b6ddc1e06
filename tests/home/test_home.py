"""Which project is meant: the named folder alone, else the nearest one upwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.finding import CheckError
from kb.home import find_project, home, project_at


def _outer_and_inner(root: Path) -> tuple[Path, Path]:
    (root / "pyproject.toml").write_text("[tool.kb]\nspecs = 'catalogue'\n", "utf-8")
    inner = root / "examples" / "small"
    (inner / "specs").mkdir(parents=True)
    return root, inner


def test_a_named_folder_is_the_project_whatever_lies_above(tmp_path: Path) -> None:
    _, inner = _outer_and_inner(tmp_path)
    assert project_at(inner).root == inner
    assert project_at(inner).specs == "specs"


def test_the_nearest_folder_upwards_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outer, inner = _outer_and_inner(tmp_path)
    monkeypatch.chdir(inner / "specs")
    assert find_project().root == inner
    monkeypatch.chdir(outer / "examples")
    assert find_project().root == outer
    assert find_project().folder("specs") == outer / "catalogue"


def test_without_any_sign_the_working_folder_is_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_project().root == tmp_path


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("[tool.kb]\nspec = 'x'\n", "unknown keys: spec"),
        ("[tool.kb]\nspecs = '../other'\n", "no folder inside the project"),
        ("[tool.kb]\nspecs = '/etc'\n", "no folder inside the project"),
        ("[tool.kb]\nspecs = 3\n", "no folder inside the project"),
        ("[tool.kb\n", "can't be read"),
        ("a = " + "[" * 100_000, "nested too deep"),
        ("a = " + "9" * 5_000, "Exceeds the limit"),
        ("\n" + "a." * 50_000 + "a = 1\n", "the name on line 2 has 40 parts or more"),
        ("[" + '"a" . ' * 30_000 + "a]\n", "the name on line 1 has 40 parts or more"),
        ("a = 1\n" * 100_000, "600,000 characters; 200,000 at most"),
    ],
)
def test_a_bad_table_stops_the_run_with_a_remedy(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "pyproject.toml").write_text(table, "utf-8")
    with pytest.raises(CheckError, match=words) as caught:
        project_at(tmp_path)
    assert caught.value.remedy


def test_the_engine_finds_its_own_folders() -> None:
    assert {"validators", "schemas", "specs"} <= {path.name for path in home().iterdir()}
