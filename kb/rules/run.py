"""Running every rule over a corpus, file by file, and drawing up the report.

A rule that crashes is named and the others still run; the run then says that it was not
complete. Judging is pure: no files, no clock. `check_project` is the way in from outside.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kb.corpus import Corpus
from kb.files import INSTALLED
from kb.finding import Finding, Severity
from kb.home import Project
from kb.load import Loaded, load
from kb.rules.collect import Collected, collect
from kb.rules.fingerprint import fingerprinted
from kb.rules.loading import READING, told_notes
from kb.rules.locate import locate
from kb.rules.result import BlindSpots, Crash, Located, Report, RuleNote, Waived
from kb.rules.settle import Settled, settle
from kb.rules.unit import Unit, contents_by_path, judge_file, judge_whole
from kb.source import Part, Place


def check_project(project: Project, today: datetime.date | None = None) -> Report:
    """Load a project, collect its rules, and judge it.

    `today` decides which waivers have expired; the day of the run by default. Raises
    `CheckError` where the installation is broken.
    """
    from kb.records.history import with_history

    day = today or datetime.datetime.now(tz=datetime.UTC).date()
    return judge(with_history(load(project), project), collect(project), day)


def judge(loaded: Loaded, collected: Collected, today: datetime.date) -> Report:
    """Run all rules over what was loaded. Pure, and complete where no rule crashes."""
    corpus = loaded.corpus
    crashed: set[str] = set()
    units = {
        path: judge_file(path, contents, corpus, collected.rules, crashed)
        for path, contents in contents_by_path(corpus).items()
    }
    facts = Facts(
        reading=tuple(locate(finding, corpus) for finding in loaded.findings),
        whole=judge_whole(corpus, collected.rules, crashed),
        recorded=_recorded(corpus),
    )
    return conclude(facts, units, collected, today)


MOST_FINDINGS = 500
"""Findings of one file that a report lists."""
FURTHER = "further-findings"


@dataclass(frozen=True)
class Facts:
    """What a run knows beside the units of single files."""

    reading: tuple[Located, ...]
    """What was found while the files and their history were read."""
    whole: Unit
    """What the rules say that look at the whole corpus."""
    recorded: Collection[str]
    """Files that became a record."""


def conclude(
    facts: Facts, units: dict[str, Unit], collected: Collected, today: datetime.date
) -> Report:
    """Draw up the report from what was found in each of the project's own files."""
    every = (*units.values(), facts.whole)
    crashed = {crash.rule for unit in every for crash in unit.crashes}
    located = [*facts.reading, *(item for unit in every for item in unit.found)]
    noted = (pair for unit in every for pair in unit.waivers)
    unseen = _unseen(units) | _unread(facts.reading)
    settled = settle(located, noted, collected, crashed, today, unseen)
    settled.findings += _stops(units, collected)
    unread = {f.finding.place.path for f in facts.reading}
    unread = {path for path in unread if not path.startswith(INSTALLED)}
    return Report(
        findings=fingerprinted(_listed(sorted(settled.findings, key=lambda item: item.order))),
        waived=_waived(settled),
        crashes=_crashes(collected, every),
        blind=BlindSpots(
            claims_open=sum(unit.claims_open for unit in every),
            comparisons_undetermined=sum(unit.undetermined for unit in every),
            comparisons_unjudged=sum(unit.unjudged for unit in every),
            records_unparsed=len(unread - set(facts.recorded)),
        ),
        files=tuple(sorted({*units, *unread})),
        rules=len(collected.rules) - len(crashed),
        notes=(*_notes(collected, crashed), *told_notes()),
        skipped=collected.skipped,
    )


def _unseen(units: Mapping[str, Unit]) -> set[tuple[str, str]]:
    """Files in which a rule stopped, and those of what it found until then, with its slug."""
    found = {(path, slug) for path, unit in units.items() for slug in unit.stopped}
    for unit in units.values():
        for item in unit.found if unit.stopped else ():
            if item.finding.rule in unit.stopped:
                found.add((item.mark.path, item.finding.rule))
    return found


def _unread(reading: Iterable[Located]) -> set[tuple[str, str]]:
    """Kinds of findings that the reader looked for in only a part of a file, with its path."""
    partly = {f.mark.path for f in reading if f.finding.rule in (FURTHER, "oversized-document")}
    return {(path, slug) for path in partly for slug in READING}


def _stops(units: Mapping[str, Unit], collected: Collected) -> Iterator[Located]:
    """A finding for each rule that looked no further in a file; no waiver silences it."""
    severities = {rule.slug: rule.declared.severity for rule in collected.rules}
    for path, unit in units.items():
        for slug in unit.stopped:
            last = [item for item in unit.found if item.finding.rule == slug][-1]
            count = sum(item.finding.rule == slug for item in unit.found)
            message = f"'{slug}' stopped in this file after {count:,} findings, waived ones too"
            remedy = "correct the file, or split it, and check again"
            place = Place(path, (), Part.VALUE, last.mark.span)
            finding = Finding(FURTHER, severities[slug], message, place, remedy)
            yield Located(finding, last.mark)


def _listed(ordered: list[Located]) -> Iterator[Located]:
    """The findings, of one file no more than anybody reads; the rest of it is counted."""
    for _, group in itertools.groupby(ordered, key=lambda item: item.mark.path):
        items = list(group)
        yield from items[:MOST_FINDINGS]
        if rest := items[MOST_FINDINGS:]:
            worst = min((item.finding.severity for item in rest), key=list(Severity).index)
            message = f"{len(rest)} or more further findings in this file are not listed"
            remedy = "correct those above and check again"
            last = items[MOST_FINDINGS - 1]
            place = Place(last.mark.path, (), Part.VALUE, last.mark.span)
            yield Located(Finding(FURTHER, worst, message, place, remedy), last.mark)


def _crashes(collected: Collected, units: Iterable[Unit]) -> tuple[Crash, ...]:
    """Files that are no rule, comparisons that can't be judged, and rules by slug."""
    every = tuple(units)
    return (
        *(Crash(r.name, r.reason, r.remedy) for r in collected.refusals),
        *(crash for unit in every for crash in unit.failures),
        *sorted((c for unit in every for c in unit.crashes), key=lambda crash: crash.rule),
    )


def _recorded(corpus: Corpus) -> set[str]:
    """Files that became a record."""
    entries = (
        *corpus.sources.values(),
        *corpus.families,
        *corpus.products.values(),
        *corpus.decisions.values(),
        *corpus.evidence.values(),
        *corpus.imports.values(),
    )
    return {entry.place.path for entry in entries}


def _waived(settled: Settled) -> tuple[Waived, ...]:
    ordered = sorted(settled.waived, key=lambda item: item.located.order)
    named = fingerprinted(item.located for item in ordered)
    return tuple(Waived(one, item.reason) for one, item in zip(named, ordered, strict=True))


def _notes(collected: Collected, crashed: Collection[str]) -> Iterator[RuleNote]:
    for rule in collected.rules:
        if rule.slug not in crashed:
            text = rule.text
            told = f"{text.why}\n\n**Refused**\n\n{text.refused}\n\n**Accepted**\n\n{text.accepted}"
            yield RuleNote(rule.slug, rule.declared.severity, text.message, told)
