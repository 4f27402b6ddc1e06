"""`kb measure scale` and `collectives`: several devices, in one process or in many."""

from __future__ import annotations

import argparse
import os
from typing import Any

from kb.cli.measure.arguments import Subparsers, add_out
from kb.cli.measure.studies import perform
from kb.finding import CheckError

KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute")
SIZES = "4KiB,64KiB,1MiB"


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds strong and weak scaling."""
    one = actions.add_parser(
        name,
        help="one program on one device, two, four and more",
        description="Exit code 0: every result was right. 1: one was not, or the devices are not "
        "there.",
    )
    one.add_argument(
        "mode", choices=("strong", "weak"),
        help="strong: the work of a step stays; weak: the work of a device stays",
    )  # fmt: skip
    one.add_argument("--batch", type=_count, default=1024, metavar="N", help="rows (default 1024)")
    one.add_argument("--width", type=_count, default=256, metavar="N", help="columns (default 256)")
    _add_common(one)


def run(args: argparse.Namespace) -> int:
    """0 when every result was right."""
    params = {"mode": args.mode, "batch": args.batch, "width": args.width, **_common(args)}
    words = f"kb measure scale {args.mode} --batch {args.batch} --width {args.width}"
    return perform(args, "scaling", params, words + _typed(args), _forced(args))


class Collectives:
    """The action `collectives`."""

    @staticmethod
    def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
        """Adds collectives over message sizes."""
        one = actions.add_parser(
            name,
            help="collectives over message sizes, with algorithm and bus bandwidth",
            description="The conventions are those of nccl-tests: bytes that one device sends, in "
            "one direction. Exit code 0: every result was right. 1: one was not.",
        )
        one.add_argument(
            "--kind", action="append", choices=KINDS, help="one kind; repeat it (default: all)"
        )
        one.add_argument(
            "--sizes", default=SIZES, metavar="LIST", help=f"message sizes (default {SIZES})"
        )
        _add_common(one)

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """0 when every result was right."""
        from kb.cli.amounts import amount_of_bytes

        try:
            sizes = [int(amount_of_bytes(each)) for each in args.sizes.split(",")]
        except (argparse.ArgumentTypeError, ValueError) as error:
            raise CheckError(f"--sizes {args.sizes}: {error}", f"Type --sizes {SIZES}") from None
        kinds = args.kind or list(KINDS)
        params = {"kinds": kinds, "sizes": sizes, **_common(args)}
        words = f"kb measure collectives --sizes {args.sizes}"
        words += "".join(f" --kind {kind}" for kind in args.kind or ())
        return perform(args, "messages", params, words + _typed(args), _forced(args))


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--devices", type=_count, metavar="N",
        help="as many devices; on a CPU, so many are pretended (default: all there are)",
    )  # fmt: skip
    parser.add_argument(
        "--samples", type=_count, default=20, metavar="N", help="samples of each (default 20)"
    )
    parser.add_argument(
        "--distributed", action="store_true",
        help="this is one process of a cluster; Slurm, Open MPI, Kubernetes and Cloud TPU are "
        "recognised, elsewhere give the next three",
    )  # fmt: skip
    parser.add_argument("--coordinator", metavar="HOST:PORT", help="where the first process is")
    parser.add_argument("--processes", type=_count, metavar="N", help="how many there are")
    parser.add_argument("--process", type=_index, metavar="I", help="which one this is, from 0")
    add_out(parser)
    parser.add_argument("--json", action="store_true", help="print the study as JSON")


def _common(args: argparse.Namespace) -> dict[str, Any]:
    given = (args.coordinator, args.processes, args.process)
    if any(each is not None for each in given) and not all(each is not None for each in given):
        raise CheckError(
            "A process of a cluster needs --coordinator, --processes and --process together.",
            "Type --distributed --coordinator 127.0.0.1:5555 --processes 2 --process 0",
        )
    return {
        # Every process pretends its own share of the devices, so all of them count.
        "devices": None if _joined(args) else args.devices,
        "samples": args.samples,
        "distributed": _joined(args),
        "coordinator": args.coordinator,
        "processes": args.processes,
        "process": args.process,
    }


def _joined(args: argparse.Namespace) -> bool:
    return bool(args.distributed or args.coordinator is not None)


def _forced(args: argparse.Namespace) -> int | None:
    """How many devices to pretend; none unless JAX was told to run on the CPU."""
    return args.devices if os.environ.get("JAX_PLATFORMS", "") == "cpu" else None


def _typed(args: argparse.Namespace) -> str:
    words = f" --samples {args.samples}"
    words += f" --devices {args.devices}" if args.devices else ""
    return words + (" --distributed" if _joined(args) else "")


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 2**20:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on; type 8")
    return int(text)


def _index(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a process; type 0")
    return int(text)


COLLECTIVES = Collectives()
