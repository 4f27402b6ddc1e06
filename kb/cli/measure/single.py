"""`kb measure run`: measures one workload in a fresh process."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.catalogue import open_project
from kb.cli.measure.arguments import Subparsers, samples, seconds, short
from kb.cli.measure.words import describe
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.model.evidence import Ceiling

DEFAULT_WORKLOAD = "matmul-512-f32"


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what measures on this machine."""
    one = actions.add_parser(
        name,
        help="measure one workload in a fresh process and write an evidence record",
        description="Without WORKLOAD the first bundled one is measured. The record is written to "
        "the evidence/ folder of the project, or to --out, under a name that ends in the second "
        "and a number. Exit code 0: the record is publishable. 1: it was written but misses a "
        "gate. 2: the run did not happen.",
    )
    one.add_argument(
        "workload", nargs="?", default=DEFAULT_WORKLOAD, metavar="WORKLOAD",
        help=f"one of `kb measure list` (default: {DEFAULT_WORKLOAD})",
    )  # fmt: skip
    one.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into (default: evidence/)"
    )
    one.add_argument(
        "--samples",
        type=samples,
        default=20,
        metavar="N",
        help="fewest samples (default 20); more follow until the median is steady and known "
        "within 1 %%",
    )
    one.add_argument(
        "--max-seconds",
        type=seconds,
        default=20.0,
        metavar="S",
        help="time after which sampling stops all the same (default 20)",
    )
    one.add_argument(
        "--peak",
        metavar="CLAIM=FLOPS",
        help="dense peak per device that no rate may exceed, as tpu-v6e/chip-peak-bf16=918e12",
    )
    one.add_argument("--json", action="store_true", help="print the record as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when the record may be published, 1 when it misses a gate."""
    from kb.measure import Settings, measure, write
    from kb.measure.run.sample import Stopping
    from kb.measure.workload import find

    workload = find(args.workload)
    stopping = Stopping(fewest=args.samples, max_seconds=args.max_seconds)
    settings = Settings(stopping, _ceiling(args.peak))
    command = (
        f"kb measure run {workload.id} --samples {args.samples} --max-seconds {args.max_seconds:g}"
    )
    if args.peak is not None:
        command += f" --peak {args.peak}"
    seen = measure(workload, settings, command, progress=sys.stderr.isatty())
    folder = open_project(args).folder("evidence") if args.out is None else args.out
    record, path = write(seen, folder)
    if args.json:
        data = {
            "schema_version": 1,
            "file": short(path),
            "record": record.model_dump(mode="json"),
        }
        print(json.dumps(data, indent=2))
    else:
        print("\n".join([*describe(record), f"wrote {short(path)}"]))
    return 0 if record.publishable else 1


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
