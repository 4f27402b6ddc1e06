"""Changing files so that all of them change or none does, even when the run is cut short.

What the files held before is kept in a note beside them until all are written. A run that
fails puts them back at once; after one that was killed, the next run does.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from kb.finding import CheckError
from kb.writing import alive, replace_file

NOTE = ".kb-undo.json"
"""Name of the note that holds what the files were, while they are being written."""


def replace_all(
    folder: Path, changes: Mapping[str, bytes], verify: Callable[[], None] | None = None
) -> None:
    """Write files of `folder` by name, all or none.

    `verify` may look at the result and raise; then everything is as it was before.
    """
    recover(folder)
    before = {name: _content(folder / name) for name in changes}
    replace_file(folder / NOTE, _note(before))
    try:
        for name, content in changes.items():
            replace_file(folder / name, content)
        if verify is not None:
            verify()
    except BaseException:  # an interrupt too: half of a change is no change
        _restore(folder, before)
        raise
    (folder / NOTE).unlink()


def recover(folder: Path) -> tuple[str, ...]:
    """Put back what a killed run left half written; the names of the files put back.

    Raises `CheckError` while another run is still writing, or where its note can't be read.
    """
    note = folder / NOTE
    if not note.is_file():
        return ()
    try:
        data = json.loads(note.read_text("ascii"))
        process = int(data["process"])
        files = {
            str(name): None if held is None else base64.b64decode(held)
            for name, held in data["files"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CheckError(
            f"{note} can't be read", "compare the records with git, then delete it"
        ) from None
    if process != os.getpid() and alive(process):
        raise CheckError(f"another run of kb ({process}) is writing {folder.name}/", "wait for it")
    _restore(folder, files)
    return tuple(files)


def _restore(folder: Path, before: Mapping[str, bytes | None]) -> None:
    for name, content in before.items():
        if content is None:
            (folder / name).unlink(missing_ok=True)
        elif _content(folder / name) != content:
            replace_file(folder / name, content)
    (folder / NOTE).unlink(missing_ok=True)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _note(before: Mapping[str, bytes | None]) -> bytes:
    files = {
        name: None if content is None else base64.b64encode(content).decode("ascii")
        for name, content in before.items()
    }
    return json.dumps({"process": os.getpid(), "files": files}).encode("ascii")
