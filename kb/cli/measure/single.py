"""`kb measure run`: measures one workload in a fresh process."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.measure.arguments import (
    Subparsers,
    add_out,
    add_stopping,
    prepare,
    short,
    stopping,
    typed_stopping,
)
from kb.cli.measure.words import describe
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.measure.custom import Case
    from kb.model.evidence import Ceiling

DEFAULT_WORKLOAD = "matmul-512-f32"
BOUNDARIES = ("throughput", "host_to_device", "device_to_host", "end_to_end", "profile_device")
"""The words of `kb.measure.run.plan.CHOICES`, which would take long to import."""


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what measures on this machine."""
    one = actions.add_parser(
        name,
        help="measure one workload in a fresh process and write an evidence record",
        description="Without WORKLOAD the first bundled one is measured. The record is written to "
        "the evidence/ folder of the project, or to --out, under a name that ends in the second "
        "and a number. Exit code 0: the record is publishable. 1: it was written but misses a "
        "gate, or the program could not be measured. 2: nothing was tried.",
    )
    one.add_argument(
        "workload", nargs="?", default=DEFAULT_WORKLOAD, metavar="WORKLOAD",
        help="one of `kb measure list`, another size of a family (matmul-64x128x32-bf16), or "
        f"module:function with --shapes (default: {DEFAULT_WORKLOAD})",
    )  # fmt: skip
    one.add_argument(
        "--shapes", type=Path, metavar="FILE", help="inputs of your own function (YAML)"
    )
    one.add_argument(
        "--boundary", action="append", choices=("warm_host", *BOUNDARIES), metavar="WORD",
        help="measure this one beside the stages and the warm calls; repeat it for several "
        f"({', '.join(BOUNDARIES)}; default: all but profile_device; warm_host alone: none)",
    )  # fmt: skip
    add_stopping(one)
    add_out(one)
    one.add_argument(
        "--peak",
        metavar="CLAIM=FLOPS",
        help="dense peak per device that no rate may exceed, as tpu-v6e/chip-peak-bf16=918e12 "
        "(default: what the catalogue says of the device)",
    )
    one.add_argument("--json", action="store_true", help="print the record as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when the record may be published, 1 when it misses a gate."""
    from kb.estimate.identity import identified
    from kb.measure.run.process import Request, measure
    from kb.measure.run.record import write

    asked = tuple(args.boundary or BOUNDARIES[:-1])
    request = Request(
        workload=args.workload,
        stopping=stopping(args),
        ceiling=_ceiling(args.peak),
        command=_typed(args),
        progress=sys.stderr.isatty(),
        boundaries=tuple(word for word in asked if word != "warm_host"),
        case=_case(args),
    )
    folder, corpus = prepare(args)
    measured = measure(request)
    record, path = write(identified(measured.record, corpus), folder, measured.hlo)
    if args.json:
        data = {
            "schema_version": 1,
            "file": short(path),
            "record": record.model_dump(mode="json", exclude_defaults=True),
        }
        print(json.dumps(data, indent=2))
    else:
        print("\n".join([*describe(record), f"wrote {short(path)}"]))
    return 0 if record.publishable else 1


def _case(args: argparse.Namespace) -> dict[str, object] | None:
    """A user's own program; None for a bundled workload, whose name is looked up here."""
    from kb.measure.family import find

    if ":" in args.workload:
        from kb.measure.custom import find_case

        case: Case = find_case(args.workload, args.shapes)
        return case.model_dump(mode="json")
    find(args.workload)
    if args.shapes is not None:
        raise CheckError(
            f"{args.workload} has shapes of its own.",
            "Leave --shapes away, or name a function as module:function.",
        )
    return None


def _typed(args: argparse.Namespace) -> str:
    """What a person types to repeat it; a shape file by its name only."""
    words = ["kb measure run", shlex.quote(args.workload)]
    words += ["--shapes", shlex.quote(args.shapes.name)] if args.shapes else []
    words += [f"--boundary {word}" for word in args.boundary or ()]
    words += [typed_stopping(args)]
    words += ["--peak", shlex.quote(args.peak)] if args.peak is not None else []
    return " ".join(words)


def _ceiling(text: str | None) -> Ceiling | None:
    from kb.model.evidence import Ceiling

    if text is None:
        return None
    claim, _, number = text.partition("=")
    try:
        return Ceiling(claim=claim, flops_per_second=float(number))
    except ValueError as error:
        raise CheckError(
            f"{text!r} is no peak.", "Type a claim and FLOP/s: --peak tpu-v6e/chip-peak-bf16=918e12"
        ) from error
