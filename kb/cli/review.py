"""`kb review`: what should be looked at again, and the note that somebody did."""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Iterator

from kb.cli.catalogue import open_corpus
from kb.cli.days import day
from kb.corpus import ClaimEntry, Corpus
from kb.finding import CheckError
from kb.pages.text import plural

MOST_DAYS = 365
"""Age of a source from which on it is named, unless a person says otherwise."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "review",
        help="list what should be looked at again, or note that it was",
        description="Without an id: decisions that are suspect, out of date or overdue. With one: "
        "stamp its pins anew where values moved within its tolerance.",
    )
    parser.add_argument("id", nargs="?", help="a decision to look at")
    parser.add_argument("--confirm", metavar="WHY", help="why it holds although a value moved")
    parser.add_argument("--next", type=day, default=None, help="the day to look at it again")
    parser.add_argument("--by", help="who looked (default: as git knows you)")
    parser.add_argument("--sources", action="store_true", help="claims by the age of their source")
    parser.add_argument(
        "--older-than",
        type=int,
        metavar="DAYS",
        help=f"with --sources: name sources older than this (default: {MOST_DAYS})",
    )
    parser.add_argument("--today", type=day, metavar="DAY", help="count from this day")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print what to look at, or stamp one decision anew."""
    if args.older_than is not None and not args.sources:
        raise CheckError("--older-than is about the age of sources", _with_sources(args))
    if args.sources:
        return _sources(args)
    from kb.cli.stamp import listed, stamp  # late: they bring the rules along

    return listed(args) if args.id is None else stamp(args)


def _with_sources(args: argparse.Namespace) -> str:
    """The command as it was typed, with the option that it misses."""
    typed = f"kb review --sources --older-than {args.older_than}"
    typed += f" --today {args.today}" if args.today else ""
    return typed + (" --json" if args.json else "")


def _sources(args: argparse.Namespace) -> int:
    """One line a claim: what its current statement rests on, and why to look again."""
    today = args.today or datetime.datetime.now(tz=datetime.UTC).date()
    days = MOST_DAYS if args.older_than is None else args.older_than
    found = list(_aged(open_corpus(args, kinds=("specs",)).corpus, today, days))
    if args.json:
        rows = [{"id": entry.id, "why": why} for entry, why in found]
        print(json.dumps({"schema_version": 1, "rows": rows}, ensure_ascii=False))
        return 0
    for entry, why in found:
        print(f"{entry.id}: {why}")
    print(f"{plural(len(found), 'claim')} to look at")
    return 0


def _aged(corpus: Corpus, today: datetime.date, days: int) -> Iterator[tuple[ClaimEntry, str]]:
    for entry in corpus.claims.values():
        reasons = [_copies(entry, corpus), _age(entry, corpus, today, days)]
        if why := "; ".join(reason for reason in reasons if reason):
            yield entry, why


def _copies(entry: ClaimEntry, corpus: Corpus) -> str:
    """Whether every statement that prints the current value comes from a third party."""
    agreeing = [s for s in entry.claim.statements if s.status in ("current", "concurring")]
    found = (corpus.sources.get(s.source or "") for s in agreeing)
    kinds = {source.value.kind for source in found if source is not None}
    return "rests only on third-party copies" if kinds == {"third_party_copy"} else ""


def _age(entry: ClaimEntry, corpus: Corpus, today: datetime.date, days: int) -> str:
    current = entry.claim.current
    source = corpus.sources.get(current.source or "")
    seen = current.as_of or (source.value.retrieved if source else None)
    if seen is None:
        return "neither the statement nor its source has a date"
    age = (today - seen).days
    return f"its source is {age} days old ({seen})" if age > days else ""
