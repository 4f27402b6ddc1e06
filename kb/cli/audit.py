"""`kb audit`: what binds a program or a source tree to one vendor, in counts."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.finding import CheckError

if TYPE_CHECKING:
    from kb.measure.audit.answer import Audit
    from kb.measure.audit.profile import Runtime
    from kb.measure.audit.source import Scan
    from kb.model.artefact import Artefact


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "audit",
        help="what binds a program to one vendor",
        description="Exit code 0: counted. 1: a target refused the program, which is counted "
        "too. 2: nothing was counted.",
    )
    parser.add_argument(
        "what",
        metavar="TARGET",
        help="a source tree, a record of `kb measure compile`, a bundled workload, or "
        "package.module:function",
    )
    parser.add_argument("--target", action="append", metavar="PRODUCT:SHAPE")
    parser.add_argument("--shapes", type=Path, metavar="FILE", help="inputs of a function (YAML)")
    parser.add_argument("--source", type=Path, metavar="DIR", help="source of the program")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="an .xplane.pb of a device")
    parser.add_argument("--days", type=Path, metavar="FILE", help="estimates by people (YAML)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Count and print; nothing is written."""
    from kb.measure.audit.answer import Audit, lines
    from kb.measure.audit.days import held_against, read

    estimates = read(args.days) if args.days else None
    records, scan = _looked_at(args)
    audit = Audit(args.what, records, scan, _runtime(args, records))
    if estimates is not None:
        days = held_against(estimates, audit.names)
        audit = Audit(audit.name, records, scan, audit.runtime, days)
    print(json.dumps(_data(audit), indent=2) if args.json else "\n".join(lines(audit)))
    return 1 if any(record.refusal for record in records) else 0


def _looked_at(args: argparse.Namespace) -> tuple[tuple[Artefact, ...], Scan | None]:
    """The compiled records and the source scan that the arguments ask for."""
    from kb.measure.audit.source import scan

    path = Path(args.what)
    seen = scan(_there(args.source)) if args.source else None
    if path.suffix == ".json" and path.is_file():
        return (_record(path),), seen
    if path.exists():
        return (), scan(path)
    return _compiled(args), seen


def _compiled(args: argparse.Namespace) -> tuple[Artefact, ...]:
    from kb.measure.compile.process import Request, compile_for
    from kb.measure.compile.program import find
    from kb.measure.compile.record import assemble
    from kb.measure.compile.targets import FAMILIES, target

    names = args.target or [family.example for family in FAMILIES.values()]
    shapes = find(args.what, args.shapes)
    records = []
    for name in names:
        outcome = compile_for(Request(shapes, target(name), None, progress=sys.stderr.isatty()))
        record = assemble(outcome, f"kb audit {args.what}", None)
        if record is None:
            refusal = outcome.refusal
            text = refusal.message if refusal else "It gave no program."
            raise CheckError(f"{name}: {text}", refusal.remedy if refusal else "")
        records.append(record)
    return tuple(records)


def _runtime(args: argparse.Namespace, records: tuple[Artefact, ...]) -> Runtime | None:
    if args.profile is None:
        return None
    from kb.measure.audit.profile import read, runtime
    from kb.measure.run.process import require_jax

    if len(records) != 1:
        raise CheckError(
            "A profile is joined to one compiled program.",
            "Name one record, or one --target with the program.",
        )
    require_jax()
    return runtime(read(args.profile), records[0])


def _record(path: Path) -> Artefact:
    from pydantic import ValidationError

    from kb.model.artefact import parse

    try:
        return parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        raise CheckError(
            f"{path.name} is no record of a compiled program.",
            "Give a file that `kb measure compile` wrote.",
        ) from None


def _there(path: Path) -> Path:
    if not path.exists():
        raise CheckError(f"There is no {path.name!r} to read source from.", "Correct --source.")
    return path


def _data(audit: Audit) -> dict[str, Any]:
    from dataclasses import asdict

    from kb.measure.audit.answer import layers
    from kb.model.share import GROUPS, shares, touched

    days = audit.days
    return {
        "schema_version": 1,
        "audited": audit.name,
        "shares": [
            {
                "record": record.id,
                "product": record.target.product,
                "group": group,
                "contraction_flops": list(shares(record, group)),
                "bytes": list(shares(record, group, touched)),
            }
            for record in audit.records
            for group in GROUPS
            if record.variants
        ],
        "kernels_to_rewrite": [asdict(each) for each in audit.kernels],
        "engineering_days": None
        if days is None or not days.complete
        else {"low": days.low, "high": days.high, "by": sorted({e.by for e in days.used})},
        "layers": [asdict(each) for each in layers(audit)],
        "binds": audit.binds.value,
    }
