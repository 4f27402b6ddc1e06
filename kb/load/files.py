"""Reading the files of a project: which ones, how large, and in which order."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from kb.finding import Finding, Severity
from kb.home import Project
from kb.source import START, Part, Place, Position, Span

MAX_BYTES = 8_000_000
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
PAGES = ("readme.md", "index.md", "template.md")
"""Markdown beside decisions that is no record, as is every name that begins with `_`."""
SUFFIXES = {"specs": (".yml", ".yaml"), "decisions": (".md",), "evidence": (".json",)}


def content_files(project: Project, kind: str) -> Iterator[tuple[Path, str]]:
    """Every file of one kind of content, with its path relative to the project root.

    Sorted by path; hidden files and folders are left out, links to folders not followed.
    """
    top = project.folder(kind)
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.startswith(".") or not name.endswith(SUFFIXES[kind]):
                continue
            if kind == "decisions" and (name.startswith("_") or name.lower() in PAGES):
                continue
            path = Path(folder, name)
            yield path, path.relative_to(project.root).as_posix()


def read_text(path: Path, name: str, root: Path) -> tuple[str | None, list[Finding]]:
    """The text of a file, or None and the finding that says why it can't be read."""
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            return None, [_unreadable(name, "it is a link that leads out of the project")]
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            return None, [_unreadable(name, "it is no regular file")]
        if info.st_size > MAX_BYTES:
            return None, [_unreadable(name, f"it has {info.st_size} bytes; {MAX_BYTES} at most")]
        raw = path.read_bytes()
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return None, [_unreadable(name, reason or "it can't be opened")]
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8", "replace")
        return None, [
            _unreadable(name, f"byte 0x{raw[error.start]:02x} is not UTF-8", _end_of(before))
        ]
    bad = _CONTROL.search(text)
    if bad is not None:
        at = _end_of(text[: bad.start()])
        return None, [_unreadable(name, f"it holds the control character {bad[0]!r}", at)]
    return text.replace("\r\n", "\n"), []


def _end_of(text: str) -> Position:
    """The position right behind a text."""
    return Position(text.count("\n") + 1, len(text) - text.rfind("\n"))


def _unreadable(name: str, reason: str, at: Position = START.start) -> Finding:
    return Finding(
        "unreadable-file",
        Severity.ERROR,
        f"the file can't be read: {reason}",
        Place(name, (), Part.VALUE, Span(at, at)),
        "make it a UTF-8 text file inside the project",
    )
