"""`kb measure device`: the device that a run would use."""

from __future__ import annotations

import argparse
import json

from kb.cli.measure.arguments import Subparsers


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds the view of the device."""
    one = actions.add_parser(name, help="show the device that a run would use")
    one.add_argument("--json", action="store_true", help="print it as JSON")


def run(args: argparse.Namespace) -> int:
    """Prints device and environment; always 0."""
    from kb.measure.run.environment import here
    from kb.measure.run.process import require_jax

    require_jax()
    device, environment = here()
    if args.json:
        data = {"schema_version": 1, "device": device.model_dump()}
        print(json.dumps({**data, "environment": environment.model_dump()}, indent=2))
        return 0
    print(f"{device.count} x {device.kind} ({device.platform}), product {device.product}")
    print(f"  {device.speaks_for}")
    print(f"  python {environment.python}, jax {environment.jax}, jaxlib {environment.jaxlib}")
    for name, value in environment.flags.items():
        print(f"  {name}={value}")
    return 0
