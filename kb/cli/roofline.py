"""`kb roofline`: the shortest time that the named peaks allow, and what binds it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from kb.cli.amounts import amount_of_bytes, count, whole
from kb.cli.catalogue import claim, open_corpus
from kb.estimate import EstimateError, Floor, Load, roofline
from kb.finding import CheckError
from kb.pages.text import plural
from kb.quantity import decimal_text


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("roofline", help="floor time and its binding resource")
    parser.add_argument(
        "--flops", type=count, required=True, help="operations of the program, such as 1e15"
    )
    parser.add_argument(
        "--bytes",
        type=amount_of_bytes,
        required=True,
        help="bytes read and written in device memory, such as 40GB",
    )
    parser.add_argument("--compute", required=True, metavar="CLAIM", help="compute peak")
    parser.add_argument("--memory", required=True, metavar="CLAIM", help="memory bandwidth")
    parser.add_argument("--link", metavar="CLAIM", help="scale-up link bandwidth")
    parser.add_argument(
        "--sent",
        type=amount_of_bytes,
        default=0,
        help="bytes that each device sends over its links (default: 0)",
    )
    parser.add_argument(
        "--devices", type=whole, default=1, help="accelerators that share the work (default: 1)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print the floor; claims that can't carry it are exit 2."""
    corpus = open_corpus(args, kinds=("specs",)).corpus
    load = Load(args.flops, args.bytes, args.sent, args.devices)
    link = claim(corpus, args.link) if args.link else None
    try:
        floor = roofline(load, claim(corpus, args.compute), claim(corpus, args.memory), link)
    except EstimateError as error:
        raise CheckError(str(error), error.remedy) from None
    if args.json:
        print(json.dumps(_data(floor), ensure_ascii=False))
    else:
        print("\n".join(_lines(floor)))
    return 0


def _lines(floor: Floor) -> Iterator[str]:
    binding = floor.binding
    yield f"floor: {_seconds(binding.seconds)}, bound by {binding.name}"
    if not floor.decided:
        yield "  the printed digits leave open which resource binds"
    if floor.intensity is not None:
        yield f"  {decimal_text(floor.intensity, 4)} operations a byte of device memory"
    for resource in floor.resources:
        low, high = resource.interval.low, resource.interval.high
        yield (
            f"  {resource.name}: {_seconds(resource.seconds)} (the digits allow {_seconds(low)} "
            f"to {_seconds(high)}) at {resource.rate.text}, {resource.rate.claim}"
        )
        yield from (f"    {note}" for note in resource.rate.notes)
    devices = plural(floor.load.devices, "device")
    least = _seconds(Context(prec=4, rounding=ROUND_FLOOR).divide(*_both(floor.least)))
    yield f"  estimated for {devices}; nothing ran, and no run can take less than {least}"


def _data(floor: Floor) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "evidence_class": "estimated",
        "devices": floor.load.devices,
        "floor_seconds": float(floor.binding.seconds),
        "binding": floor.binding.name,
        "decided": floor.decided,
        "intensity": None if floor.intensity is None else float(floor.intensity),
        "resources": [
            {
                "name": resource.name,
                "claim": resource.rate.claim,
                "seconds": float(resource.seconds),
                "seconds_interval": [float(resource.interval.low), float(resource.interval.high)],
                "notes": list(resource.rate.notes),
            }
            for resource in floor.resources
        ],
    }


def _both(value: Fraction) -> tuple[Decimal, Decimal]:
    return Decimal(value.numerator), Decimal(value.denominator)


def _seconds(value: object) -> str:
    seconds = float(value)  # type: ignore[arg-type]
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1:
            return f"{seconds * factor:.4g} {unit}"
    return f"{seconds * 1e9:.4g} ns"
