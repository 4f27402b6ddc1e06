"""`kb supersede OLD NEW`: a decision replaces another, written at both ends or at neither."""

from __future__ import annotations

import argparse
import re
from typing import Any

from kb.cli.days import day
from kb.cli.desk import Change, Desk, RefusedError, logged, open_desk, refused, who
from kb.corpus import Entry
from kb.finding import CheckError
from kb.model.decision import Decision
from kb.records.front import quoted
from kb.records.reliance import body_of

_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.*?)\s*#*\s*$", re.MULTILINE)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "supersede",
        help="let a decision replace another, at both ends",
        description="OLD is superseded by NEW. Both files change, or neither does.",
    )
    parser.add_argument("old", help="the decision that is replaced")
    parser.add_argument("new", help="the decision that replaces it")
    parser.add_argument("--section", help="replace only this section of OLD, by its heading")
    parser.add_argument("--by", help="who decides (default: as git knows you)")
    parser.add_argument("--note", help="why, for the log")
    parser.add_argument("--today", type=day, default=None, help="the day it happens on")


def run(args: argparse.Namespace) -> int:
    """Write both ends; raises `CheckError` where one of the two may not take part."""
    desk = open_desk(args, args.today)
    old, new = desk.entry(args.old), desk.entry(args.new)
    if old.value.id == new.value.id:
        raise CheckError("a decision can't supersede itself", "kb supersede <old> <new>")
    if new.value.status not in ("hypothesis", "accepted"):
        raise CheckError(
            f"decision {new.value.id} is {new.value.status}, so it can't replace another",
            f"kb status {new.value.id} hypothesis, or accepted",
        )
    if old.value.status != "accepted":
        raise CheckError(
            f"decision {old.value.id} is {old.value.status}; only an accepted one is superseded",
            f"kb status {old.value.id} rejected --note 'see {new.value.id}'",
        )
    by = who(desk, args.by)
    changes = (
        _section(desk, old, new, args, by) if args.section else _whole(desk, old, new, args, by)
    )
    try:
        desk.save(changes)
    except RefusedError as error:
        return refused(error)
    what = f"section '{args.section}' of {old.value.id}" if args.section else old.value.id
    print(f"{what} is superseded by {new.value.id}")
    for entry in (old, new):
        print(f"  wrote {entry.place.path}")
    return 0


def _whole(
    desk: Desk, old: Entry[Decision], new: Entry[Decision], args: argparse.Namespace, by: str
) -> dict[str, Change]:
    def retire(data: dict[str, Any]) -> None:
        data["status"], data["date"] = "superseded", desk.today
        _add(data, "superseded_by", quoted(new.value.id))
        if not data.get("log"):
            data["log"] = [{"date": old.value.date, "event": old.value.status}]
        note = args.note or f"replaced by {new.value.id}"
        data["log"].append(logged(desk, "superseded", by, note))

    def replace(data: dict[str, Any]) -> None:
        _add(data, "supersedes", quoted(old.value.id))

    return {old.value.id: retire, new.value.id: replace}


def _section(
    desk: Desk, old: Entry[Decision], new: Entry[Decision], args: argparse.Namespace, by: str
) -> dict[str, Change]:
    heads = [match["text"] for match in _HEADING.finditer(body_of(old, desk.corpus))]
    if args.section not in heads:
        raise CheckError(
            f"decision {old.value.id} has no section '{args.section}'",
            f"name one of: {'; '.join(heads) or 'it has no headings'}",
        )

    def retire(data: dict[str, Any]) -> None:
        end = {"decision": quoted(new.value.id), "section": args.section}
        _add(data, "superseded_sections", end)
        if not data.get("log"):
            data["log"] = [{"date": old.value.date, "event": old.value.status}]
        note = f"section '{args.section}' replaced by {new.value.id}"
        data["log"].append(
            logged(desk, "reviewed", by, f"{note}: {args.note}" if args.note else note)
        )

    def replace(data: dict[str, Any]) -> None:
        end = {"decision": quoted(old.value.id), "section": args.section}
        _add(data, "supersedes_sections", end)

    return {old.value.id: retire, new.value.id: replace}


def _add(data: dict[str, Any], field: str, item: object) -> None:
    if not data.get(field):
        data[field] = []
    if item not in data[field]:
        data[field].append(item)
