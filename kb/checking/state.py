"""The state of everything that a check depends on, from bytes alone.

Two runs with one state come to one report, so nothing has to be parsed to see that nothing
changed.
"""

from __future__ import annotations

import datetime
import functools
import hashlib
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from kb.files import RawFile, raw_files
from kb.home import FOLDERS, Project, home
from kb.records.git import head

MOST_DATA = 16_000_000
"""Bytes of data beside the rules that are read; of more, size and time of change count."""


@dataclass(frozen=True)
class Files:
    """Every content file as bytes, and the states that follow from them."""

    raw: tuple[RawFile, ...]
    states: dict[str, str]
    """By path: state of the bytes."""
    code: str
    """State of this program, of what it is built on, and of all rules."""
    past: str
    """State of what git knows: the commit that the project stands on."""
    run: str
    """State of everything: content, rules, program, day, past."""


def read_files(
    project: Project, today: datetime.date, drafts: Mapping[str, str] | None = None
) -> Files:
    """Read every content file of a project; raises `CheckError` where a named folder is missing.

    `drafts` are texts that stand for what is on disk, by path inside the project.
    """
    raw = tuple(_drafted(file, drafts or {}) for file in raw_files(project))
    states = {file.path: _state(file) for file in raw if file.path}
    code, past = code_state(project), head(project)
    every = hashlib.blake2b(digest_size=16)
    for part in (code, today.isoformat(), past, str(project)):
        every.update(f"{part}\0".encode("utf-8", "surrogatepass"))
    for file in raw:
        text = (
            f"{file.path}\0{states.get(file.path, '')}\0{file.findings if not file.path else ''}\0"
        )
        every.update(text.encode("utf-8", "surrogatepass"))
    return Files(raw, states, code, past, every.hexdigest())


def _drafted(file: RawFile, drafts: Mapping[str, str]) -> RawFile:
    """A file with the text that an editor has not saved yet."""
    draft = drafts.get(file.path) if file.own else None
    if draft is None:
        return file
    return replace(file, raw=draft.encode("utf-8", "surrogatepass"), findings=())


def _state(file: RawFile) -> str:
    content = file.raw if file.raw is not None else repr(file.findings).encode()
    found = hashlib.blake2b(content, digest_size=12)
    found.update(b"own" if file.own else b"installed")
    return found.hexdigest()


def code_state(project: Project) -> str:
    """State of what judges: our sources, the libraries' versions, and every rule."""
    found = hashlib.blake2b(digest_size=16)
    found.update(f"{sys.version}\0{project.own_rules}\0{_program()}\0".encode())
    for folder in (home() / "validators", project.folder(FOLDERS[-1])):
        _add(found, _files(folder))
    return found.hexdigest()


@functools.cache
def _program() -> str:
    """State of our sources and data, and of the libraries. A process runs what it began with."""
    found = hashlib.blake2b(digest_size=16)
    for name in _libraries():
        found.update(f"{name}\0".encode())
    package = Path(__file__).parents[1]
    installed = os.path.join(package, "_bundled", "")  # content and rules, which have states
    files = _files(package, without="measure")
    _add(found, (path for path in files if not path.startswith(installed)))
    return found.hexdigest()


def _files(top: Path, without: str = "") -> list[str]:
    """Every file below a folder, but none right in a folder that is called `without`.

    Data too: what judges reads lists of words and units, and a rule may read what lies beside it.
    """
    found = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != "__pycache__"]
        if os.path.basename(folder) != without:
            found += [os.path.join(folder, name) for name in names]
    return sorted(found)


def _add(found: hashlib.blake2b, paths: Iterable[str]) -> None:
    """Add the files that are there: sources by their bytes, data too, up to `MOST_DATA` of it."""
    left = MOST_DATA
    for path in filter(os.path.isfile, paths):
        info = os.stat(path)
        whole = path.endswith(".py") or info.st_size <= left
        said = f"{path}\0{info.st_size}\0{'' if whole else info.st_mtime_ns}\0"
        found.update(said.encode("utf-8", "surrogatepass"))
        if whole:
            left -= 0 if path.endswith(".py") else info.st_size
            found.update(_bytes(path, info.st_size))


def _bytes(path: str, size: int) -> bytes:
    """What a file holds, as far as it had that many bytes; nothing where it may not be read."""
    with suppress(OSError), open(path, "rb", buffering=0) as file:
        return file.read(size)
    return b""


def _libraries() -> list[str]:
    """Every installed distribution with its version."""
    folders = {Path(entry) for entry in sys.path if entry.endswith("-packages")}
    return sorted(p.name for folder in folders for p in folder.glob("*.dist-info"))
