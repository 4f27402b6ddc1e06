"""`kb measure list`: the bundled workloads."""

from __future__ import annotations

import argparse
import json

from kb.cli.measure.arguments import Subparsers


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds the list."""
    one = actions.add_parser(name, help="list the bundled workloads")
    one.add_argument("--json", action="store_true", help="print them as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints every workload with its sentence; always 0."""
    from kb.measure.compile.program import bundled, read
    from kb.measure.family import WORKLOADS

    groups = {
        "workloads": {known.id: known.summary for known in WORKLOADS.values()},
        "compile_workloads": {name: read(path).summary for name, path in bundled().items()},
    }
    if args.json:
        rows = {
            word: [{"id": name, "summary": summary} for name, summary in group.items()]
            for word, group in groups.items()
        }
        print(json.dumps({"schema_version": 1, **rows}, indent=2))
        return 0
    width = max(len(name) for group in groups.values() for name in group)
    titles = ("`kb measure run`, on this machine:", "`kb measure compile`, with no device:")
    for title, group in zip(titles, groups.values(), strict=True):
        print(title)
        print("\n".join(f"  {name:<{width}}  {summary}" for name, summary in group.items()))
    return 0
