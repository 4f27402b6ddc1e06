"""Reading foreign logs: every folder with records is one, and each is read on its own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.files import read_text
from kb.finding import CheckError, Finding, quoted
from kb.records.dialects.days import read_day
from kb.records.dialects.header import header_of, titled_number
from kb.records.dialects.links import links_of, slug_of
from kb.records.dialects.record import Foreign, Header
from kb.records.dialects.status import read_status

DECIDED = ("date", "creation-date", "created", "initial-version", "review-date")
CHANGED = ("last-updated", "last-modified", "updated", "superseded-date")
NO_RECORDS = re.compile(r"(?:readme|index|.*template.*|n{3,4}-.*|changelog|contributing)\Z", re.I)


Held = tuple[Header, str, bool]
"""A header, the text of its file, and whether that had a byte order mark or CRLF line ends."""


@dataclass(frozen=True)
class Log:
    """The records of one folder, and the files in it that are none."""

    folder: str
    """Relative to the folder that was asked for; empty for that folder itself."""
    records: tuple[Foreign, ...]
    skipped: tuple[str, ...] = ()
    unread: tuple[Finding, ...] = ()


def read_logs(top: Path) -> tuple[Log, ...]:
    """Every log below a folder. Raises `CheckError` where the folder is not there."""
    if not top.is_dir():
        raise CheckError(f"there is no folder {quoted(str(top))}", "name the folder of the records")
    grouped: dict[str, list[Path]] = {}
    for path in _files(top):
        place = path.parent.parent if path.name == "kep.yaml" else path.parent
        grouped.setdefault(place.relative_to(top).as_posix().removeprefix("."), []).append(path)
    logs = (_log(top, folder, paths) for folder, paths in sorted(grouped.items()))
    return tuple(log for log in logs if log.records or log.skipped or log.unread)


def _files(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if "kep.yaml" in names:
            yield Path(folder, "kep.yaml")  # prose beside it belongs to it
            continue
        yield from (Path(folder, name) for name in sorted(names) if name.endswith(".md"))


def _log(top: Path, folder: str, paths: list[Path]) -> Log:
    base = top / folder
    skipped: list[str] = []
    unread: list[Finding] = []
    headers: dict[str, Held] = {}
    for path in paths:
        name = path.relative_to(base).as_posix()
        text, findings = read_text(path, path.relative_to(top).as_posix(), top)
        unread += findings
        if text is None:
            continue
        header = None if NO_RECORDS.match(slug_of(name)) else header_of(path.name, text)
        if header is None:
            skipped.append(name)
        else:
            raw = path.read_bytes()
            headers[name] = (header, text, raw.startswith(b"\xef\xbb\xbf") or b"\r\n" in raw)
    known = frozenset(headers)
    records = tuple(_record(base, name, held, known) for name, held in headers.items())
    return Log(folder, records, tuple(skipped), tuple(unread))


def _record(base: Path, name: str, held: Held, known: frozenset[str]) -> Foreign:
    header, text, marked = held
    slug = slug_of(name)
    changed = header.find(*CHANGED)
    beside = base / name.replace("kep.yaml", "README.md") if header.dialect == "kep" else None
    prose, _ = read_text(beside, name, base) if beside and beside.is_file() else ("", [])
    return Foreign(
        path=name,
        header=header,
        text=text,
        number=_number(header, slug, text),
        slug=slug,
        status=read_status(header.status),
        date=read_day(header.find(*DECIDED), slug),
        updated=read_day(changed, "") if changed else None,
        links=links_of(header, name, known),
        marked=marked,
        prose=prose or "",
    )


def _number(header: Header, slug: str, text: str) -> str | None:
    """The number by which a record goes; a date-slug is an id as a whole and has none."""
    own = header.find("kep-number")
    if own is not None:
        return own.value
    if re.match(r"\d{8}", slug):
        return None
    if match := re.match(r"\d{1,7}[a-z]?(?![a-z0-9])", slug):
        return match[0]
    own = header.find("id")
    titled = titled_number(text.split("\n"))
    return own.value if own else titled[0] if titled else None
