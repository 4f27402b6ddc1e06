"""`kb query`: SQL on the index, read-only."""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
from collections.abc import Sequence

from kb.cli.index import DEFAULT
from kb.cli.project import open_project
from kb.cli.show import one_line
from kb.cli.table import table
from kb.finding import CheckError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("query", help="ask the index in SQL")
    parser.add_argument("sql", nargs="?", help="a SELECT, or the name of a canned query")
    parser.add_argument("word", nargs="?", default="", help="what a canned query is about")
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table")
    parser.add_argument("--limit", type=int, default=1_000, help="rows at most")
    parser.add_argument("--seconds", type=float, default=10.0, help="time at most")
    parser.add_argument("--canned", action="store_true", help="list the canned queries")
    parser.add_argument("--tables", action="store_true", help="list tables and columns")


def run(args: argparse.Namespace) -> int:
    """Print the rows; a statement that writes or fails is exit 2."""
    from kb.index import DatabaseError, open_database, query
    from kb.index.canned import CANNED
    from kb.index.row import name_of
    from kb.index.tables import TABLES

    if args.canned:
        for name, canned in CANNED.items():
            print(f"{name}{' WORD' * bool(canned.asks)}: {canned.sentence}")
        return 0
    if args.tables:
        for one in TABLES:
            print(f"{name_of(one)}: {', '.join(one.model_fields)}")
        return 0
    if not args.sql:
        raise CheckError("there is no query", "kb query hbm-bandwidth, or kb query --canned")
    try:
        database = open_database(
            os.environ.get("KB_DATABASE_URL"), open_project(args).root / DEFAULT
        )
        answer = query(
            database, args.sql, args.word, limit=args.limit, seconds=args.seconds, alone=True
        )
    except DatabaseError as error:
        raise CheckError(str(error), error.remedy) from None
    if args.format == "json":
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        print(json.dumps({"schema_version": 1, "rows": rows, "cut": answer.cut}, default=str))
    elif args.format == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(answer.columns)
        writer.writerows(answer.rows)
    else:
        cells = [["" if v is None else one_line(str(v)) for v in row] for row in answer.rows]
        _fitting(answer.columns, cells)
        print("\n".join(table([answer.columns, *cells])))
    if answer.full:
        told = f"cut after {len(answer.rows)} rows, which hold all the bytes that an answer may"
        print(f"{told}; ask for fewer columns", file=sys.stderr)
    elif answer.cut:
        print(f"cut after {args.limit} rows; see --limit", file=sys.stderr)
    return 0


WIDEST = 100_000_000
"""Characters of a whole table: one long cell makes all others of its column as long."""


def _fitting(columns: Sequence[str], cells: list[list[str]]) -> None:
    wide = sum(max(map(len, column)) for column in zip(columns, *cells, strict=True))
    if wide * len(cells) > WIDEST:
        message = f"a table of {len(cells)} rows, each {wide} characters wide, is too large"
        raise CheckError(message, "add --format json or --format csv")
