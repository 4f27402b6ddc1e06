"""What several actions of `kb measure` read from their command line."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from kb.cli.catalogue import open_corpus
from kb.cli.project import open_project
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.corpus import Corpus
    from kb.measure.run.sample import Stopping

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


def fraction(text: str) -> float:
    """From a thousandth of a percent up to one: `0.02` or `2%`."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = 0.0
    if not 1e-5 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share from 0 to 1; type 0.02 or 2%")
    return value


def add_out(parser: argparse.ArgumentParser) -> None:
    """Adds where records go."""
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into (default: evidence/)"
    )


def prepare(args: argparse.Namespace) -> tuple[Path, Corpus]:
    """Where records go, and the products that a device may be.

    Called before anything is measured, so that no run is lost to a mistake in a file.
    """
    project = open_project(args)
    if args.out is not None:
        return args.out, open_corpus(args, kinds=("specs",)).corpus
    folder = project.folder("evidence")
    with contextlib.suppress(OSError):  # the writing of the record says what is wrong
        folder.mkdir(parents=True, exist_ok=True)
    return folder, open_corpus(args, kinds=("specs",)).corpus


def add_stopping(parser: argparse.ArgumentParser) -> None:
    """Adds when sampling ends."""
    parser.add_argument(
        "--samples", type=samples, default=20, metavar="N",
        help="fewest samples (default 20); more follow until the median is steady and known "
        "within --half-width",
    )  # fmt: skip
    parser.add_argument(
        "--half-width", type=fraction, default=0.01, metavar="SHARE",
        help="wanted half-width of the median's interval over the median (default 0.01)",
    )  # fmt: skip
    parser.add_argument(
        "--min-seconds", type=seconds, default=None, metavar="S",
        help="sample at least this long (default: as long as it takes)",
    )  # fmt: skip
    parser.add_argument(
        "--max-seconds", type=seconds, default=20.0, metavar="S",
        help="time after which sampling stops all the same (default 20)",
    )  # fmt: skip


def stopping(args: argparse.Namespace) -> Stopping:
    """When sampling ends; raises `CheckError` where the least time is above the most."""
    from kb.measure.run.sample import Stopping

    least = args.min_seconds or 0.0
    if least > args.max_seconds:
        raise CheckError(
            f"The least time, {least:g} s, is above the most, {args.max_seconds:g} s.",
            "Type a smaller --min-seconds or a larger --max-seconds.",
        )
    return Stopping(
        fewest=args.samples,
        half_width=args.half_width,
        max_seconds=args.max_seconds,
        min_seconds=least,
    )


def typed_stopping(args: argparse.Namespace) -> str:
    """What a person types for the same."""
    words = [f"--samples {args.samples}"]
    words += [f"--half-width {args.half_width:g}"] if args.half_width != 0.01 else []
    words += [f"--min-seconds {args.min_seconds:g}"] if args.min_seconds else []
    return " ".join([*words, f"--max-seconds {args.max_seconds:g}"])


def short(path: Path) -> str:
    """`path` as a person in the working folder types it."""
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return shown.as_posix()
