"""`kb status`: where decisions stand, what one lacks, and taking it a step further."""

from __future__ import annotations

import argparse
import json
from typing import Any

from kb.cli.days import day
from kb.cli.desk import Desk, RefusedError, logged, open_desk, pins_data, refused, who
from kb.corpus import Entry
from kb.finding import CheckError, Severity
from kb.model.decision import Decision
from kb.records.front import quoted
from kb.records.life import STATUSES, following
from kb.records.needs import evidence_need, needs
from kb.records.pins import MoveKind, moves, pins_for
from kb.records.reliance import body_of
from kb.records.seal import seal_of


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("status", help="where decisions stand; take one a step further")
    parser.add_argument("id", nargs="?", help="a decision; what it still lacks")
    parser.add_argument("status", nargs="?", choices=STATUSES, help="the status it takes")
    parser.add_argument("--by", help="who decides (default: as git knows you)")
    parser.add_argument("--note", help="why, for the log")
    parser.add_argument("--today", type=day, default=None, help="the day it happens on")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print where decisions stand, or change the status of one."""
    desk = open_desk(args, args.today)
    if args.id is None:
        return _all(desk, as_json=args.json)
    entry = desk.entry(args.id)
    if args.status is None:
        return _one(desk, entry, as_json=args.json)
    return _step(desk, entry, args)


def suspect(desk: Desk, entry: Entry[Decision]) -> bool:
    """Whether something that an accepted decision relies on has moved too far, or is gone."""
    return entry.value.status == "accepted" and any(
        move.kind.doubtful or move.kind is MoveKind.GONE for move in moves(entry, desk.corpus)
    )


def overdue(desk: Desk, decision: Decision) -> bool:
    """Whether the day on which to look again has passed."""
    open_ = decision.status in ("draft", "hypothesis", "accepted")
    return open_ and decision.review_by is not None and decision.review_by < desk.today


def _all(desk: Desk, *, as_json: bool) -> int:
    rows = []
    for key, entry in sorted(desk.corpus.decisions.items()):
        marks = [
            word
            for word, holds in (
                ("suspect", suspect(desk, entry)),
                ("overdue", overdue(desk, entry.value)),
            )
            if holds
        ]
        rows.append((key, entry.value.status, marks, entry.value.title))
    if as_json:
        found = [dict(zip(("id", "status", "marks", "title"), row, strict=True)) for row in rows]
        print(json.dumps({"schema_version": 1, "decisions": found}, ensure_ascii=False))
        return 0
    for key, status, marks, title in rows:
        print(f"{key}  {', '.join([status, *marks]):<22}  {title}")
    counts = [(s, sum(1 for row in rows if row[1] == s)) for s in STATUSES]
    print(", ".join(f"{count} {status}" for status, count in counts if count) or "no decisions")
    return 0


def _one(desk: Desk, entry: Entry[Decision], *, as_json: bool) -> int:
    decision = entry.value
    first = evidence_need(decision, desk.corpus)
    rest = (need for need in needs(entry, desk.corpus) if not _given(need.remedy))
    lacking = [*([first] if first else []), *rest]
    if decision.status not in ("draft", "hypothesis"):
        lacking = []
    if as_json:
        found = [{"what": need.what, "remedy": need.remedy} for need in lacking]
        data = {"schema_version": 1, "id": decision.id, "status": decision.status, "lacks": found}
        print(json.dumps(data, ensure_ascii=False))
        return 0
    print(f"{decision.id}: {decision.status} since {decision.date}: {decision.title}")
    print(f"  may become: {' or '.join(following(decision.status, decision.kind)) or 'nothing'}")
    if decision.next_measurement and decision.status == "hypothesis":
        print(f"  next measurement: {decision.next_measurement.strip()}")
    for move in moves(entry, desk.corpus):
        if move.kind is not MoveKind.SAME:
            print(f"  {move.pin.id}: {move.before} → {move.after} ({move.why})")
    wrong = _wrong(desk, entry) if decision.status in ("draft", "hypothesis") else []
    for line in wrong:
        print(f"  before it can be accepted this has to be mended: {line}")
    for need in lacking:
        print(f"  before it can be accepted it needs {need.what}\n    {need.remedy}")
    return 0


def _wrong(desk: Desk, entry: Entry[Decision]) -> list[str]:
    """What the check already refuses in the record as it is: it refuses an accepted one too."""
    return [
        f"{item.finding.message} [{item.finding.rule}]\n    {item.finding.remedy}"
        for item in desk.judged(desk.loaded).findings
        if item.mark.path == entry.place.path and item.finding.severity is Severity.ERROR
    ]


def _given(remedy: str) -> bool:
    """Whether the step to acceptance itself supplies it: the approval and the seal."""
    return "kb status" in remedy


def _step(desk: Desk, entry: Entry[Decision], args: argparse.Namespace) -> int:
    decision = entry.value
    allowed = following(decision.status, decision.kind)
    if args.status == "superseded":
        raise CheckError("what replaces it has to be named", f"kb supersede {decision.id} <new id>")
    if args.status not in allowed:
        raise CheckError(
            f"decision {decision.id} is {decision.status} and can't become {args.status}",
            f"choose {' or '.join(allowed)}" if allowed else "write a new decision",
        )
    by = who(desk, args.by)

    def change(data: dict[str, Any]) -> None:
        if not data.get("log"):
            data["log"] = [{"date": decision.date, "event": decision.status}]
        data["status"], data["date"] = args.status, desk.today
        data["log"].append(logged(desk, args.status, by, args.note))
        if args.status == "accepted":
            _accept(desk, entry, data, by)

    try:
        desk.save({decision.id: change}, strict=args.status == "accepted")
    except RefusedError as error:
        return refused(error)
    print(f"{decision.id}: {decision.status} → {args.status}, by {by}")
    if args.status == "accepted":
        pinned = ", ".join(p.id for p in pins_for(entry, desk.corpus))
        print(f"  pinned: {pinned or 'nothing, since it cites no claim and no record'}")
    return 0


def _accept(desk: Desk, entry: Entry[Decision], data: dict[str, Any], by: str) -> None:
    data.setdefault("approvals", []).append({"by": by, "date": desk.today})
    data["seal"] = quoted(seal_of(entry.value, body_of(entry, desk.corpus)))
    pins = pins_for(entry, desk.corpus)
    if pins:
        data["pins"] = pins_data(pins)
