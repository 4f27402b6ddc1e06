"""`kb export`: the catalogue as CSV, JSON or BibTeX."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from kb.cli.catalogue import open_corpus
from kb.cli.project import open_project
from kb.cli.writing import refuse_content, write_file
from kb.export import as_citations, as_csv, as_json

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
    if args.out is not None:
        refuse_content(args.out, open_project(args))
    text = FORMATS[args.format](open_corpus(args, kinds=("specs",)).corpus)
    if args.out is None:
        sys.stdout.write(text)
        return 0
    write_file(args.out, text)
    print(f"{args.out}: {len(text.encode())} bytes", file=sys.stderr)
    return 0
