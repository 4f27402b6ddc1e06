"""An index takes the place of an index, and of nothing else."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kb.cli import main
from kb.index import DatabaseError, build, open_database, query, search
from kb.rules.example import base_files
from kb.rules.gate import Checked


def _database(path: Path, *statements: str) -> bytes:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path.read_bytes()


def _precious(path: Path, kind: str, small: Checked) -> bytes:
    """Something that is no index; returns its bytes."""
    if kind == "text":
        path.write_text("years of work\n", encoding="utf-8")
    elif kind == "empty":
        path.touch()
    elif kind == "foreign":
        return _database(path, "CREATE TABLE claim (namespace, id)", "CREATE TABLE mine (x)")
    elif kind == "few":
        return _database(path, "CREATE TABLE claim (namespace, id)")
    elif kind == "more":
        build(small.corpus, small.report, open_database(None, path), "here")
        return _database(path, "CREATE TABLE mine (x)")
    elif kind == "view":
        build(small.corpus, small.report, open_database(None, path), "here")
        return _database(path, "CREATE VIEW mine AS SELECT 1 AS x")
    return path.read_bytes()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The sound base on disk."""
    folder = tmp_path / "a?b#c%20d"
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("place", ["its own", "named"])
@pytest.mark.parametrize("kind", ["text", "empty", "foreign", "few", "more", "view"])
def test_what_is_no_index_is_not_replaced(
    tmp_path: Path, small: Checked, kind: str, place: str
) -> None:
    path = tmp_path / "precious.txt"
    before = _precious(path, kind, small)
    database = (
        open_database(None, path)
        if place == "its own"
        else open_database(f"sqlite:///{path}", tmp_path / "other")
    )
    with pytest.raises(DatabaseError, match=r"precious\.txt is no index of kb") as caught:
        build(small.corpus, small.report, database, "here")
    assert "move it away" in caught.value.remedy
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_folder_a_pipe_and_a_device_are_not_replaced(tmp_path: Path, small: Checked) -> None:
    folder, pipe = tmp_path / "folder", tmp_path / "pipe"
    folder.mkdir()
    os.mkfifo(pipe)
    for path, said in ((folder, "a folder"), (pipe, "a pipe"), (Path("/dev/null"), "a device")):
        with pytest.raises(DatabaseError, match=said):
            build(small.corpus, small.report, open_database(f"sqlite:///{path}", path), "here")
    assert folder.is_dir()
    assert pipe.is_fifo()


def test_what_comes_there_while_the_index_is_made_stays(
    tmp_path: Path, small: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "late.sqlite"

    def meanwhile(*_: object) -> None:
        path.write_text("mine", encoding="utf-8")

    monkeypatch.setattr("kb.index.write._fill_search", meanwhile)
    with pytest.raises(DatabaseError, match="is no index of kb"):
        build(small.corpus, small.report, open_database(None, path), "here")
    assert path.read_text("utf-8") == "mine"
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_an_index_is_replaced_also_behind_a_link(tmp_path: Path, small: Checked) -> None:
    real, link = tmp_path / "real.sqlite", tmp_path / "link.sqlite"
    link.symlink_to(real.name)
    for name in ("one", "two"):
        build(small.corpus, small.report, open_database(f"sqlite:///{link}", real), name)
    assert link.is_symlink()
    assert query(open_database(None, real), "SELECT DISTINCT namespace FROM claim").rows == (
        ("two",),
    )


def test_only_the_folder_of_the_project_is_made(tmp_path: Path, small: Checked) -> None:
    own, far = tmp_path / ".cache" / "kb" / "index.sqlite", tmp_path / "not" / "there" / "x"
    with pytest.raises(DatabaseError, match="not/there of KB_DATABASE_URL is not there") as caught:
        build(small.corpus, small.report, open_database(f"sqlite:///{far}", own), "here")
    assert "make it" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []
    build(small.corpus, small.report, open_database(None, own), "here")
    assert own.is_file()


@pytest.mark.parametrize("url", ["sqlite:///:memory:", "sqlite:///file:x?uri=true"])
def test_an_index_is_a_file(url: str) -> None:
    with pytest.raises(DatabaseError, match="KB_DATABASE_URL names") as caught:
        open_database(url, Path("unused"))
    assert caught.value.remedy == "use sqlite:///FILE"


def test_the_command_names_the_file_and_what_to_do(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    precious = root.parent / "precious.txt"
    precious.write_text("years of work\n", encoding="utf-8")
    monkeypatch.setenv("KB_DATABASE_URL", f"sqlite:///{precious}")
    assert main(["--project", str(root), "index", "build"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"error: {precious} is no index of kb, so it is not replaced")
    assert "fix: move it away, or let KB_DATABASE_URL name another file" in told.err
    assert precious.read_text("utf-8") == "years of work\n"


@pytest.mark.parametrize("name", ["a?b", "a#b", "100%25", "a b", "ü", "\udcff", "?mode=memory"])
def test_the_index_lies_in_its_folder_whatever_that_is_called(
    tmp_path: Path, small: Checked, name: str
) -> None:
    path = tmp_path / name / "index.sqlite"
    database = open_database(None, path)
    for _ in range(2):
        build(small.corpus, small.report, database, "here")
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert [one.name for one in tmp_path.iterdir()] == [name]
    assert query(database, "SELECT count(*) FROM claim").rows == ((len(small.corpus.claims),),)
    assert search(database, "bolt").rows
