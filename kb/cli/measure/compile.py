"""`kb measure compile`: what compilers make of a program for products that are not there."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.measure.arguments import Subparsers, seconds, short
from kb.cli.project import open_project
from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.corpus import Corpus
    from kb.measure.compile.program import Shapes
    from kb.model.artefact import Capacity


def add(actions: Subparsers[argparse.ArgumentParser], name: str) -> None:
    """Adds what compiles for products that are absent."""
    one = actions.add_parser(
        name,
        help="compile a program for products that are not there",
        description="Exit code 0: every target gave a program. 1: a target refused; the others "
        "finished. 2: nothing was tried. No time of a device is ever given.",
    )
    one.add_argument("workload", metavar="WORKLOAD", help="bundled id, or package.module:function")
    one.add_argument(
        "--target", action="append", metavar="PRODUCT:SHAPE",
        help="tpu-v6e:2x4 or hgx-b200:8; repeat it for several (default: both)",
    )  # fmt: skip
    one.add_argument("--shapes", type=Path, metavar="FILE", help="inputs, sharding, mesh (YAML)")
    one.add_argument("--mesh", metavar="AXIS=N,…", help="another mesh, as data=2,model=4")
    one.add_argument(
        "--description", type=Path, metavar="FILE", help="another description of the GPU"
    )
    one.add_argument(
        "--max-seconds",
        type=seconds,
        default=900.0,
        metavar="S",
        help="time after which a compiler is stopped (default 900)",
    )
    one.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into (default: evidence/)"
    )
    one.add_argument("--json", action="store_true", help="print the answers as JSON")


def run(args: argparse.Namespace) -> int:
    """0 when every target gave a program, 1 when one refused."""
    from kb.cli.catalogue import open_corpus
    from kb.measure.compile.process import Request, compile_for
    from kb.measure.compile.program import find
    from kb.measure.compile.record import assemble, write
    from kb.measure.compile.report import lines
    from kb.measure.compile.targets import FAMILIES, target

    names = args.target or [family.example for family in FAMILIES.values()]
    wanted = [target(name) for name in dict.fromkeys(names)]
    shapes = _on_mesh(find(args.workload, args.shapes), args.mesh)
    corpus = open_corpus(args, kinds=("specs",)).corpus
    folder = open_project(args).folder("evidence") if args.out is None else args.out
    answers, missed = [], 0
    for each in wanted:
        request = Request(shapes, each, args.description, args.max_seconds, sys.stderr.isatty())
        outcome = compile_for(request)
        missed += outcome.refusal is not None
        command = _typed(args, each.name)
        record = assemble(outcome, command, _capacity(each.family.product, corpus))
        file = None
        if record is not None:
            record, path = write(record, outcome.texts, folder)
            file = short(path)
            if not args.json:
                print("\n".join([*lines(record), f"wrote {file}", ""]))
        elif outcome.refusal is not None and not args.json:
            print(f"{each.name}: {outcome.refusal.kind}: {outcome.refusal.message}")
            print(f"  fix: {outcome.refusal.remedy}\n")
        answers.append(
            {
                "target": each.name,
                "file": file,
                "refusal": outcome.refusal and outcome.refusal.model_dump(mode="json"),
                "record": record and record.model_dump(mode="json"),
            }
        )
    if args.json:
        print(json.dumps({"schema_version": 1, "answers": answers}, indent=2))
    return 1 if missed else 0


def _typed(args: argparse.Namespace, target: str) -> str:
    """What a person types to repeat one target; a shape file by its name only."""
    words = ["kb measure compile", args.workload, "--target", target]
    words += ["--shapes", args.shapes.name] if args.shapes else []
    words += ["--mesh", args.mesh] if args.mesh else []
    words += ["--description", args.description.name] if args.description else []
    return " ".join(words)


def _on_mesh(shapes: Shapes, text: str | None) -> Shapes:
    """The program on another mesh, where one is given."""
    if text is None:
        return shapes
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(name and size.isdecimal() and int(size) > 0 for name, _, size in pairs):
        raise CheckError(f"{text!r} is no mesh.", "Type axes and sizes: --mesh data=2,model=4")
    mesh = {name: int(size) for name, _, size in pairs}
    used = {axis for _, array in shapes.arrays() for axes in array.spec
            for axis in ((axes,) if isinstance(axes, str) else axes or ())}  # fmt: skip
    if absent := sorted(used - set(mesh)):
        raise CheckError(
            f"The inputs of {shapes.id} are split over {', '.join(absent)}, and {text!r} has no "
            "such axis.",
            f"Name all of them: --mesh {','.join(f'{axis}=2' for axis in shapes.mesh or used)}",
        )
    return shapes.model_copy(update={"mesh": mesh})


def _capacity(product: str, corpus: Corpus) -> Capacity | None:
    """The claim that says most about what a program may use on one accelerator."""
    from kb.estimate import EstimateError
    from kb.estimate.fit import best_capacity
    from kb.model.artefact import Capacity
    from kb.operand import operand_of_claim
    from kb.qualifiers import Basis

    try:
        entry = best_capacity(product, corpus)
    except EstimateError:
        return None
    size = int(operand_of_claim(entry).quantity.base)
    basis = entry.claim.value_of("basis")
    return Capacity(claim=entry.id, bytes=size, basis=Basis.of(str(basis)))
