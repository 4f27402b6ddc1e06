"""`kb measure`: runs or compiles workloads and writes what they showed as evidence records."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kb.cli.catalogue import open_project
from kb.finding import CheckError
from kb.pages.words import name as words

if TYPE_CHECKING:
    from kb.corpus import Corpus
    from kb.measure.compile.program import Shapes
    from kb.model.artefact import Artefact, Capacity
    from kb.model.evidence import Ceiling, Evidence
    from kb.model.measurement import Measurement

DEFAULT_WORKLOAD = "matmul-512-f32"

Subparsers = argparse._SubParsersAction  # noqa: SLF001 (argparse gives the type no public name)


def add_parser(subparsers: Subparsers[argparse.ArgumentParser]) -> None:
    """Adds `measure` with its commands; `run` of this room answers all of them."""
    parser = subparsers.add_parser("measure", help="measure a workload on this machine")
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="run|compile|diff|list|device"
    )
    _add_run(actions)
    _add_compile(actions)
    listing = actions.add_parser("list", help="list the bundled workloads")
    listing.add_argument("--json", action="store_true", help="print them as JSON")
    device = actions.add_parser("device", help="show the device that a run would use")
    device.add_argument("--json", action="store_true", help="print it as JSON")


def _add_run(actions: Subparsers[argparse.ArgumentParser]) -> None:
    """Adds what measures on this machine."""
    one = actions.add_parser(
        "run",
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
        type=_samples,
        default=20,
        metavar="N",
        help="fewest samples (default 20); more follow until the median is steady and known "
        "within 1 %%",
    )
    one.add_argument(
        "--max-seconds",
        type=_seconds,
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


def _add_compile(actions: Subparsers[argparse.ArgumentParser]) -> None:
    """Adds what needs no device: compiling for absent products, and comparing the results."""
    one = actions.add_parser(
        "compile",
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
        type=_seconds,
        default=900.0,
        metavar="S",
        help="time after which a compiler is stopped (default 900)",
    )
    one.add_argument(
        "--out", type=Path, metavar="DIR", help="folder to write into (default: evidence/)"
    )
    one.add_argument("--json", action="store_true", help="print the answers as JSON")
    two = actions.add_parser("diff", help="what two compilers, or two versions, made of a program")
    two.add_argument("left", type=Path, metavar="RECORD", help="a record that compile wrote")
    two.add_argument("right", type=Path, metavar="RECORD", help="another one")
    two.add_argument("--json", action="store_true", help="print the table as JSON")


def run(args: argparse.Namespace) -> int:
    """Does what was asked; 0 or 1 as the gates say. Raises `CheckError` when it can't."""
    actions = {
        "run": _run,
        "compile": _compile,
        "diff": _diff,
        "list": _list,
        "device": _device,
    }
    return actions[args.action](args)


def _run(args: argparse.Namespace) -> int:
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
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    if args.json:
        data = {
            "schema_version": 1,
            "file": shown.as_posix(),
            "record": record.model_dump(mode="json"),
        }
        print(json.dumps(data, indent=2))
    else:
        print("\n".join([*describe(record), f"wrote {shown.as_posix()}"]))
    return 0 if record.publishable else 1


def _compile(args: argparse.Namespace) -> int:
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
            file = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
            if not args.json:
                print("\n".join([*lines(record), f"wrote {file.as_posix()}", ""]))
        elif outcome.refusal is not None and not args.json:
            print(f"{each.name}: {outcome.refusal.kind}: {outcome.refusal.message}")
            print(f"  fix: {outcome.refusal.remedy}\n")
        answers.append(
            {
                "target": each.name,
                "file": None if file is None else file.as_posix(),
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
    return shapes.model_copy(update={"mesh": {name: int(size) for name, _, size in pairs}})


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


def _diff(args: argparse.Namespace) -> int:
    from kb.model.sidebyside import differences, text

    rows = differences(_artefact(args.left), _artefact(args.right))
    if args.json:
        plain = [{"what": r.what, "left": r.left, "right": r.right, "note": r.note} for r in rows]
        print(json.dumps({"schema_version": 1, "rows": plain}, indent=2))
    else:
        print(text(rows))
    return 0


def _artefact(path: Path) -> Artefact:
    from pydantic import ValidationError

    from kb.model.artefact import parse

    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise CheckError(
            f"{path.name} is no record of a compiled program: {str(error).splitlines()[0]}",
            "Give a file that `kb measure compile` wrote.",
        ) from None


def describe(record: Evidence) -> list[str]:
    """The lines that tell a person what a record says and how far it reaches."""
    from kb.pages.evidence import queue_note
    from kb.qualifiers import Boundary

    lines = [f"{record.workload.id} on {record.device.kind} ({words(record.evidence_class)})"]
    lines += [f"  {_observed(seen)}" for seen in record.measurements]
    note = queue_note(record)
    lines += [f"    {note}"] if note else []
    steps = ", ".join(f"{words(step.boundary)} {_time(step.seconds)}" for step in record.stages)
    lines.append(f"  once: {steps} ({words(record.cache.state)})")
    floor = record.measurement(Boundary.WARM_HOST)
    if floor is not None:
        lines.append(f"  null call: {_time(floor.noise_floor.null_call_seconds)}")
    lines.append(f"  {record.device.speaks_for}")
    missed = [gate for gate in record.gates if not gate.passed]
    lines += [f"  not publishable, {gate.gate}: {gate.why}" for gate in missed]
    lines += [] if missed else [f"  publishable: all {len(record.gates)} gates passed"]
    return lines


def _observed(seen: Measurement) -> str:
    """One measurement: median, interval, and flags, which inform and decide nothing."""
    many = f" a call with {seen.calls_per_sample} in flight" if seen.calls_per_sample > 1 else ""
    line = f"{words(seen.boundary)}: median {_time(seen.median)}{many}, {seen.n} samples"
    if seen.interval is not None:
        low, high = _time(seen.interval.low), _time(seen.interval.high)
        line += f", {low} to {high} at {seen.interval.coverage:.1%}"
    return f"{line}; flags: {', '.join(map(words, seen.labels))}" if seen.labels else line


def _list(args: argparse.Namespace) -> int:
    from kb.measure.compile.program import bundled, read
    from kb.measure.workload import WORKLOADS

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


def _device(args: argparse.Namespace) -> int:
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


def _time(seconds: float) -> str:
    """A time with four digits and the unit that fits it."""
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.4g} {unit}"
    return f"{seconds / 1e-9:.4g} ns"


def _samples(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 500:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 1 to 500; type --samples 20")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        message = f"{text!r} is no time from 0 to 3600 seconds; type --max-seconds 20"
        raise argparse.ArgumentTypeError(message)
    return seconds


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
