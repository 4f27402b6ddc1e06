"""`kb export`: the catalogue as CSV, JSON or BibTeX."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from kb.cli.catalogue import open_corpus
from kb.export import as_citations, as_csv, as_json
from kb.finding import CheckError

FORMATS = {"csv": as_csv, "json": as_json, "bibtex": as_citations}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("export", help="write the catalogue for other programs")
    parser.add_argument("--format", choices=FORMATS, default="csv", help="default: csv")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: standard output)"
    )


def run(args: argparse.Namespace) -> int:
    """Write the export; a file is replaced as a whole or not at all."""
    text = FORMATS[args.format](open_corpus(args, kinds=("specs",)).corpus)
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        handle, name = tempfile.mkstemp(dir=args.out.parent, prefix=".kb-export-")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        Path(name).replace(args.out)
    except OSError as error:
        raise CheckError(f"{args.out} can't be written: {error.strerror}", "choose another --out") \
            from None  # fmt: skip
    print(f"{args.out}: {len(text.encode())} bytes", file=sys.stderr)
    return 0
