"""All files change or none does: after an error, an interrupt, and a run that was killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kb.finding import CheckError
from kb.records import write
from kb.records.front import edited, quoted
from kb.records.write import NOTE, recover, replace_all
from kb.writing import replace_file

BEFORE = {"a.md": b"old a\r\n", "b.md": b"old b\n"}
AFTER = {"a.md": b"new a\n", "b.md": b"new b\n"}
KILLED = """\
import os, sys
from pathlib import Path
from kb.records import write
real, count = write.replace_file, 0
def dying(path, content):
    global count
    count += 1
    if count == 3:  # the note, the first file, and then the machine goes down
        os._exit(9)
    real(path, content)
write.replace_file = dying
write.replace_all(Path(sys.argv[1]), {"a.md": b"new a", "b.md": b"new b"})
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in BEFORE.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_all_files_change(folder: Path) -> None:
    replace_all(folder, AFTER)
    assert content(folder) == AFTER


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_an_error_halfway_leaves_everything_as_it_was(
    folder: Path, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = replace_file

    def failing(path: Path, text: bytes) -> None:
        if path.name == "b.md" and text == AFTER["b.md"]:
            raise error
        real(path, text)

    monkeypatch.setattr(write, "replace_file", failing)
    with pytest.raises(type(error)):
        replace_all(folder, {**AFTER, "c.md": b"new c"})
    assert content(folder) == BEFORE


def test_a_refusal_leaves_everything_as_it_was(folder: Path) -> None:
    def refuse() -> None:
        assert content(folder).items() >= AFTER.items()
        raise LookupError

    with pytest.raises(LookupError):
        replace_all(folder, AFTER, refuse)
    assert content(folder) == BEFORE


def test_the_next_run_puts_back_what_a_killed_run_left(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False)
    assert done.returncode == 9
    assert (folder / "a.md").read_bytes() == b"new a"
    assert recover(folder) == ("a.md", "b.md")
    assert content(folder) == BEFORE
    assert recover(folder) == ()


def test_a_run_that_is_still_writing_is_left_alone(folder: Path) -> None:
    (folder / NOTE).write_text(f'{{"process": {os.getppid()}, "files": {{}}}}', "ascii")
    with pytest.raises(CheckError, match="is writing"):
        recover(folder)


def test_an_unreadable_note_is_no_reason_to_guess(folder: Path) -> None:
    (folder / NOTE).write_text("{", "ascii")
    with pytest.raises(CheckError, match="can't be read"):
        recover(folder)


RECORD = """\
---
id: "0002"   # quoted
title: 'It''s  spaced'
# a comment above the status
status: draft  # and one behind it
date: 2026-11-30
supersedes: [ "0001" ]  # flow
options:
- {id: a,   title: A}   # unindented, wide
question: >-
  Folded
  text
---

# Body

* stays   as it is
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_only_the_changed_fields_are_written_anew(ends: str, mark: str) -> None:
    stored = mark + RECORD.replace("\n", ends)
    same = edited(stored, "x.md", lambda _: None)
    assert same == stored

    def change(data: dict[str, object]) -> None:
        data["status"] = "hypothesis"
        data["next_measurement"] = "One: more"
        supersedes = data["supersedes"]
        assert isinstance(supersedes, list)
        supersedes.append(quoted("0003"))

    new = edited(stored, "x.md", change)
    kept = set(stored.split(ends)) - {'supersedes: [ "0001" ]  # flow'}
    kept -= {"status: draft  # and one behind it"}
    assert kept <= set(new.split(ends))
    assert new.startswith(mark)
    assert ("\r\n" in new) == (ends == "\r\n")
    plain = new.replace("\r\n", "\n")
    assert "# and one behind it" in plain
    assert 'supersedes: ["0001", "0003"] # flow' in plain
    assert "next_measurement: 'One: more'" in plain


@pytest.mark.parametrize("text", ["no front matter", "---\nid: [\n---\n", "---\n{id: a}\n---\n"])
def test_what_can_not_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(CheckError) as error:
        edited(text, "x.md", lambda data: data.update(status="draft"))
    assert error.value.remedy
