"""Running every rule over a corpus, and turning places into lines and columns.

A rule that crashes is named and the others still run; the run then says that it was not
complete. Judging is pure: no files, no clock. `check_project` is the way in from outside.
"""

from __future__ import annotations

import datetime
import traceback
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from kb.corpus import Corpus
from kb.finding import Finding
from kb.home import Project
from kb.load import Loaded, load
from kb.records.history import with_history
from kb.rules.blind import blind_spots
from kb.rules.collect import Collected, Rule, aside, collect
from kb.rules.declare import Over, Problem, StatementEntry, odd_field
from kb.rules.fingerprint import fingerprinted
from kb.rules.judged import Judgements, judge_comparisons
from kb.rules.loading import told_notes
from kb.rules.result import Crash, Located, Mark, Report, RuleNote, Waived, reason_of
from kb.rules.settle import Settled, settle
from kb.source import Document, Position, Span

INSTALLED = "(installed)/"
"""How paths begin of what came with the installation; it is not the user's to correct."""


def check_project(project: Project, today: datetime.date | None = None) -> Report:
    """Load a project, collect its rules, and judge it.

    `today` decides which waivers have expired; the day of the run by default. Raises
    `CheckError` where the installation is broken.
    """
    day = today or datetime.datetime.now(tz=datetime.UTC).date()
    return judge(with_history(load(project), project), collect(project), day)


def judge(loaded: Loaded, collected: Collected, today: datetime.date) -> Report:
    """Run all rules over what was loaded. Pure, and complete where no rule crashes."""
    corpus = loaded.corpus
    judgements = judge_comparisons(corpus)
    located = [_locate(finding, corpus) for finding in loaded.findings]
    crashes = [Crash(r.name, r.reason, r.remedy) for r in collected.refusals]
    crashes += judgements.failures
    crashed: set[str] = set()
    for rule in collected.rules:
        outcome = _run(rule, corpus, judgements)
        located += outcome.found
        if outcome.crash is not None:
            crashes.append(outcome.crash)
            crashed.add(rule.slug)
    own = {path: d for path, d in corpus.documents.items() if not path.startswith(INSTALLED)}
    settled = settle(located, own.values(), collected, crashed, today)
    unread = {f.place.path for f in loaded.findings if not f.place.path.startswith(INSTALLED)}
    return Report(
        findings=fingerprinted(sorted(settled.findings, key=lambda item: item.order)),
        waived=_waived(settled),
        crashes=tuple(crashes),
        blind=blind_spots(corpus, judgements, unread),
        files=tuple(sorted({*own, *unread})),
        rules=len(collected.rules) - len(crashed),
        notes=(*_notes(collected, crashed), *told_notes()),
        skipped=collected.skipped,
    )


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


@dataclass(frozen=True)
class _Outcome:
    found: tuple[Located, ...]
    crash: Crash | None = None


def _run(rule: Rule, corpus: Corpus, judgements: Judgements) -> _Outcome:
    """One rule over everything that it looks at; what it found before a crash is kept."""
    found: list[Located] = []
    seeing = "the corpus"
    try:
        with aside():
            for what, arguments in _subjects(rule, corpus, judgements):
                seeing = what
                # `extend` keeps what came before an exception.
                found.extend(
                    _located(rule, problem, corpus)
                    for problem in rule.declared.check(*arguments)
                    if not _installed(problem)
                )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (a rule may raise anything)
        return _Outcome(tuple(found), _crash(rule, seeing, error))
    return _Outcome(tuple(found))


def _installed(problem: object) -> bool:
    return isinstance(problem, Problem) and problem.place.path.startswith(INSTALLED)


def _subjects(
    rule: Rule, corpus: Corpus, judgements: Judgements
) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Every thing that a rule looks at, with its name, as arguments of the rule."""
    over = rule.declared.over
    if over == "corpus":
        yield "the corpus", (corpus,)
    elif over == "comparison":
        for judged in judgements.judged:
            yield f"{judged.left.id} against {judged.right.id}", (judged,)
    elif over == "result_comparison":
        for published in judgements.results:
            yield f"{published.left.id} against {published.right.id}", (published,)
    elif over in ("claim", "statement"):
        yield from _claims(over, corpus)
    else:
        records = {
            "product": corpus.products,
            "decision": corpus.decisions,
            "evidence": corpus.evidence,
            "artefact": corpus.artefacts,
        }
        for name, record in records[over].items():
            if record.own:
                yield name, (record, corpus)


def _claims(over: Over, corpus: Corpus) -> Iterator[tuple[str, tuple[object, ...]]]:
    """The project's own claims, or each of their statements."""
    for entry in corpus.claims.values():
        if entry.own and over == "claim":
            yield entry.id, (entry, corpus)
        elif entry.own:
            for i, statement in enumerate(entry.claim.statements):
                place = entry.place.at("statements", i)
                yield entry.id, (StatementEntry(entry, statement, place), corpus)


def _crash(rule: Rule, what: str, error: BaseException) -> Crash:
    kind, _, text = reason_of(error).partition(": ")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(rule.path)]
    where = f"line {frames[-1].lineno}" if frames else "outside the rule's own file"
    return Crash(
        rule.slug,
        f"{kind} at {what} ({where}): {text}",
        f"correct {rule.path.parent.name}/{rule.path.name}; the other rules ran",
    )


def _located(rule: Rule, problem: object, corpus: Corpus) -> Located:
    if not isinstance(problem, Problem):
        raise TypeError(f"a rule must yield Problem, not {type(problem).__name__}")
    if odd := odd_field(problem):
        raise TypeError(f"the {odd} of a Problem has the wrong type")
    finding = Finding(
        rule.slug,
        rule.declared.severity,
        problem.message,
        problem.place,
        problem.remedy,
        problem.label,
        problem.related,
        problem.moved,
    )
    if problem.place.path not in corpus.documents:
        raise ValueError(f"{problem.place.path!r} is no document of the corpus")
    located = _locate(finding, corpus)
    if problem.within is None:
        return located
    document = corpus.documents[problem.place.path]
    span = _narrow(document, located.mark.span, *problem.within)
    return Located(finding, _mark(document, span), located.related)


def _locate(finding: Finding, corpus: Corpus) -> Located:
    """Resolve the places of a finding; a file that was never read has only its name."""
    nothing = Document(finding.place.path, "")
    document = corpus.documents.get(finding.place.path, nothing)
    related = []
    for label in finding.related:
        other = corpus.documents.get(label.place.path, Document(label.place.path, ""))
        related.append(_mark(other, other.locate(label.place), label.text))
    return Located(finding, _mark(document, document.locate(finding.place)), tuple(related))


def _mark(document: Document, span: Span, text: str = "") -> Mark:
    return Mark(document.path, span, _line(document, span.start.line), text)


def _line(document: Document, number: int) -> str:
    """A line of a document; many findings may lie in one file."""
    lines = _lines(document.text)
    return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def _narrow(document: Document, span: Span, start: int, end: int) -> Span:
    """A part of a scalar's text, where its text is printed as it is on one line."""
    line = _line(document, span.start.line)
    text = line[span.start.column - 1 : span.end.column - 1]
    quoted = text[:1] in ('"', "'")
    plain = text[1:-1] if quoted else text
    if span.start.line != span.end.line or "\\" in plain or "''" in plain or end > len(plain):
        return span
    first = span.start.column + quoted
    return Span(Position(span.start.line, first + start), Position(span.start.line, first + end))
