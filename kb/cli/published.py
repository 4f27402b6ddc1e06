"""`kb import mlperf PATH`: published MLPerf results become evidence of the class `imported`."""

from __future__ import annotations

import argparse
import datetime
import json
import shlex
from collections.abc import Iterator
from pathlib import Path

from kb.cli.catalogue import open_corpus
from kb.cli.days import day
from kb.cli.project import open_project
from kb.corpus import Corpus
from kb.finding import CheckError, quoted
from kb.mlperf import Taken, imported, selection, take
from kb.mlperf.identity import slug
from kb.mlperf.record import FIELDS
from kb.mlperf.summary import REVIEWED
from kb.model.result import FlagKind, Import, SkipReason, json_text
from kb.records.write import replace_all

ROWS_SHOWN = 20
"""Left-out rows that the text report names one by one; the file and `--json` hold all."""


def add_parser(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `kb import mlperf` with its arguments."""
    parser = kinds.add_parser(
        "mlperf",
        help="published MLPerf results: a summary_results.json or a submission folder",
        description="Exit code 0: everything asked for was taken over. 1: something could not "
        "be read and is listed. 2: nothing was read.",
    )
    parser.add_argument("path", type=Path, metavar="PATH", help="file or folder")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help=f"take a part: {', '.join(FIELDS)}; may be repeated, values separated by commas",
    )
    parser.add_argument("--id", metavar="NAME", help="id of the record (default: the round's)")
    parser.add_argument("--source", default="", metavar="ID", help="source in the catalogue")
    parser.add_argument("--round", default="", metavar="vN.N", help="round of a folder: v4.1")
    parser.add_argument(
        "--retrieved", type=day, default=None, metavar="DAY", help="day it was fetched"
    )
    parser.add_argument("--dry-run", action="store_true", help="report, and write nothing")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def run(args: argparse.Namespace) -> int:
    """Write one record of evidence, and say how many rows went where and why."""
    chosen = selection(args.only)
    if not args.path.exists():
        raise CheckError(f"there is no file or folder {quoted(str(args.path))}", "correct the path")
    corpus = open_corpus(args, kinds=("specs",)).corpus
    verified = _reviewed(args.source, corpus)
    taken = take(args.path, corpus, version=args.round, verified=verified, chosen=chosen)
    record = _record(args, taken)
    target = f"{open_project(args).evidence}/{record.id}.json"
    if record.results and not args.dry_run:
        folder = open_project(args).folder("evidence")
        folder.mkdir(parents=True, exist_ok=True)
        replace_all(folder, {f"{record.id}.json": json_text(record).encode("utf-8")})
        wrote = target
    else:
        wrote = ""
    if args.json:
        print(json.dumps(_data(record, wrote)))  # ASCII only: no text can command a terminal
    else:
        print("\n".join(_lines(record, taken, wrote, target)))
    return 1 if taken.skipped else 0


def _reviewed(source: str, corpus: Corpus) -> bool:
    """Whether a source is a results repository of MLCommons, whose content was reviewed."""
    if not source:
        return False
    entry = corpus.sources.get(source)
    if entry is None:
        raise CheckError(
            f"there is no source {quoted(source)}", "add it to sources.yml, or leave it out"
        )
    return (entry.value.address or "").startswith(REVIEWED)


def _record(args: argparse.Namespace, taken: Taken) -> Import:
    now = datetime.datetime.now(tz=datetime.UTC)
    rounds = dict.fromkeys(result.version for result in taken.results)
    name = args.id or f"mlperf-inference-{'-'.join(rounds) or 'nothing'}"
    if slug(name) != name:
        raise CheckError(f"{name!r} can't be an id", f"write --id {slug(name)}")
    options = [part for item in args.only for part in ("--only", item)]
    for option in ("id", "source", "round"):
        if value := getattr(args, option):
            options += [f"--{option}", value]
    command = shlex.join(["kb", "import", "mlperf", taken.name, *options])
    retrieved = (args.retrieved or now.date()).isoformat()
    return imported(taken, name, args.source, command, now, retrieved)


def _lines(record: Import, taken: Taken, wrote: str, target: str) -> Iterator[str]:
    tally = record.tally
    yield f"read      {tally.read:>6}  from {taken.name}"
    yield f"imported  {tally.imported:>6}"
    for kind, count in tally.flagged.items():
        yield f"  flagged {count:>6}  {FlagKind.of(kind).sentence}"
    out = sum(tally.skipped.values())
    yield f"left out  {out:>6}"
    for reason, count in tally.skipped.items():
        yield f"  because {count:>6}  {SkipReason.of(reason).sentence}"
    for item in taken.skipped[:ROWS_SHOWN]:
        yield f"    {item.where}: {item.note}"
    if len(taken.skipped) > ROWS_SHOWN:
        yield f"    and {len(taken.skipped) - ROWS_SHOWN} more; --json lists all"
    yield f"{tally.read} read = {tally.imported} imported + {out} left out"
    if wrote:
        yield f"wrote {wrote}; next: kb check"
    elif record.results:
        yield f"would write {target}"
    else:
        yield "nothing was written, since nothing was taken over"


def _data(record: Import, wrote: str) -> dict[str, object]:
    return {
        "schema_version": 1,
        "id": record.id,
        "wrote": wrote or None,
        **record.tally.model_dump(mode="json"),
        "left_out": [item.model_dump(mode="json") for item in record.skipped],
    }
