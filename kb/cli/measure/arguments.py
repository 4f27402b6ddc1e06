"""What several actions of `kb measure` read from their command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Protocol

Subparsers = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


class Action(Protocol):
    """What a file of this folder offers to the command."""

    def add(self, actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
        """Adds the arguments under `name`."""

    def run(self, args: argparse.Namespace) -> int:
        """Does what was asked and gives the exit code; raises `CheckError` when it can't."""


def samples(text: str) -> int:
    """From 1 to 500."""
    if not text.isdecimal() or not 1 <= int(text) <= 500:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 1 to 500; type --samples 20")
    return int(text)


def seconds(text: str) -> float:
    """Above 0 and up to an hour."""
    try:
        time = float(text)
    except ValueError:
        time = 0.0
    if not 0 < time <= 3600:
        message = f"{text!r} is no time from 0 to 3600 seconds; type --max-seconds 20"
        raise argparse.ArgumentTypeError(message)
    return time


def short(path: Path) -> str:
    """`path` as a person in the working folder types it."""
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return shown.as_posix()
