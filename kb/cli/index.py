"""`kb index`: build the database of a knowledge base, or search it."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from kb.cli.project import open_project
from kb.finding import CheckError

DEFAULT = Path(".cache") / "kb" / "index.sqlite"
"""Where a project's index lies, from its root."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("index", help="build or search the database")
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    build = what.add_parser("build", help="write the index")
    build.add_argument("--namespace", help="whose rows these are (default: name of the folder)")
    search = what.add_parser("search", help="find records by words or values")
    search.add_argument("words", nargs="+")
    search.add_argument("--json", action="store_true", help="print JSON")
    what.add_parser("datasette", help="print a configuration for Datasette")


def run(args: argparse.Namespace) -> int:
    """Build or search; a database that can't be used is exit 2."""
    from kb.index import DatabaseError, build, datasette, open_database, search
    from kb.rules.gate import checked

    project = open_project(args)
    if args.what == "datasette":
        print(json.dumps(datasette(DEFAULT.stem), indent=2))
        return 0
    try:
        database = open_database(os.environ.get("KB_DATABASE_URL"), project.root / DEFAULT)
        if args.what == "search":
            answer = search(database, " ".join(args.words))
            if args.json:
                rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
                print(json.dumps({"schema_version": 1, "rows": rows}, ensure_ascii=False))
            for row in () if args.json else answer.rows:
                print("  ".join(str(part) for part in row))
            if not answer.rows and not args.json:
                asked = " ".join(args.words)
                print(f"no record holds all words of {asked!r}", file=sys.stderr)
            return 0 if answer.rows else 1
        found = checked(project)
        namespace = args.namespace or project.root.resolve().name
        counts = build(found.corpus, found.report, database, namespace)
    except DatabaseError as error:
        raise CheckError(str(error), error.remedy) from None
    print(f"{database.shown}, namespace {namespace}")
    print(", ".join(f"{count} {table}" for table, count in counts.items()))
    return 0
