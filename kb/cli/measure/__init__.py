"""`kb measure`: runs or compiles workloads and writes what they showed as evidence records.

One file an action: each adds its arguments and does what they ask.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType

from kb.cli.measure import compile as compiling
from kb.cli.measure import device, diff, listing, single
from kb.cli.measure.arguments import Action, Subparsers

ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "run": single,
        "compile": compiling,
        "diff": diff,
        "list": listing,
        "device": device,
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
    """Does what was asked; the exit code. Raises `CheckError` when it can't."""
    return ACTIONS[args.action].run(args)
