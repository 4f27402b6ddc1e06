"""`kb log`: what happened to the decisions, in order of days, from their logs and from git."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass

from kb.cli.desk import Desk, open_desk
from kb.corpus import Entry
from kb.model.decision import Decision
from kb.pages.text import plural
from kb.records.history import versions


@dataclass(frozen=True, slots=True, order=True)
class Happening:
    """One line of the timeline."""

    day: str
    id: str
    place: int
    """Place in the record's own log; lines of one day keep their order."""
    event: str
    by: str
    note: str


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("log", help="what happened to the decisions, by day")
    parser.add_argument("id", nargs="?", help="only this decision")
    parser.add_argument("--index", action="store_true", help="one line a decision, by id")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the timeline, or the index."""
    desk = open_desk(args)
    entries = [desk.entry(args.id)] if args.id else list(desk.corpus.decisions.values())
    if args.index:
        return _index(entries, as_json=args.json)
    found = sorted(item for entry in entries for item in _happened(desk, entry))
    if args.json:
        rows = [
            {"day": h.day, "id": h.id, "event": h.event, "by": h.by, "note": h.note} for h in found
        ]
        print(json.dumps({"schema_version": 1, "rows": rows}, ensure_ascii=False))
        return 0
    for item in found:
        by = f" by {item.by}" if item.by else ""
        note = f": {item.note}" if item.note else ""
        print(f"{item.day}  {item.id}  {item.event}{by}{note}")
    print(f"{plural(len(found), 'event')} of {plural(len(entries), 'decision')}")
    return 0


def _index(entries: list[Entry[Decision]], *, as_json: bool) -> int:
    rows = [
        {
            "id": e.value.id,
            "date": str(e.value.date),
            "status": e.value.status,
            "title": e.value.title,
            "path": e.place.path,
        }
        for e in sorted(entries, key=lambda entry: entry.value.id)
    ]
    if as_json:
        print(json.dumps({"schema_version": 1, "decisions": rows}, ensure_ascii=False))
        return 0
    for row in rows:
        print(f"- [{row['id']}: {row['title']}]({row['path']}) – {row['status']}, {row['date']}")
    return 0


def _happened(desk: Desk, entry: Entry[Decision]) -> Iterator[Happening]:
    decision = entry.value
    for place, line in enumerate(decision.log):
        yield Happening(
            str(line.date), decision.id, place, line.event, line.by or "", line.note or ""
        )
    if decision.log:
        return
    # A record that keeps no log: what git saw of its status is better than nothing.
    before = None
    for place, version in enumerate(versions(desk.project).get(entry.place.path, ())):
        status = version.decision.status if version.decision else None
        if status is not None and status != before:
            note = f"commit {version.commit[:10]}"
            yield Happening(version.day, decision.id, place, status, version.author, note)
            before = status
    if before is None:
        yield Happening(str(decision.date), decision.id, 0, decision.status, "", "")
