"""`kb lsp`: the editor server, over standard input and output."""

from __future__ import annotations

import argparse

from kb.cli.project import open_project
from kb.finding import CheckError, with_extra


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "lsp",
        help="serve an editor: findings, values and ids while you type",
        description="Speaks the Language Server Protocol over standard input and output; an "
        "editor starts it. It judges the knowledge base around the folder that the editor opens.",
    )
    parser.add_argument("--stdio", action="store_true", help="the default; some editors say it")


def run(args: argparse.Namespace) -> int:
    """Serve until the editor says goodbye; raises `CheckError` without the extra."""
    try:
        from kb.lsp.server import serve
    except ModuleNotFoundError as error:
        raise CheckError(f"the editor server needs {error.name}", with_extra("lsp")) from None
    serve(open_project(args) if args.project is not None else None)
    return 0
