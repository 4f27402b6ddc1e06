"""`kb schema`: write the JSON Schemas, or check that the committed ones are current."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kb.finding import CheckError
from kb.home import home


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("schema", help="write or check the JSON schemas")
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if one is stale")
    parser.add_argument("--out", type=Path, help="folder to write into (default: schemas/)")


def run(args: argparse.Namespace) -> int:
    """Write every schema, or compare; 1 where a committed one is stale or missing."""
    from kb.schema import SCHEMAS, schema_text

    folder = args.out or home() / "schemas"
    stale = []
    for name in SCHEMAS:
        path, text = folder / f"{name}.schema.json", schema_text(name)
        if args.check:
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                stale.append(path.name)
            continue
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CheckError(
                f"{path.name} can't be written: {error.strerror}",
                "choose another folder with --out",
            ) from None
    if stale:
        print(f"error: stale or missing: {', '.join(stale)}\n  fix: kb schema", file=sys.stderr)
        return 1
    print(f"{len(SCHEMAS)} schemas are {'current' if args.check else 'written'}")
    return 0
