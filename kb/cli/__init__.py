"""The command line: one module a command, imported only when it is asked for."""

from __future__ import annotations

import argparse
import atexit
import codecs
import gc
import importlib
import io
import keyword
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from kb.finding import CheckError, quoted

COMMANDS = {
    "init": "begin a knowledge base in a folder",
    "check": "load, validate and judge a knowledge base",
    "show": "show a claim, a product, a source, a decision or an evidence record",
    "list": "list what the catalogue holds",
    "compare": "compare two claims, or JSON lines from standard input",
    "lint": "judge the numbers in any Markdown",
    "fix": "rewrite citations that have gone stale",
    "rules": "list the rules",
    "explain": "explain a rule",
    "diff": "which claims changed between two days",
    "export": "write the catalogue as CSV, JSON or a citation file",
    "review": "list what should be looked at again",
    "fit": "does a model fit in memory",
    "roofline": "the shortest time that the named peaks allow",
    "measure": "measure a workload with a named boundary",
    "audit": "count what binds a program to one vendor",
    "index": "build or search the database of a knowledge base",
    "query": "ask the index in SQL, read-only",
    "new": "begin a decision record",
    "status": "where decisions stand; take one a step further",
    "supersede": "let a decision replace another, at both ends",
    "log": "what happened to the decisions, by day",
    "graph": "draw which decision replaces which",
    "impact": "what rests on a record, directly or through others",
    "import": "read records of other tools, or published results, into this project",
    "render": "write the pages of the site as plain Markdown",
    "serve": "read the site while you write, checked on every save",
    "lsp": "serve an editor: findings, values and ids while you type",
    "mcp": "answer an assistant: search, show, compare, lint, impact",
    "schema": "write the JSON schemas, or check that they are up to date",
    "completion": "print what a shell needs to complete commands and ids",
}
"""Every command with its sentence; `kb.cli.<command>` holds it."""


class Parser(argparse.ArgumentParser):
    """Argument errors in the house format: what is wrong and what to type instead."""

    def error(self, message: str) -> NoReturn:
        """Print one error and the way to the help, and end with 2."""
        self.exit(2, f"error: {message}\n  fix: see `{self.prog} --help`\n")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse does, but a command names what it does not know itself.

        Left to the parser above it, the error would name the help of `kb` alone.
        """
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return known, rest


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """The argument parser, with the arguments of `command` only.

    The other commands are names with a sentence: reading their modules would cost more
    than most commands themselves.
    """
    top = Parser(
        prog="kb",
        description="Typed accelerator specifications, judged comparisons, decisions on evidence.",
    )
    top.add_argument(
        "--project",
        type=Path,
        metavar="DIR",
        help="folder of the knowledge base (default: around the working folder)",
    )
    top.add_argument(
        "--no-local-validators",
        action="store_true",
        help="run no rule of the knowledge base itself: a stranger's folder is then only read "
        "(or set KB_NO_LOCAL_VALIDATORS)",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, sentence in COMMANDS.items():
        if name == command:
            _module(name).add_parser(commands)
            _exemplify(name, commands.choices[name])
        else:
            commands.add_parser(name, help=sentence)
    return top


def _exemplify(command: str, parser: argparse.ArgumentParser) -> None:
    """End the help of a command with examples, each on a line of its own."""
    from kb.cli.examples import EXAMPLES

    lines = "\n".join(f"  {line}" for line in EXAMPLES.get(command, ()))
    parser.epilog = f"examples:\n{lines}" if lines else None
    parser.formatter_class = _Formatter


class _Formatter(argparse.HelpFormatter):
    """As argparse's own, but a list of examples keeps its lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        kept = text.startswith("examples:")
        return text if kept else super()._fill_text(text, width, indent)


def _module(command: str) -> ModuleType:
    """The module of a command; a word of Python's own carries an underscore."""
    name = f"{command}_" if keyword.iskeyword(command) else command
    return importlib.import_module(f"kb.cli.{name}")


class _Version(argparse.Action):
    """Prints the version; reading it costs 20 ms, so only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version

        try:
            text = f"kb {version('accelerator-kb')}"
        except PackageNotFoundError:
            text = "kb (not installed)"
        parser.exit(0, f"{text}\n")


def _command(words: Sequence[str]) -> str | None:
    """The first word that is neither an option nor the folder of `--project`."""
    rest = iter(words)
    for word in rest:
        if word == "--project":
            next(rest, None)
        elif not word.startswith("-"):
            return word if word in COMMANDS else None
    return None


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the exit code is 0, 1 or 2 as the design promises."""
    words = sys.argv[1:] if arguments is None else arguments
    if arguments is None:
        # The process ends with this command. Python would search all that is left for garbage
        # once more, for as long as a third of a large check takes.
        atexit.register(gc.freeze)
    if "_ARGCOMPLETE" in os.environ:
        from kb.cli.completion import complete

        return complete()
    # Looking for pydantic's plugins reads the metadata of every installed package.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Modules and a corpus are objects that stay: looking through them for garbage every 700
    # allocations is a tenth of the time that `kb show` takes.
    gc.set_threshold(50_000, *gc.get_threshold()[1:])
    try:
        _prepare_streams(words)
        top = parser(_command(words))
        args = top.parse_args(words)
        if args.command is None:
            top.print_help()
            return 2
        code = int(_module(args.command).run(args))
        if sys.stdout is not None:
            sys.stdout.flush()  # a full disk shows here, not when the interpreter ends
        return code
    except CheckError as error:
        print(f"error: {error}", file=sys.stderr)
        if error.remedy:
            print(f"  fix: {error.remedy}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output went away (`kb list | head`): that is no error.
        _discard_output()
        return 0
    except OSError as error:
        # Exit 1 would read as findings; the check may be sound, but nobody saw the answer.
        _discard_output()
        if isinstance(error, FileNotFoundError) and not _here():
            print("error: the working folder is no longer there", file=sys.stderr)
            print("  fix: cd to a folder that is there", file=sys.stderr)
            return 2
        where = f" ({quoted(str(error.filename))})" if error.filename else ""
        print(f"error: {error.strerror or error}{where}", file=sys.stderr)
        print("  fix: make room, or correct the folder or file", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _here() -> bool:
    """Whether the working folder is still there."""
    try:
        return bool(Path.cwd())
    except FileNotFoundError:
        return False


def _prepare_streams(words: Sequence[str]) -> None:
    """Let every character through, and raise `CheckError` where a needed stream is closed."""
    if sys.stderr is None:  # print(file=None) would write into the answer
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (as long as we run)
    if sys.stdout is None:
        raise CheckError("standard output is closed", "run it with > /dev/null to see no answer")
    if sys.stdin is None and "--stdin" in words:
        raise CheckError("standard input is closed", "send the lines with < FILE or a pipe")
    # A terminal or pipe that knows ASCII only still gets its answer, with escapes.
    codecs.register_error("kb-escapes", _escapes)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="kb-escapes")


def _escapes(error: UnicodeError) -> tuple[str, int]:
    """What an encoding lacks as JSON writes it, so that JSON with escapes is still JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import json

    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _discard_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter ends without a word."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
