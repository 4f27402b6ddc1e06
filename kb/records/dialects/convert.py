"""A foreign record as one of ours, with every line of the original kept in its body."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kb.model.decision import StatusName
from kb.records.dialects.folder import Log
from kb.records.dialects.links import slug_of
from kb.records.dialects.record import Foreign, Normal

OURS: dict[Normal, StatusName] = {
    "draft": "draft",
    "proposed": "draft",
    "deferred": "draft",
    "accepted": "hypothesis",
    "rejected": "rejected",
    "withdrawn": "rejected",
    "deprecated": "deprecated",
    "superseded": "superseded",
    "unknown": "draft",
}
"""What a foreign status becomes. Accepted becomes a hypothesis: no evidence was cited."""

PEOPLE = {
    "decision-makers": ("deciders", "decision-makers", "author", "authors", "approvers", "sponsor"),
    "consulted": ("consulted", "reviewers", "required-reviewers"),
    "informed": ("informed",),
}

_MARK = re.compile(r"imported from .*?, place ([0-9a-f]{12}), text ([0-9a-f]{16})\)")
_FENCE = re.compile(r"^ {0,3}(`{3,})", re.MULTILINE)
_WORDS = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Converted:
    """One record in our form."""

    source: Foreign
    id: str
    name: str
    """Its file name."""
    text: str
    notes: tuple[str, ...]
    """What a person has to look at."""


Mark = tuple[str, str]
"""By what an imported record is known again: hashes of where it lay and of what it said."""


def marks_of(log: Log, folder: str = "") -> dict[str, Mark]:
    """The mark of each record of the log at `folder`, by the record's path.

    The folder is part of it, since two teams may begin with one text.
    """
    return {
        record.path: (
            _hash(f"{folder}\0{record.path}")[:12],
            _hash(f"{record.text}\0{record.prose}")[:16],
        )
        for record in log.records
    }


def marks(texts: Mapping[str, str]) -> dict[Mark, str]:
    """Mark → id, for those of our records (text by id) that were imported."""
    return {(at, said): key for key, text in texts.items() for at, said in _MARK.findall(text)}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


def convert_log(
    log: Log,
    taken: set[str],
    today: datetime.date,
    before: Mapping[Mark, str] | None = None,
    own: Mapping[str, Mark] | None = None,
) -> tuple[Converted, ...]:
    """Every record of a log in our form; numbers are kept where they are free.

    `before` are the `marks` of our records: what is among them keeps its id and is left out.
    `own` are the `marks_of` the log.
    """
    old = before or {}
    held = {place: key for (place, _), key in old.items()}
    of = marks_of(log) if own is None else own
    known = {path: old[one] for path, one in of.items() if one in old}
    ids = known | _ids([r for r in log.records if r.path not in known], taken)
    # Only what ends as superseded at this end may say so at the other.
    edges = {(r.path, link.target) for r in log.records for link in r.links if _replaced(r, link)}
    new = (record for record in log.records if record.path not in known)
    return tuple(_converted(r, ids, edges, today, of[r.path], held.get(of[r.path][0])) for r in new)


def _replaced(record: Foreign, link: object) -> bool:
    return (
        record.status.normal == "superseded"
        and getattr(link, "type", "") == "superseded_by"
        and bool(getattr(link, "found", False))
    )


def _ids(records: Sequence[Foreign], taken: set[str]) -> dict[str, str]:
    """An id for each record by its path: its own number where that is free."""
    used = set(taken)
    found: dict[str, str] = {}
    for record in records:
        number = record.number or ""
        wanted = f"{int(number):04d}" if re.fullmatch(r"\d{1,4}|[1-9]\d{4,7}", number) else ""
        if wanted and wanted not in used and int(wanted):
            found[record.path] = wanted
            used.add(wanted)
    free = max((int(key) for key in used), default=0)
    for record in records:
        if record.path not in found:
            free += 1
            found[record.path] = f"{free:04d}"
    return found


def _converted(
    record: Foreign,
    ids: Mapping[str, str],
    edges: set[tuple[str, str]],
    today: datetime.date,
    own: Mark,
    earlier: str | None,
) -> Converted:
    key = ids[record.path]
    status, notes = OURS[record.status.normal], []
    after = sorted({ids[new] for old, new in edges if old == record.path})
    before = sorted({ids[old] for old, new in edges if new == record.path})
    if status == "superseded" and not after:
        status = "deprecated"
        notes.append("superseded without a successor in its log: imported as deprecated")
    if earlier is not None:
        notes.append(
            f"decision {earlier} was imported from an earlier text of it; where this one holds: "
            f"kb supersede {earlier} {key}"
        )
    if record.status.normal == "accepted":
        notes.append("accepted elsewhere: imported as a hypothesis, since it cites no evidence")
    if record.status.normal == "unknown":
        notes.append(f"status {record.status.as_written!r} is unknown: imported as a draft")
    day = record.date.iso
    if day is None:
        notes.append(f"no day can be read: dated {today}, the day of the import")
    if record.marked:
        notes.append("the byte order mark and CRLF line ends are not kept")
    fields = {
        "title": record.title or slug_of(record.path),
        "status": status,
        "date": day or today,
        "supersedes": before,
        "superseded_by": after,
    }
    text = f"{_front(record, key, fields, today, own)}\n{_body(record)}"
    name = f"{key}-{_slug(record)}.md"
    return Converted(record, key, name, text, tuple(notes))


def _front(
    record: Foreign, key: str, fields: Mapping[str, object], today: datetime.date, own: Mark
) -> str:
    status = str(fields["status"])
    lines = ["---", f'id: "{key}"', f"title: {_quoted(str(fields['title']))}", f"status: {status}"]
    lines.append(f"date: {fields['date']}")
    for ours, theirs in PEOPLE.items():
        named = [i.value for i in record.header.items if i.key in theirs and i.value.strip()]
        if named:
            lines.append(f"{ours}: [{', '.join(_quoted(value) for value in named)}]")
    if status == "hypothesis":
        text = "Imported as accepted elsewhere; name the evidence, or what must be measured."
        lines.append(f"next_measurement: {text}")
    for field in ("supersedes", "superseded_by"):
        others = fields[field]
        if isinstance(others, list) and others:
            listed = ", ".join(f'"{other}"' for other in others)
            lines.append(f"{field}: [{listed}]")
    written = record.status.as_written or "no status"
    known = f"{record.dialect}, place {own[0]}, text {own[1]}"
    origin = f"imported from {record.path} ({known})"
    note = _quoted(f"{origin}; its status was {written}")
    event = "reviewed"
    lines += ["log:", f"  - {{date: {today}, event: {event}, by: kb import, note: {note}}}", "---"]
    return "\n".join(lines) + "\n"


def _body(record: Foreign) -> str:
    """The original: its header as it stood, inside a fence, then its prose as it stood."""
    lines = record.text.split("\n")
    end = record.header.end_line
    head, prose = "\n".join(lines[:end]), "\n".join(lines[end:])
    ticks = max((len(mark) for mark in _FENCE.findall(head)), default=2) + 1
    fence = "`" * max(ticks, 3)
    language = "yaml" if record.dialect in ("kep", "madr3", "madr4", "typed") else "text"
    parts = [prose.strip("\n"), record.prose.strip("\n")]
    shown = "\n\n".join(part for part in parts if part)
    return f"{shown}\n\n## Imported header\n\n{fence}{language}\n{head}\n{fence}\n"


def _slug(record: Foreign) -> str:
    words = _WORDS.findall((record.title or slug_of(record.path)).lower())
    return "-".join(words)[:60].strip("-") or "imported"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", " ") + '"'
