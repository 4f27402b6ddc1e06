"""`kb measure`: runs or compiles workloads and writes what they showed as evidence records.

One file an action: each adds its arguments and does what they ask.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from types import MappingProxyType

from kb.cli.measure import ab, cuda, device, diff, listing, retrace, scale, single, sweep
from kb.cli.measure import compile as compiling
from kb.cli.measure.arguments import Action, Subparsers
from kb.finding import CheckError

ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "run": single,
        "ab": ab,
        "sweep": sweep,
        "bucket": retrace.BUCKET,
        "retrace": retrace,
        "scale": scale,
        "collectives": scale.COLLECTIVES,
        "compile": compiling,
        "diff": diff,
        "list": listing,
        "device": device,
        "cuda": cuda,
    }
)
"""Every action by what a person types."""


def add_parser(subparsers: Subparsers[argparse.ArgumentParser]) -> None:
    """Adds `measure` with its actions; `run` of this room answers all of them."""
    parser = subparsers.add_parser("measure", help="measure a workload on this machine")
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(dest="action", required=True, metavar="|".join(ACTIONS))
    for name, action in ACTIONS.items():
        action.add(actions, name)


def run(args: argparse.Namespace) -> int:
    """Does what was asked; the exit code.

    Raises `CheckError` when nothing could be tried. A program that was tried and could not
    be measured is an answer: its kind and remedy are told, and the code is 1.
    """
    try:
        return ACTIONS[args.action].run(args)
    except CheckError as error:
        kind = getattr(error, "kind", None)
        if kind is None:
            raise
        if getattr(args, "json", False):
            failure = {"kind": str(kind), "message": str(error), "remedy": error.remedy}
            print(json.dumps({"schema_version": 1, "failure": failure}, indent=2))
        print(f"error: {kind}: {error}", file=sys.stderr)
        print(f"  fix: {error.remedy}", file=sys.stderr)
        return 1
