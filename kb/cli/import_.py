"""`kb import`: foreign decision records become ours, published results become evidence."""

from __future__ import annotations

import argparse
import datetime
import os
from pathlib import Path

from kb.cli import published
from kb.cli.days import day
from kb.cli.desk import put_back
from kb.cli.project import open_project
from kb.finding import CheckError
from kb.home import Project
from kb.records.dialects import read_logs
from kb.records.dialects.convert import Converted, Mark, convert_log, marks, marks_of
from kb.records.history import taken_ids
from kb.records.write import replace_all


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser("import", help="read records of other tools into this project")
    kinds = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    records = kinds.add_parser("decisions", help="decision records of any dialect")
    records.add_argument("folder", type=Path, metavar="DIR", help="folder of the records")
    records.add_argument("--dry-run", action="store_true", help="say what would be written")
    records.add_argument("--today", type=day, default=None, help="the day of the import")
    published.add_parser(kinds)


def run(args: argparse.Namespace) -> int:
    """Do what the word behind `kb import` says."""
    return published.run(args) if args.what == "mlperf" else _decisions(args)


def _decisions(args: argparse.Namespace) -> int:
    """Write one file a record, all or none, and say what a person has to look at."""
    project = open_project(args)
    today = args.today or datetime.datetime.now(tz=datetime.UTC).date()
    put_back(project)
    taken = taken_ids(project)
    before = _imported(project)
    known: list[tuple[str, str]] = []
    found: list[Converted] = []
    skipped: list[str] = []
    for log in read_logs(args.folder):
        own = marks_of(log, _place(args.folder, project, log.folder))
        here = [(path, before[one]) for path, one in own.items() if one in before]
        known += [(f"{log.folder}/{path}".lstrip("/"), key) for path, key in here]
        converted = convert_log(log, taken, today, before, own)
        taken |= {item.id for item in converted}
        found += converted
        skipped += [f"{log.folder}/{name}".lstrip("/") for name in log.skipped]
        skipped += [finding.place.path for finding in log.unread]
    if not found and not known:
        raise CheckError(f"no decision record was found in {args.folder}", "name their folder")
    if found and not args.dry_run:
        folder = project.folder("decisions")
        folder.mkdir(parents=True, exist_ok=True)
        replace_all(folder, {item.name: item.text.encode("utf-8") for item in found})
    for item in found:
        print(f"{item.source.path} ({item.source.dialect}) → {project.decisions}/{item.name}")
        for note in item.notes:
            print(f"  {note}")
    for path, key in known:
        print(f"{path} is here already: decision {key}")
    for name in skipped:
        print(f"skipped {name}: it is no decision record")
    verb = "would be written" if args.dry_run else "written; next: kb check"
    print(f"{len(found)} records {verb}, {len(skipped)} files skipped")
    return 0


def _place(top: Path, project: Project, log: str) -> str:
    """Where a log lies, as seen from the project, so that another checkout says the same."""
    return os.path.normpath(os.path.relpath(top.resolve() / log, project.root.resolve()))


def _imported(project: Project) -> dict[Mark, str]:
    """Mark of the source → id, for the decisions here that an earlier import wrote."""
    return marks(
        {
            path.name.split("-")[0]: path.read_text("utf-8", errors="replace")
            for path in sorted(project.folder("decisions").glob("*.md"))
        }
    )
