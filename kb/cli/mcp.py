"""`kb mcp`: an assistant may search, show, compare, lint and see what rests on what."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from kb.cli.project import open_project
from kb.finding import CheckError, with_extra

if TYPE_CHECKING:
    from kb.mcp.server import Commands
    from kb.prose.answer import Language


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "mcp",
        help="answer an assistant: search, show, compare, lint, impact",
        description="Speaks the Model Context Protocol over standard input and output; an "
        "assistant starts it. It only reads.",
    )
    parser.add_argument("--stdio", action="store_true", help="the default; some assistants say it")


def run(args: argparse.Namespace) -> int:
    """Serve until the assistant says goodbye; raises `CheckError` without the extra."""
    try:
        import anyio

        from kb.mcp.server import server
        from kb.mcp.wire import serve
    except ModuleNotFoundError as error:
        raise CheckError(
            f"the server for assistants needs {error.name}", with_extra("mcp")
        ) from None
    open_project(args)  # a folder that is not there is told now, not at the first question
    anyio.run(serve, server(commands(args)))
    return 0


def commands(args: argparse.Namespace) -> Commands:
    """What answers each tool."""
    from kb.mcp.finder import Finder
    from kb.mcp.server import Commands

    def ask(*words: str) -> dict[str, Any]:
        return _asked([*_before(args), *words])

    finder = Finder(lambda: open_project(args))
    return Commands(
        search=finder.search,
        show=lambda name: ask("show", "--json", "--", name),
        compare=lambda left, right: ask("compare", "--json", "--", left, right),
        lint=lambda text, language: _linted(args, text, cast("Language", language)),
        impact=lambda name: ask("impact", "--json", "--", name),
    )


def _before(args: argparse.Namespace) -> list[str]:
    """The options that stand before every command."""
    named = [] if args.project is None else ["--project", str(args.project)]
    return [*named, *(["--no-local-validators"] if args.no_local_validators else [])]


def _asked(words: Sequence[str]) -> dict[str, Any]:
    """What a command prints, as data; raises `CheckError` for what it refuses."""
    from kb.cli import main

    out, told = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        try:
            code = main(list(words))
        except SystemExit:  # arguments that a command does not take
            code = 2
    if code == 2:
        message, _, remedy = told.getvalue().strip().partition("\n  fix: ")
        raise CheckError(message.removeprefix("error: "), remedy)
    data: dict[str, Any] = json.loads(out.getvalue())
    return data


def _linted(args: argparse.Namespace, text: str, language: Language) -> dict[str, Any]:
    from kb.cli.catalogue import open_corpus
    from kb.cli.lint import answer_data
    from kb.prose.answer import answer
    from kb.prose.known import known

    corpus = open_corpus(args).corpus
    return {"schema_version": 1, **answer_data(answer(text, known(corpus), language))}
