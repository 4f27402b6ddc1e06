"""A whole check: what is known is taken from the cache, the rest is read and judged."""

from __future__ import annotations

import datetime
import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from kb.checking import store
from kb.checking.encode import Plain, listed, many, report_out, text, texts
from kb.checking.lazy import OPEN, LazyCorpus, Reader
from kb.checking.part import WHOLE, Part, Result, kept_state, past_states
from kb.checking.record import rule_in, rule_out, summary_in, summary_out, unit_in, unit_out
from kb.checking.shelf import Shelf
from kb.checking.state import Files
from kb.checking.summary import Summary, View
from kb.checking.workers import judge_all
from kb.corpus import Corpus
from kb.home import Project
from kb.records.commits import Commits, Version, commits
from kb.rules.collect import Collected, Rule, collect
from kb.rules.locate import locate
from kb.rules.result import Report
from kb.rules.run import Facts, conclude
from kb.rules.unit import Unit


@dataclass
class Known:
    """What is known before a check: of files that are as they were, and of results."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    results: dict[str, Result] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    """Of everything that the results depend on: the state for which they hold."""
    plain: dict[str, Plain] = field(default_factory=dict)
    """Summaries as they lie in the cache, to be written again as they are."""
    plain_results: dict[str, Plain] = field(default_factory=dict)
    """Results as they lie there."""
    views: dict[str, View] = field(default_factory=dict)
    """Files as they were read, where they are still in memory."""
    heads: tuple[Rule, ...] = ()
    """Rules of files that are as they were."""
    rules: Collected | None = None
    past: Commits | None = None
    versions: dict[str, tuple[Version, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """A report, and everything it was drawn up from."""

    report: Report
    corpus: Corpus
    rules: Collected
    known: Known
    """What the next check may begin with."""
    files: Files
    complete: bool
    """False where a rule crashed; everything was then judged in one piece, without results."""


def check_whole(
    project: Project,
    files: Files,
    today: datetime.date,
    known: Known,
    jobs: int,
    *,
    most: int | None = OPEN,
    drafts: Mapping[str, str] | None = None,
    remember: bool = True,
) -> Outcome:
    """Check a project whose files were read as bytes, with its `drafts` among them.

    `most` is the number of files that stay in memory meanwhile; None for all, also afterwards.
    Without `remember` there is nothing that a later check may begin with.
    """
    with uncollected():
        return _check_whole(project, files, today, known, jobs, most, drafts, remember)


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave out the search for garbage: a check makes millions of objects and next to no cycle.

    Peak memory is the same without it, and a tenth of the time is saved.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            # All that was made counts as old from here on; else the next few allocations would
            # start a search through all of it.
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def _check_whole(
    project: Project,
    files: Files,
    today: datetime.date,
    known: Known,
    jobs: int,
    most: int | None,
    drafts: Mapping[str, str] | None,
    remember: bool,  # noqa: FBT001 (passed on)
) -> Outcome:
    collected = known.rules or collect(project, known.heads)
    past = known.past
    if past is None:
        past = commits(project) if files.past else {}  # without a commit there is no history
    part = Part(project, collected.rules, past, dict(known.views), known.versions, most, remember)
    shelf, results = _judge(part, files, known, jobs)
    results = {**known.results, **results}
    wanted = (*shelf.own_paths(), WHOLE)
    complete = all(p in results and not _failed(results[p].unit) for p in wanted)
    results = {path: results[path] for path in wanted} if complete else {}
    plain = {path: known.plain[path] for path in shelf.summaries if path in known.plain}
    same = {path for path, one in results.items() if one is known.results.get(path)}
    plain_results = {path: one for path, one in known.plain_results.items() if path in same}
    asked = dict.fromkeys(name for result in results.values() for name in result.asked)
    after = Known(
        dict(shelf.summaries),
        results,
        shelf.states_of(asked),
        plain,
        plain_results,
        part.views,
        rules=collected,
        past=past,
        versions=part.versions,
    )
    if not complete:
        report, corpus = _in_one_piece(project, collected, today, drafts)
        return Outcome(report, corpus, collected, after, files, complete)
    reader = Reader(shelf, part.views, most)
    report = _report(files, reader, results, collected, today)
    return Outcome(report, LazyCorpus(reader), collected, after, files, complete)


def _in_one_piece(
    project: Project,
    collected: Collected,
    today: datetime.date,
    drafts: Mapping[str, str] | None,
) -> tuple[Report, Corpus]:
    """Judge everything at once, which rules that crash don't spoil."""
    from kb.load import load
    from kb.records.history import with_history
    from kb.rules.run import judge

    loaded = with_history(load(project, drafts=drafts), project)
    return judge(loaded, collected, today), loaded.corpus


def _judge(part: Part, files: Files, known: Known, jobs: int) -> tuple[Shelf, dict[str, Result]]:
    """Judge what isn't known or doesn't hold any more."""
    raw, past = {file.path: file for file in files.raw if file.path}, past_states(part.commits)
    own = part.project.folder("validators")
    coarse = any(rule.path.parent == own for rule in part.rules)

    def make(new: Mapping[str, Summary]) -> Shelf:
        every = {**known.summaries, **new}
        return Shelf(raw, {path: every[path] for path in raw}, coarse, past)

    def pending(shelf: Shelf) -> list[str]:
        changed, paths = shelf.changed(known.states), (*shelf.own_paths(), WHOLE)
        return [path for path in paths if not _holds(known.results.get(path), path, shelf, changed)]

    unread = [file for path, file in raw.items() if path not in known.summaries]
    try:
        return judge_all(part, unread, make, pending, jobs)
    except EOFError:  # a process was ended from outside: do it again in this one
        return judge_all(part, unread, make, pending, 1)


def _failed(unit: Unit) -> bool:
    return bool(unit.crashes or unit.failures)


def _holds(result: Result | None, path: str, shelf: Shelf, changed: set[str]) -> bool:
    """Whether a stored result is what judging would come to now."""
    return (
        result is not None
        and result.kept == kept_state(shelf, path)
        and changed.isdisjoint(result.asked)
    )


def _report(
    files: Files,
    reader: Reader,
    results: dict[str, Result],
    collected: Collected,
    today: datetime.date,
) -> Report:
    shelf, corpus = reader.shelf, LazyCorpus(reader)
    refused = (finding for key in shelf.overrides for finding in reader.product(key).refused)
    folders = [finding for file in files.raw if not file.path for finding in file.findings]
    facts = Facts(
        reading=(
            *(locate(finding, corpus) for finding in folders),
            *(item for summary in shelf.summaries.values() for item in summary.found),
            *shelf.doubled(),
            *(locate(finding, corpus) for finding in (*shelf.clashes, *refused)),
        ),
        whole=results[WHOLE].unit,
        recorded=shelf.recorded(),
    )
    units = {path: result.unit for path, result in results.items() if path != WHOLE}
    return conclude(facts, units, collected, today)


def known_from(files: Files, stored: store.Stored | None) -> Known:
    """What a cache of this very program and these very rules knows."""
    known = Known()
    if stored is None or stored.code != files.code:
        return known
    try:
        data = stored.read("files")
        known.heads = listed(data["rules"], rule_in)
        known.states = dict(data["states"])
        texts(list(known.states.values()))
        for path, (state, summary, result) in data["files"].items():
            if files.states.get(path) == state or path == WHOLE:
                if summary is not None:
                    known.summaries[path] = summary_in(summary)
                    known.plain[path] = summary
                if result is not None:
                    kept, asked, unit = result
                    known.results[path] = Result(unit_in(unit), text(kept), texts(asked))
                    known.plain_results[path] = result
    except store.BROKEN:
        return Known()
    return known


def kept_of(outcome: Outcome) -> Plain:
    """What to keep of a complete check; what was in the cache is written as it was."""
    known = outcome.known
    kept: dict[str, Plain] = {}
    for path in (*known.summaries, WHOLE):
        summary = known.plain.get(path)
        if summary is None and path != WHOLE:
            summary = summary_out(known.summaries[path])
        result = known.plain_results.get(path)
        if result is None and path in known.results:
            found = known.results[path]
            result = [found.kept, found.asked, unit_out(found.unit)]
        kept[path] = [outcome.files.states.get(path, ""), summary, result]
    rules = many(outcome.rules.rules, rule_out)
    return {"rules": rules, "states": known.states, "files": kept}


def keep(cache: Path, outcome: Outcome) -> None:
    """Leave what was found in a cache file."""
    if not outcome.complete:
        return
    whole, files = not outcome.report.crashes, outcome.files
    report = report_out(outcome.report) if whole else None
    store.save(cache, files.code, files.run if whole else "", report, kept_of(outcome))
