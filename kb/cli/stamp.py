"""Reviewing decisions: which ones need it, and stamping one anew with a line in its log."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from kb.cli.desk import Desk, RefusedError, logged, open_desk, pins_data, refused, who
from kb.cli.status import overdue
from kb.corpus import Entry
from kb.finding import CheckError
from kb.model.decision import Decision, Pin
from kb.records.pins import Move, MoveKind, moves, pin_of, restamped, unpinned


def listed(args: argparse.Namespace) -> int:
    """Print one line for each reason to look at a decision again."""
    desk = open_desk(args, args.today)
    rows = [
        {"id": key, "why": why}
        for key, entry in sorted(desk.corpus.decisions.items())
        for why in _reasons(desk, entry)
    ]
    if args.json:
        print(json.dumps({"schema_version": 1, "rows": rows}, ensure_ascii=False))
        return 0
    for row in rows:
        print(f"{row['id']}: {row['why']}")
    print(f"{len({row['id'] for row in rows})} decisions to look at")
    return 0


def _reasons(desk: Desk, entry: Entry[Decision]) -> Iterator[str]:
    decision = entry.value
    if overdue(desk, decision):
        yield f"overdue since {decision.review_by}"
    if decision.status != "accepted":
        return
    for move in moves(entry, desk.corpus):
        if move.kind is MoveKind.WITHIN:
            yield f"to be stamped: {_change(move)}"
        elif move.kind is not MoveKind.SAME:
            yield f"suspect: {_change(move)}"
    for name in unpinned(entry, desk.corpus):
        yield f"{name} is not pinned"


def stamp(args: argparse.Namespace) -> int:
    """Stamp the pins of one decision anew; a suspect one needs `--confirm` with a reason."""
    desk = open_desk(args, args.today)
    entry = desk.entry(args.id)
    decision = entry.value
    if decision.status != "accepted" and args.next is None:
        raise CheckError(
            f"decision {decision.id} is {decision.status}; only an accepted one has pins to stamp",
            f"kb status {decision.id}, or kb review {decision.id} --next <day>",
        )
    seen = moves(entry, desk.corpus) if decision.status == "accepted" else ()
    gone = [move.pin.id for move in seen if move.kind is MoveKind.GONE]
    if gone:
        raise CheckError(
            f"decision {decision.id} pins what is no longer there: {', '.join(gone)}",
            "bring it back, or write a new decision and supersede this one",
        )
    doubtful = [move for move in seen if move.kind.doubtful]
    if doubtful and not args.confirm:
        for move in doubtful:
            print(f"suspect: {_change(move)}")
        print(f'  fix: kb review {decision.id} --confirm "<why it still holds>"')
        return 1
    moved = [move for move in seen if move.kind is not MoveKind.SAME]
    fresh = unpinned(entry, desk.corpus) if decision.status == "accepted" else ()
    if not (moved or fresh or args.confirm or args.next):
        print(f"{decision.id}: nothing moved")
        return 0
    pins = (*_pins(desk, seen, confirmed=bool(args.confirm)), *_fresh(desk, fresh))
    return _save(desk, entry, args, (pins, [_change(move) for move in moved], list(fresh)))


def _pins(desk: Desk, seen: tuple[Move, ...], *, confirmed: bool) -> Iterator[Pin]:
    """Every pin as it stands now. A confirmed value is the new one to measure from."""
    for move in seen:
        if move.kind is MoveKind.SAME:
            yield move.pin
        elif confirmed:
            yield pin_of(move.pin.id.partition("#")[0], desk.corpus) or move.pin
        else:
            yield restamped(move.pin, desk.corpus)


def _fresh(desk: Desk, names: tuple[str, ...]) -> Iterator[Pin]:
    for name in names:
        pin = pin_of(name, desk.corpus)
        if pin is not None:
            yield pin


def _save(
    desk: Desk,
    entry: Entry[Decision],
    args: argparse.Namespace,
    what: tuple[tuple[Pin, ...], list[str], list[str]],
) -> int:
    pins, moved, fresh = what
    by = who(desk, args.by)
    event = "reviewed" if args.confirm or not (moved or fresh) else "restamped"
    told = [args.confirm, *moved, f"pinned {', '.join(fresh)}" if fresh else None]
    # A sentence that something follows loses its full stop: `too.; tpu-v6e/…` reads badly.
    parts = [part.strip() for part in told if part and part.strip()]
    note = "; ".join([*(part.rstrip(".") for part in parts[:-1]), *parts[-1:]])

    def change(data: dict[str, Any]) -> None:
        if moved or fresh:
            data["pins"] = pins_data(pins)
        if args.next:
            data["review_by"] = args.next
        if not data.get("log"):
            data["log"] = [{"date": entry.value.date, "event": entry.value.status}]
        data["log"].append(logged(desk, event, by, note))

    try:
        desk.save({entry.value.id: change})
    except RefusedError as error:
        return refused(error)
    print(f"{entry.value.id}: {event} by {by}")
    for line in (*moved, *(f"pinned {name}" for name in fresh)):
        print(f"  {line}")
    return 0


def _change(move: Move) -> str:
    return f"{move.pin.id} {move.before} → {move.after} ({move.why})"
