"""`kb measure retrace` and `bucket`: what is compiled again, and what padding would save."""

from __future__ import annotations

import argparse
from pathlib import Path
from shlex import quote

from kb.cli.measure.arguments import Subparsers, add_out
from kb.cli.measure.studies import perform
from kb.finding import CheckError


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds the lessons."""
    one = actions.add_parser(
        name,
        help="what makes JAX trace and compile again, shown by its own events",
        description="Each case runs beside the form that does not retrace. Exit code 0: every "
        "case showed what it is to show. 1: one did not.",
    )
    add_out(one)
    one.add_argument("--json", action="store_true", help="print the study as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every case showed its fault."""
    return perform(args, "lessons", {}, "kb measure retrace")


class Bucket:
    """The action `bucket`."""

    @staticmethod
    def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
        """Adds the buckets."""
        one = actions.add_parser(
            name,
            help="padding against compilations, over lengths as they come",
            description="The same requests are answered with no padding, in steps of 64, in "
            "powers of two and padded to the longest. Exit code 0: every result was right. 1: "
            "one was not.",
        )
        one.add_argument(
            "--lengths", type=Path, metavar="FILE",
            help="one length a line, in the order of the requests (default: 60 made up, "
            "up to 1024)",
        )  # fmt: skip
        one.add_argument(
            "--passes", type=_passes, default=3, metavar="N",
            help="how often each policy answers them all (default 3)",
        )  # fmt: skip
        add_out(one)
        one.add_argument("--json", action="store_true", help="print the study as JSON")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """0 when every result was right."""
        from kb.measure.study.buckets import lengths

        asked = lengths(60, 1024) if args.lengths is None else _read(args.lengths)
        words = ["kb measure bucket"]
        words += [f"--lengths {quote(args.lengths.name)}"] if args.lengths else []
        words += [f"--passes {args.passes}"]
        return perform(args, "buckets", {"lengths": asked, "passes": args.passes}, " ".join(words))


def _passes(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 1 to 100; type --passes 3")
    return int(text)


def _read(path: Path) -> list[int]:
    """The lengths in a file; raises `CheckError` at the first line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CheckError(f"{path.name} can't be read: {error}", "Give one length a line.") from None
    found = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if not line.strip().isdecimal() or not 1 <= int(line) <= 4096:
            raise CheckError(
                f"{path.name}:{number}: {line.strip()!r} is no length from 1 to 4096.",
                "Give one whole number a line.",
            )
        found.append(int(line))
    if not found:
        raise CheckError(f"{path.name} holds no length.", "Give one whole number a line.")
    return found


BUCKET = Bucket()
