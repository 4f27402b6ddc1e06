"""`kb measure diff`: two records of compiled programs side by side."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.measure.arguments import Subparsers
from kb.cli.project import open_project
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.model.artefact import Artefact

REMEDY = "Give a file that `kb measure compile` wrote, or the id of a record in evidence/."


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what compares two records of compiled programs."""
    one = actions.add_parser(name, help="what two compilers, or two versions, made of a program")
    one.add_argument("left", metavar="RECORD", help="a record that compile wrote, or its id")
    one.add_argument("right", metavar="RECORD", help="another one")
    one.add_argument("--json", action="store_true", help="print the table as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the table; always 0."""
    from kb.model.artefact import CANNOT
    from kb.model.sidebyside import differences, text

    folder = open_project(args).folder("evidence")
    rows = differences(_artefact(args.left, folder), _artefact(args.right, folder))
    if args.json:
        plain = [
            {"what": r.what, "same": r.same, "left": r.left, "right": r.right, "note": r.note}
            for r in rows
        ]
        print(json.dumps({"schema_version": 1, "rows": plain, "says_not": CANNOT}, indent=2))
    else:
        print(text(rows))
    return 0


def _artefact(name: str, folder: Path) -> Artefact:
    """The record in a file, or with an id in the project's evidence."""
    from pydantic import ValidationError

    from kb.model.artefact import parse

    path = Path(name)
    if not path.exists() and (folder / f"{name}.json").is_file():
        path = folder / f"{name}.json"
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CheckError(f"{name} can't be read: {error.strerror}.", REMEDY) from None
    except (UnicodeDecodeError, ValidationError):
        raise CheckError(f"{name} is no record of a compiled program.", REMEDY) from None
