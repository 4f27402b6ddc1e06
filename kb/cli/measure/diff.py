"""`kb measure diff`: two records of compiled programs side by side, run or not."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.measure.arguments import Subparsers
from kb.cli.project import open_project
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.model.side import Record

REMEDY = (
    "Give a file that `kb measure compile` or `kb measure run` wrote, or the id of a record "
    "in evidence/."
)


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what compares two records of compiled programs."""
    one = actions.add_parser(name, help="what two compilers, or two versions, made of a program")
    one.add_argument("left", metavar="RECORD", help="a record that compile or run wrote, or its id")
    one.add_argument("right", metavar="RECORD", help="another one")
    one.add_argument("--json", action="store_true", help="print the table as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the table; always 0."""
    from kb.model.side import says_not
    from kb.model.sidebyside import differences, text

    folder = open_project(args).folder("evidence")
    left, right = _record(args.left, folder), _record(args.right, folder)
    rows, cannot = differences(left, right), says_not(left, right)
    if args.json:
        plain = [
            {"what": r.what, "same": r.same, "left": r.left, "right": r.right, "note": r.note}
            for r in rows
        ]
        print(json.dumps({"schema_version": 1, "rows": plain, "says_not": cannot}, indent=2))
    else:
        print(text(rows, cannot))
    return 0


def _record(name: str, folder: Path) -> Record:
    """The record in a file, or with an id in the project's evidence; it holds a compilation."""
    from pydantic import TypeAdapter, ValidationError

    from kb.model.artefact import Artefact
    from kb.model.side import Record

    path = Path(name)
    if not path.exists() and (folder / f"{name}.json").is_file():
        path = folder / f"{name}.json"
    try:
        found: Record = TypeAdapter(Record).validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckError(f"{name} can't be read: {error.strerror}.", REMEDY) from None
    except (UnicodeDecodeError, ValidationError):
        raise CheckError(f"{name} is no record of a compiled program.", REMEDY) from None
    if not isinstance(found, Artefact) and found.compiled is None:
        raise CheckError(
            f"{name} is of a run, and what the compiler made was not kept in it.",
            "Measure it again: `kb measure run` keeps the compiled program beside the samples.",
        )
    return found
