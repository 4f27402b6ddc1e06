"""A whole check: what is known is taken from the cache, the rest is read and judged."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kb.checking import store
from kb.checking.encode import Plain, listed, report_out, text
from kb.checking.lazy import LazyCorpus, Reader
from kb.checking.part import WHOLE, Part, Result, kept_state, past_states
from kb.checking.record import summary_in, summary_out, unit_in, unit_out
from kb.checking.shelf import Shelf
from kb.checking.state import Files
from kb.checking.summary import Summary
from kb.checking.workers import judge_all
from kb.files import RawFile
from kb.home import Project
from kb.load import load
from kb.records.history import Commits, commits, with_history
from kb.rules.collect import Collected, collect
from kb.rules.locate import locate
from kb.rules.result import Report
from kb.rules.run import Facts, conclude, judge
from kb.rules.unit import Unit


@dataclass
class Known:
    """What the cache knows: summaries of files that are as they were, and results."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    plain: dict[str, Plain] = field(default_factory=dict)
    """Summaries as they lie in the cache, to be written again as they are."""


@dataclass(frozen=True)
class Outcome:
    """A report, and what to keep for the next run."""

    report: Report
    kept: Any = None
    """None where the run was not complete."""


def check_whole(
    project: Project, files: Files, today: datetime.date, stored: store.Stored | None, jobs: int
) -> Outcome:
    """Check a project whose files were read as bytes."""
    collected = collect(project)
    known = _known(files, stored)
    past = commits(project)
    part = Part(project, collected.rules, past)
    raw = {file.path: file for file in files.raw if file.path}
    coarse = any(rule.path.parent == project.folder("validators") for rule in collected.rules)

    def make(new: Mapping[str, Summary]) -> Shelf:
        every = {**known.summaries, **new}
        return Shelf(raw, {path: every[path] for path in raw}, coarse, past_states(past))

    def pending(shelf: Shelf) -> list[str]:
        return [
            p for p in (*shelf.own_paths(), WHOLE) if not _holds(known.results.get(p), p, shelf)
        ]

    unread = [file for path, file in raw.items() if path not in known.summaries]
    try:
        shelf, results = judge_all(part, unread, make, pending, jobs)
    except EOFError:  # a process was ended from outside: do it again in this one
        shelf, results = judge_all(part, unread, make, pending, 1)
    results = {**known.results, **results}
    wanted = (*shelf.own_paths(), WHOLE)
    if any(p not in results or _failed(results[p].unit) for p in wanted):
        whole = judge(with_history(load(project), project), collected, today)
        return Outcome(whole)
    results = {path: results[path] for path in wanted}
    report = _report(files, shelf, results, collected, today)
    return Outcome(report, _kept(files, shelf, results, known))


def _failed(unit: Unit) -> bool:
    return bool(unit.crashes or unit.failures)


def _holds(result: Result | None, path: str, shelf: Shelf) -> bool:
    """Whether a stored result is what judging would come to now."""
    return (
        result is not None
        and result.kept == kept_state(shelf, path)
        and result.state == shelf.state_of(result.asked)
    )


def _report(
    files: Files,
    shelf: Shelf,
    results: dict[str, Result],
    collected: Collected,
    today: datetime.date,
) -> Report:
    reader = Reader(shelf)
    corpus = LazyCorpus(reader)
    refused = (finding for key in shelf.overrides for finding in reader.product(key).refused)
    folders = [finding for file in files.raw if not file.path for finding in file.findings]
    facts = Facts(
        reading=(
            *(locate(finding, corpus) for finding in folders),
            *(item for summary in shelf.summaries.values() for item in summary.found),
            *(locate(finding, corpus) for finding in (*shelf.clashes, *refused)),
        ),
        whole=results[WHOLE].unit,
        recorded=shelf.recorded(),
    )
    units = {path: result.unit for path, result in results.items() if path != WHOLE}
    return conclude(facts, units, collected, today)


def _known(files: Files, stored: store.Stored | None) -> Known:
    """What a cache of this very program and these very rules knows."""
    known = Known()
    if stored is None or stored.code != files.code:
        return known
    try:
        data = stored.read("files")
        names = listed(data["names"], text)
        for path, (state, summary, result) in data["files"].items():
            if files.states.get(path) == state or path == WHOLE:
                if summary is not None:
                    known.summaries[path] = summary_in(summary)
                    known.plain[path] = summary
                if result is not None:
                    kept, asked, of_all, unit = result
                    known.results[path] = Result(
                        unit_in(unit), text(kept), tuple([names[i] for i in asked]), text(of_all)
                    )
    except store.BROKEN:
        return Known()
    return known


def _kept(files: Files, shelf: Shelf, results: dict[str, Result], known: Known) -> Plain:
    """What to keep. Names of what was asked for are written once."""
    numbers: dict[str, int] = {}
    kept: dict[str, Plain] = {}
    for path in (*shelf.summaries, WHOLE):
        result = results.get(path)
        summary = known.plain.get(path)
        if summary is None and path != WHOLE:
            summary = summary_out(shelf.summaries[path])
        kept[path] = [files.states.get(path, ""), summary, None]
        if result is not None:
            asked = [numbers.setdefault(name, len(numbers)) for name in result.asked]
            kept[path][2] = [result.kept, asked, result.state, unit_out(result.unit)]
    return {"names": list(numbers), "files": kept}


__all__ = ["Commits", "Outcome", "RawFile", "check_whole", "report_out"]
