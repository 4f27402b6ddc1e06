"""`kb diff`: which claims said something else on another day."""

from __future__ import annotations

import argparse
import json

from kb.cli.catalogue import open_corpus
from kb.cli.days import day
from kb.finding import CheckError
from kb.history import Change, changes, undated
from kb.model.claim import Statement
from kb.pages.text import plural


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("diff", help="what changed between two days")
    parser.add_argument("before", type=day, metavar="BEFORE", help="a day, such as 2025-01-01")
    parser.add_argument("after", type=day, metavar="AFTER", help="a later day")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print one line a changed claim, and how many claims have no dated statement."""
    if args.after < args.before:
        raise CheckError(
            f"{args.after} is before {args.before}", f"kb diff {args.after} {args.before}"
        )
    corpus = open_corpus(args, kinds=("specs",)).corpus
    found = list(changes(corpus, args.before, args.after))
    if args.json:
        rows = [_row(change) for change in found]
        print(json.dumps({"schema_version": 1, "changes": rows, "undated": undated(corpus)}))
        return 0
    for change in found:
        print(f"{change.entry.id}: {_printed(change.before)} -> {_printed(change.after)}")
    count = undated(corpus)
    differ = f"{plural(len(found), 'claim')} {'differs' if len(found) == 1 else 'differ'}"
    undated_ = f"{plural(count, 'claim')} {'has' if count == 1 else 'have'} no dated statement"
    print(f"{differ}; {undated_} and can't be placed")
    return 0


def _printed(statement: Statement | None) -> str:
    return "nothing dated" if statement is None else statement.published


def _row(change: Change) -> dict[str, str | None]:
    return {
        "id": change.entry.id,
        "before": change.before.published if change.before else None,
        "after": change.after.published if change.after else None,
    }
