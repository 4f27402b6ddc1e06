"""`kb measure diff`: two records of compiled programs side by side."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.measure.arguments import Subparsers
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.model.artefact import Artefact


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what compares two records of compiled programs."""
    one = actions.add_parser(name, help="what one compilers, or one versions, made of a program")
    one.add_argument("left", type=Path, metavar="RECORD", help="a record that compile wrote")
    one.add_argument("right", type=Path, metavar="RECORD", help="another one")
    one.add_argument("--json", action="store_true", help="print the table as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints the table; always 0."""
    from kb.model.sidebyside import differences, text

    rows = differences(_artefact(args.left), _artefact(args.right))
    if args.json:
        plain = [{"what": r.what, "left": r.left, "right": r.right, "note": r.note} for r in rows]
        print(json.dumps({"schema_version": 1, "rows": plain}, indent=2))
    else:
        print(text(rows))
    return 0


def _artefact(path: Path) -> Artefact:
    from pydantic import ValidationError

    from kb.model.artefact import parse

    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise CheckError(
            f"{path.name} is no record of a compiled program: {str(error).splitlines()[0]}",
            "Give a file that `kb measure compile` wrote.",
        ) from None
