"""`kb completion`: what a shell needs to complete commands, options and the ids of records."""

from __future__ import annotations

import argparse
import os

SHELLS = ("bash", "zsh", "fish")
IDS = {
    ("show", "id"): ("claims", "products", "sources", "decisions", "evidence"),
    ("impact", "id"): ("claims", "products", "sources", "decisions", "evidence"),
    ("compare", "left"): ("claims",),
    ("compare", "right"): ("claims",),
    ("status", "id"): ("decisions",),
    ("review", "id"): ("decisions",),
    ("log", "id"): ("decisions",),
    ("graph", "id"): ("decisions",),
    ("fit", "product"): ("products",),
}
"""By command and argument: the tables of the corpus whose ids it takes."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "completion",
        help="print what a shell needs to complete commands and ids",
        description='For the current shell: eval "$(kb completion bash)". For every one, put '
        "that line into ~/.bashrc or ~/.zshrc; for fish, write the output to "
        "~/.config/fish/completions/kb.fish.",
    )
    parser.add_argument("shell", choices=SHELLS)


def run(args: argparse.Namespace) -> int:
    """Print the shell's code."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["kb"], shell=args.shell))
    return 0


def complete() -> int:
    """Answer the shell that asks through its environment, and end."""
    import argcomplete

    from kb.cli import COMMANDS, parser

    words = os.environ.get("COMP_LINE", "").split()[1:]
    command = next((word for word in words if word in COMMANDS), None)
    top = parser(command)
    if command is not None:
        _attach(top, command)
    argcomplete.autocomplete(top)
    return 0


def _attach(top: argparse.ArgumentParser, command: str) -> None:
    """Let the arguments of a command that take an id offer those of the project."""
    for action in top._actions:  # noqa: SLF001 (argparse has no other way to its subparsers)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for one in action.choices[command]._actions:  # noqa: SLF001
                tables = IDS.get((command, one.dest))
                if tables is not None:
                    one.completer = _Ids(tables)
                elif (command, one.dest) == ("explain", "slug"):
                    one.completer = _rules


class _Ids:
    """Offers the ids of some tables of the corpus around the working folder."""

    def __init__(self, tables: tuple[str, ...]) -> None:
        self.tables = tables

    def __call__(self, **_: object) -> list[str]:
        """Every id; the shell keeps those that fit what was typed."""
        from kb.home import find_project
        from kb.load import load

        corpus = load(find_project()).corpus
        return [key for table in self.tables for key in getattr(corpus, table)]


def _rules(**_: object) -> list[str]:
    from kb.rules.collect import collect
    from kb.rules.loading import RESERVED

    return [*(rule.slug for rule in collect().rules), *RESERVED]
