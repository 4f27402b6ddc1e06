"""`kb audit`: what binds a program or a source tree to one vendor, in counts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.cli.measure.arguments import seconds
from kb.finding import CheckError, quoted

if TYPE_CHECKING:
    from kb.measure.audit.answer import Audit, Declined
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
    parser.add_argument(
        "--max-seconds",
        type=seconds,
        default=900.0,
        metavar="S",
        help="time after which a compiler is stopped (default 900)",
    )
    parser.add_argument("--source", type=Path, metavar="DIR", help="source of the program")
    parser.add_argument("--profile", type=Path, metavar="FILE", help="an .xplane.pb of a device")
    parser.add_argument(
        "--program", metavar="NAME", help="the program to look at, where a profile holds several"
    )
    parser.add_argument("--days", type=Path, metavar="FILE", help="estimates by people (YAML)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Count and print; nothing is written."""
    from kb.measure.audit.answer import Audit
    from kb.measure.audit.days import held_against, read
    from kb.measure.audit.report import lines

    estimates = read(args.days) if args.days else None
    records, declined, scan = _looked_at(args)
    audit = Audit(args.what, records, scan, _runtime(args, records), None, declined)
    if estimates is not None:
        audit = replace(audit, days=held_against(estimates, audit.names))
    print(json.dumps(_data(audit), indent=2) if args.json else "\n".join(lines(audit)))
    return 1 if declined or any(record.refusal for record in records) else 0


def _looked_at(
    args: argparse.Namespace,
) -> tuple[tuple[Artefact, ...], tuple[Declined, ...], Scan | None]:
    """The compiled records, the targets that gave none, and the source scan asked for."""
    from kb.measure.audit.source import scan

    path = Path(args.what)
    seen = scan(_there(args.source)) if args.source else None
    if path.suffix == ".json" and path.is_file():
        return (_record(path),), (), seen
    if path.exists():
        return (), (), scan(path)
    if ":" not in args.what and (path.suffix or len(path.parts) > 1):
        raise CheckError(
            f"There is no file or folder {quoted(args.what)}.",
            "Correct the path; a function is written package.module:function.",
        )
    return *_compiled(args), seen


def _compiled(args: argparse.Namespace) -> tuple[tuple[Artefact, ...], tuple[Declined, ...]]:
    from kb.measure.audit.answer import Declined
    from kb.measure.compile.process import Request, compile_for
    from kb.measure.compile.program import find
    from kb.measure.compile.record import assemble
    from kb.measure.compile.targets import FAMILIES, target

    names = args.target or [family.example for family in FAMILIES.values()]
    wanted = [target(name) for name in dict.fromkeys(names)]
    shapes = find(args.what, args.shapes)
    records, declined = [], []
    for each in wanted:
        request = Request(shapes, each, None, args.max_seconds, sys.stderr.isatty())
        outcome = compile_for(request)
        record = assemble(outcome, f"kb audit {args.what}", None)
        if record is not None:
            records.append(record)
        elif outcome.refusal is not None:
            declined.append(Declined(each.name, outcome.refusal))
    return tuple(records), tuple(declined)


def _runtime(args: argparse.Namespace, records: tuple[Artefact, ...]) -> Runtime | None:
    if args.profile is None:
        return None
    from kb.measure.audit.profile import read, runtime
    from kb.measure.run.process import require_jax

    if len(records) != 1 or not records[0].variants:
        raise CheckError(
            "A profile is joined to one compiled program.",
            "Name one record, or one --target with the program.",
        )
    require_jax()
    return runtime(read(args.profile), records[0], args.program)


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

    days, scan = audit.days, audit.scan
    return {
        "schema_version": 1,
        "audited": audit.name,
        "shares": [each for record in audit.records for each in _shares(record)],
        "run_time": None if audit.runtime is None else _run_time(audit.runtime),
        "refused": [
            *({"target": each.target, "refusal": each.refusal.model_dump(mode="json")}
              for each in audit.declined),
            *({"target": r.target.product, "refusal": r.refusal.model_dump(mode="json")}
              for r in audit.records if r.refusal),
        ],
        "kernels_to_rewrite": [asdict(each) for each in audit.kernels],
        "engineering_days": None
        if days is None or not days.complete
        else {"low": days.low, "high": days.high, "by": sorted({e.by for e in days.used})},
        "estimates": [] if days is None else [e.model_dump(mode="json") for e in days.used],
        "not_estimated": list(audit.names if days is None else days.without),
        "tooling": [
            {"mark": t.mark.value, "name": t.name, "path": t.path, "line": t.line}
            for t in (scan.of("tooling") if scan else ())
        ],
        "not_read": list(scan.unread if scan else ()),
        "layers": [asdict(each) for each in layers(audit)],
        "binds": audit.binds.value,
    }  # fmt: skip


def _shares(record: Artefact) -> Iterator[dict[str, Any]]:
    """One row a group; null where there is no work of that kind to share."""
    from kb.model.share import GROUPS, flops, shares, touched

    kernels = [kernel for variant in record.variants for kernel in variant.kernels]
    for group in GROUPS if record.variants else ():
        yield {
            "record": record.id,
            "product": record.target.product,
            "group": group,
            "contraction_flops": list(shares(record, group)) if any(map(flops, kernels)) else None,
            "bytes": list(shares(record, group, touched)) if any(map(touched, kernels)) else None,
        }


def _run_time(seen: Runtime) -> dict[str, Any]:
    from kb.model.share import GROUPS

    shares = {group: seen.share(group) for group in (*GROUPS, "communication", "copies")}
    return {
        "devices": seen.devices,
        "program": seen.program,
        **shares,
        "unjoined": seen.unjoined / seen.busy if seen.busy else 0.0,
        "idle_nanoseconds": seen.idle,
        "asynchronous_nanoseconds": seen.asynchronous,
        "other_programs_nanoseconds": seen.others,
    }
