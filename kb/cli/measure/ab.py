"""`kb measure ab`: whether the second of two workloads is faster than the first."""

from __future__ import annotations

import argparse
from pathlib import Path
from shlex import quote

from kb.cli.measure.arguments import Subparsers, add_out, fraction, seconds
from kb.cli.measure.studies import perform


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds the pair."""
    one = actions.add_parser(
        name,
        help="two workloads in turns, and whether the second is faster",
        description="Both run in one process, each round in random order, until the interval of "
        "the ratio decides or time is up. They may differ in one thing only: program, shapes, "
        "formats or precision. Exit code 0: every check passed, whatever the verdict. 1: a check "
        "failed, or a program could not be measured. 2: the two can't be compared.",
    )
    one.add_argument("first", metavar="A", help="a workload, or module:function with --shapes")
    one.add_argument("second", metavar="B", help="another one")
    one.add_argument("--shapes", type=Path, metavar="FILE", help="inputs of your own functions")
    one.add_argument(
        "--margin", type=fraction, default=0.03, metavar="SHARE",
        help="differences up to this share mean nothing in practice (default 0.03)",
    )  # fmt: skip
    one.add_argument(
        "--vary", choices=("program", "shapes", "formats", "precision", "nothing"),
        help="what is meant to differ; refused where something else does",
    )  # fmt: skip
    one.add_argument(
        "--max-seconds", type=seconds, default=30.0, metavar="S",
        help="time after which the rounds stop undecided (default 30)",
    )  # fmt: skip
    add_out(one)
    one.add_argument("--json", action="store_true", help="print the study as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every check passed, 1 when one failed."""
    words = ["kb measure ab", quote(args.first), quote(args.second)]
    words += ["--shapes", quote(args.shapes.name)] if args.shapes else []
    words += ["--vary", args.vary] if args.vary else []
    words += [f"--margin {args.margin:g}", f"--max-seconds {args.max_seconds:g}"]
    params = {
        "first": args.first,
        "second": args.second,
        "margin": args.margin,
        "vary": args.vary,
        "max_seconds": args.max_seconds,
        "shapes": _shapes(args),
    }
    return perform(args, "pair", params, " ".join(words))


def _shapes(args: argparse.Namespace) -> dict[str, object] | None:
    """The inputs of functions of a user's own; names of bundled workloads are looked up here."""
    from kb.measure.custom import find_case
    from kb.measure.family import find

    own = [name for name in (args.first, args.second) if ":" in name]
    for name in (args.first, args.second):
        if name not in own:
            find(name)
    return find_case(own[0], args.shapes).model_dump(mode="json") if own else None
