"""Reading the files of a project: which ones, how large, and in which order."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kb.characters import CONTROL, shown
from kb.finding import Finding, Severity
from kb.home import Project, home
from kb.source import START, Part, Place, Position, Span

BYTE_ORDER = "\ufeff"
"""The mark that some editors put before a UTF-8 text."""
MAX_BYTES = 8_000_000
PAGES = ("readme.md", "index.md", "template.md")
"""Markdown beside decisions that is no record, as is every name that begins with `_`."""
SUFFIXES = {"specs": (".yml", ".yaml"), "decisions": (".md",), "evidence": (".json",)}
"""Endings of file names, matched without case."""
FOLDER_REMEDY = "make it a folder that you may read, or remove it"
LINK_REMEDY = "put the folder itself there, or remove the link"


INSTALLED = "(installed)/"
"""How paths begin of what came with the installation; it is not the user's to correct."""
KINDS = ("specs", "decisions", "evidence")
"""The kinds of content, in the order in which they are read."""


@dataclass
class Content:
    """What one kind of content consists of on disk."""

    files: list[tuple[str, str]] = field(default_factory=list)
    """Every file with its path relative to the project root.

    Thousands of them: a `Path` for each would take longer than reading them does.
    """
    unread: list[tuple[str, str, str]] = field(default_factory=list)
    """Every folder that was not entered: its name, the reason and the remedy."""


def content_files(project: Project, kind: str) -> Content:
    """Every file of one kind of content, and every folder that could not be looked into.

    Sorted by path; hidden files and folders are left out, links to folders not followed.
    """
    top, found = project.folder(kind), Content()

    def shown_as(path: str) -> str:
        return Path(path).relative_to(project.root).as_posix()

    def refused(error: OSError) -> None:
        if isinstance(error, FileNotFoundError) and Path(error.filename) == top:
            return  # a kind of content may be missing altogether
        name = shown_as(error.filename)
        found.unread.append((name, error.strerror or "it can't be opened", FOLDER_REMEDY))

    for folder, folders, names in os.walk(top, onerror=refused):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in (os.path.join(folder, name) for name in folders):
            if os.path.islink(path):  # a path that is too long is no link; pathlib raises
                name = shown_as(path)
                found.unread.append((name, "it is a link, and links are not followed", LINK_REMEDY))
        counted = [name for name in sorted(names) if _counts(name, kind)]
        lead = shown_as(os.path.join(folder, "_"))[:-1] if counted else ""
        found.files += [(os.path.join(folder, name), f"{lead}{name}") for name in counted]
    return found


def _counts(name: str, kind: str) -> bool:
    """Whether a file of this name is content of a kind."""
    low = name.lower()
    if name.startswith(".") or not low.endswith(SUFFIXES[kind]):
        return False
    return kind != "decisions" or not (name.startswith("_") or low in PAGES)


def unread_rules(project: Project) -> list[Finding]:
    """The finding that says why the rules folder can't be looked into; none where it is missing."""
    top = project.folder("validators")
    try:
        os.scandir(top).close()
    except FileNotFoundError:
        return []
    except OSError as error:
        reason = error.strerror or "it can't be opened"
        return [unread_folder(project.validators, reason, FOLDER_REMEDY)]
    return []


def unread_folder(name: str, reason: str, remedy: str) -> Finding:
    """The finding for a folder of content that was not entered."""
    place = Place(name, (), Part.VALUE, START)
    message = f"the folder can't be read: {reason}"
    return Finding("unreadable-file", Severity.ERROR, message, place, remedy)


def read_text(path: Path, name: str, root: Path) -> tuple[str | None, list[Finding]]:
    """The text of a file, or None and the finding that says why it can't be read."""
    raw, findings = read_bytes(path, name, root, inside=is_inside(path.parent, root))
    return decode(raw, name) if raw is not None else (None, findings)


def read_bytes(
    path: Path | str, name: str, root: Path, *, inside: bool
) -> tuple[bytes | None, list[Finding]]:
    """The bytes of a file, or None and the finding that says why it can't be read.

    `inside` says whether the file's folder lies in the project.
    """
    try:
        info = os.lstat(path)
        if stat.S_ISLNK(info.st_mode):
            inside, info = is_inside(Path(path), root), os.stat(path)
        if not inside:
            return None, [_unreadable(name, "it is a link that leads out of the project")]
        if not stat.S_ISREG(info.st_mode):
            return None, [_unreadable(name, "it is no regular file")]
        if info.st_size > MAX_BYTES:
            return None, [_unreadable(name, f"it has {info.st_size} bytes; {MAX_BYTES} at most")]
        with open(path, "rb", buffering=0) as file:
            return file.read(), []
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return None, [_unreadable(name, reason or "it can't be opened")]


def is_inside(path: Path, root: Path) -> bool:
    """Whether a path, with all links followed, lies in the project."""
    return path.resolve().is_relative_to(root.resolve())


def decode(raw: bytes, name: str) -> tuple[str | None, list[Finding]]:
    """The text of a file's bytes, or None and the finding that says why it is none."""
    try:
        text = raw.decode("utf-8").removeprefix(BYTE_ORDER)
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8").removeprefix(BYTE_ORDER)
        return None, [
            _unreadable(name, f"byte 0x{raw[error.start]:02x} is not UTF-8", _end_of(before))
        ]
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    bad = CONTROL.search(text)
    if bad is not None:
        at = _end_of(text[: bad.start()])
        return None, [_unreadable(name, f"it holds the control character {shown(bad[0])}", at)]
    return text, []


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


@dataclass(frozen=True, slots=True)
class RawFile:
    """One content file as bytes, or the findings that say why it or a folder can't be read."""

    path: str
    """As it is shown; empty for a folder that was not entered."""
    kind: str
    own: bool
    raw: bytes | None
    findings: tuple[Finding, ...] = ()


def text_of(file: RawFile) -> tuple[str | None, list[Finding]]:
    """The text of a file, and what is wrong with it or with the folder around it."""
    text, findings = decode(file.raw, file.path) if file.raw is not None else (None, [])
    return text, [*file.findings, *findings]


def raw_files(project: Project) -> Iterator[RawFile]:
    """Every file that `load` reads, in the same order, with what is wrong with the rules folder.

    Raises `CheckError` where a folder that `[tool.kb]` names is not there.
    """
    project.require_named()
    bundled = Project(home())
    if bundled.root != project.root.resolve():
        yield from raw_folder(bundled, "specs", own=False)
    for kind in KINDS:
        yield from raw_folder(project, kind, own=True)
    yield RawFile("", "validators", own=True, raw=None, findings=tuple(unread_rules(project)))


def raw_folder(
    project: Project, kind: str, *, own: bool, only: Collection[str] = ()
) -> Iterator[RawFile]:
    """Every file of one kind, behind one entry for the folders that were not entered."""
    content = content_files(project, kind)
    lead = "" if own else INSTALLED
    unread = tuple(unread_folder(f"{lead}{name}", *why) for name, *why in content.unread)
    yield RawFile("", kind, own, None, unread)
    inside = is_inside(project.folder(kind), project.root)
    for path, name in content.files:
        if only and kind == "specs" and Path(path).stem not in (*only, "sources"):
            continue
        raw, findings = read_bytes(path, f"{lead}{name}", project.root, inside=inside)
        yield RawFile(f"{lead}{name}", kind, own, raw, tuple(findings))
