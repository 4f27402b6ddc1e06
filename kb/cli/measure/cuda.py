"""`kb measure cuda`: hand-written kernels compiled, run on the CPU, or measured on a GPU."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.catalogue import open_corpus
from kb.cli.measure.arguments import Subparsers, short
from kb.cli.project import open_project

if TYPE_CHECKING:
    from kb.corpus import Corpus
    from kb.model.evidence import Ceiling
    from kb.model.kernels import Built

PARTS = ("list", "device", "compile", "cpu", "check")


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what concerns CUDA kernels, each part with its own arguments."""
    room = actions.add_parser(
        name,
        help="hand-written CUDA kernels: compile them, run them on the CPU, measure them",
        description="Exit code 0: all went well. 1: a kernel failed, and the failure is named. "
        "2: nothing was tried.",
    )
    parts = room.add_subparsers(dest="part", required=True, metavar="|".join(PARTS))
    parts.add_parser("list", help="list the kernels with their baselines")
    parts.add_parser("device", help="show driver and GPU")
    one = parts.add_parser("compile", help="compile every kernel for every architecture")
    one.add_argument(
        "--arch", action="append", metavar="sm_100a",
        help="repeat it for several (default: sm_90a, sm_100a, sm_103a)",
    )  # fmt: skip
    _out(one)
    two = parts.add_parser("cpu", help="run the same sources on the CPU against float64")
    two.add_argument("kernel", nargs="*", metavar="KERNEL", help="one of `kb measure cuda list`")
    three = parts.add_parser("check", help="check and time everything on this machine's GPU")
    three.add_argument("kernel", nargs="*", metavar="KERNEL", help="only these kernels")
    three.add_argument("--small", action="store_true", help="at small, ragged sizes: right or not")
    three.add_argument("--without-jax", action="store_true", help="leave out JAX and its FFI")
    _out(three)
    for part in parts.choices.values():
        part.add_argument("--json", action="store_true", help="print it as JSON")


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into (default: evidence/)"
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a part found: for a program, and for a person."""

    data: dict[str, object]
    lines: list[str]
    code: int = 0


def run(args: argparse.Namespace) -> int:
    """0 when all went well, 1 after a failure of CUDA, which is printed with its remedy."""
    from kb.measure.cuda.failure import CudaFailure

    parts: dict[str, Callable[[argparse.Namespace], Answer]] = {
        "list": _list,
        "device": _device,
        "compile": _compile,
        "cpu": _cpu,
        "check": _check,
    }
    try:
        answer = parts[args.part](args)
    except CudaFailure as failure:
        if args.json:
            raise
        sys.stderr.write(f"{failure}\n  fix: {failure.remedy}\n")
        return 1
    if args.json:
        print(json.dumps({"schema_version": 1, "part": args.part, **answer.data}, indent=2))
    else:
        print("\n".join(answer.lines))
    return answer.code


def _say(message: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"{message}\n")


def _list(_: argparse.Namespace) -> Answer:
    from kb.measure.cuda.kernels import KERNELS

    width = max(map(len, KERNELS))
    lines: list[str] = []
    rows: list[dict[str, object]] = []
    for kernel in KERNELS.values():
        rival = kernel.vendor or "no vendor call; XLA's fusion"
        lines.append(f"{kernel.id:<{width}}  {kernel.summary}")
        lines.append(f"{'':<{width}}  {', '.join(kernel.architectures)}; against {rival}")
        rows.append(
            {
                "id": kernel.id,
                "summary": kernel.summary,
                "architectures": list(kernel.architectures),
                "vendor": kernel.vendor,
            }
        )
    return Answer({"kernels": rows}, lines)


def _device(args: argparse.Namespace) -> Answer:
    from kb.estimate.identity import declared
    from kb.measure.cuda.driver import look
    from kb.model.evidence import OTHER
    from kb.model.identity import product_of

    found = look()
    product = product_of(found.device)
    if product == OTHER:
        corpus = open_corpus(args, kinds=("specs",)).corpus
        own = declared("gpu", found.device, corpus)
        product = own[0] if len(own) == 1 else OTHER
    toolkit = ".".join(map(str, found.toolkit))
    lines = [
        f"{found.count} x {found.device}, {found.architecture}, product {product}",
        f"  driver for CUDA {found.text}, NVRTC of CUDA {toolkit}",
    ]
    data: dict[str, object] = {
        "device": found.device,
        "count": found.count,
        "architecture": found.architecture,
        "product": product,
        "driver_cuda": found.text,
        "toolkit_cuda": toolkit,
    }
    return Answer(data, lines)


def _compile(args: argparse.Namespace) -> Answer:
    from kb.measure.cuda.kernels import ARCHITECTURES
    from kb.measure.cuda.matrix import matrix, write

    wanted = tuple(dict.fromkeys(args.arch or ARCHITECTURES))
    command = "kb measure cuda compile" + "".join(f" --arch {name}" for name in args.arch or ())
    made = matrix(wanted, command, datetime.now(UTC), _say)
    record, path = write(made, _folder(args))
    lines = [
        _built(built)
        for built in record.built
        if built.artefact == "cubin" and built.refusal is None
    ]
    refused = sum(built.refusal is not None for built in record.built)
    lines += [
        f"{refused} builds refused, each for an architecture that the kernel is not written for",
        f"wrote {short(path)}",
    ]
    return Answer({"file": short(path), "record": record.model_dump(mode="json")}, lines)


def _built(built: Built) -> str:
    spills = (built.spill_store_bytes or 0) + (built.spill_load_bytes or 0)
    shared = (built.static_shared_bytes or 0) + built.dynamic_shared_bytes
    families = "".join(f", {n} {family}" for family, n in built.matrix.items())
    return (
        f"{built.kernel:<20} {built.architecture:<8} {built.compiler:<5} "
        f"{built.registers:>3} registers, {spills} B spilled, {shared:>6} B shared{families}"
    )


def _folder(args: argparse.Namespace) -> Path:
    out: Path | None = args.out
    return open_project(args).folder("evidence") if out is None else out


def _cpu(args: argparse.Namespace) -> Answer:
    from kb.measure.cuda.cpu import check
    from kb.measure.cuda.kernels import KERNELS, find

    os.environ["JAX_PLATFORMS"] = "cpu"  # the reference must not look for a GPU
    lines: list[str] = []
    rows: list[dict[str, object]] = []
    for kernel in [find(name) for name in args.kernel] or KERNELS.values():
        for row in check(kernel):
            lines.append(
                f"{kernel.id:<20} {'x'.join(map(str, row.sizes)):<12} "
                f"norm error {row.norm_error}, allowed {row.bound:.2e}: "
                f"{'right' if row.right else 'WRONG'}{row.note}"
            )
            _say(lines[-1])
            rows.append(
                {
                    "kernel": kernel.id,
                    "sizes": list(row.sizes),
                    "norm_error": row.norm_error,
                    "bound": row.bound,
                    "right": row.right,
                }
            )
    return Answer({"rows": rows}, lines, 0 if all(row["right"] for row in rows) else 1)


def _check(args: argparse.Namespace) -> Answer:
    from kb.estimate.identity import identified
    from kb.measure.cuda import check
    from kb.measure.cuda.kernels import find
    from kb.measure.cuda.timing import Limits

    names = [find(name).id for name in args.kernel]
    corpus = open_corpus(args, kinds=("specs",)).corpus
    given = [*names, *(["--small"] if args.small else [])]
    given += ["--without-jax"] if args.without_jax else []
    command = " ".join(["kb measure cuda check", *given])
    limits = Limits(20, 20) if args.small else Limits()
    session = check.Session(
        _folder(args), command, limits, args.small, _ceilings(corpus), _say,
        lambda made: identified(made, corpus),
    )  # fmt: skip
    check.run(session, names, jax=not args.without_jax)
    data: dict[str, object] = {
        "files": [short(path) for path in session.written],
        "rows": [dataclasses.asdict(row) for row in session.rows],
    }
    return Answer(data, check.table(session), 1 if session.failed else 0)


def _ceilings(corpus: Corpus) -> Callable[[str, str], Ceiling | None]:
    """The catalogue's dense peaks, by product and number format."""

    def ceiling(product: str, dtype: str) -> Ceiling | None:
        from kb.model.evidence import Ceiling
        from kb.operand import operand_of_claim

        for name in (f"{product}/gpu-peak-{dtype}-dense", f"{product}/gpu-peak-{dtype}"):
            if name in corpus.claims:
                size = float(operand_of_claim(corpus.claims[name]).quantity.base)
                return Ceiling(claim=name, flops_per_second=size)
        return None

    return ceiling
