"""One file judged by every rule: what a run, a worker and the cache each do one at a time.

Nothing here looks at other files by itself: rules do, through the corpus.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.files import INSTALLED
from kb.model.product import Family, Product, Source
from kb.rules.blind import open_axes
from kb.rules.collect import Rule, aside
from kb.rules.declare import AnyRecord, Item, Over, Problem, StatementEntry
from kb.rules.locate import locate_problem, mark
from kb.rules.plan import Group, Subject, plan
from kb.rules.result import Crash, Located, Mark, reason_of
from kb.rules.waive import Waiver, waivers
from kb.verdict import VerdictKind

if TYPE_CHECKING:
    # A file without decisions is judged without what judges comparisons.
    from kb.model.artefact import Artefact
    from kb.model.decision import Decision
    from kb.model.evidence import Evidence
    from kb.model.kernels import KernelMatrix
    from kb.model.result import Import
    from kb.model.study import Study
    from kb.rules.judged import Judgements


@dataclass
class Contents:
    """The records of one file that count: not those whose id another file has first."""

    products: list[Entry[Product]] = field(default_factory=list)
    sources: list[Entry[Source]] = field(default_factory=list)
    families: list[Entry[Family]] = field(default_factory=list)
    decisions: list[Entry[Decision]] = field(default_factory=list)
    evidence: list[Entry[Evidence]] = field(default_factory=list)
    artefacts: list[Entry[Artefact]] = field(default_factory=list)
    imports: list[Entry[Import]] = field(default_factory=list)
    kernels: list[Entry[KernelMatrix]] = field(default_factory=list)
    studies: list[Entry[Study]] = field(default_factory=list)
    claims: list[ClaimEntry] = field(default_factory=list)
    """Claims of its products, or those that it lays over an installed product."""

    def items(self) -> Iterator[Item]:
        """Every record, kind by kind, and every claim."""
        yield from self.products
        yield from self.sources
        yield from self.families
        yield from self.decisions
        yield from self.evidence
        yield from self.artefacts
        yield from self.imports
        yield from self.kernels
        yield from self.studies
        yield from self.claims


@dataclass(frozen=True, slots=True)
class Unit:
    """What all rules say about one file."""

    found: tuple[Located, ...] = ()
    waivers: tuple[tuple[Waiver, Mark], ...] = ()
    claims_open: int = 0
    undetermined: int = 0
    unjudged: int = 0
    failures: tuple[Crash, ...] = ()
    """Comparisons at which our own judging failed."""
    crashes: tuple[Crash, ...] = ()
    """Rules that did not finish."""
    stopped: tuple[str, ...] = ()
    """Rules that found so much that they looked no further."""


def contents_by_path(corpus: Corpus) -> dict[str, Contents]:
    """The project's own records, by the file that holds them."""
    found = {path: Contents() for path in corpus.documents if not path.startswith(INSTALLED)}
    kinds: tuple[tuple[str, Iterable[Entry[AnyRecord] | ClaimEntry]], ...] = (
        ("products", corpus.products.values()),
        ("sources", corpus.sources.values()),
        ("families", corpus.families),
        ("decisions", corpus.decisions.values()),
        ("evidence", corpus.evidence.values()),
        ("artefacts", corpus.artefacts.values()),
        ("imports", corpus.imports.values()),
        ("kernels", corpus.kernels.values()),
        ("studies", corpus.studies.values()),
        ("claims", corpus.claims.values()),
    )
    for kind, entries in kinds:
        for entry in entries:
            if entry.own:
                getattr(found[entry.place.path], kind).append(entry)
    return found


def judge_file(
    path: str, contents: Contents, corpus: Corpus, rules: Collection[Rule], without: set[str]
) -> Unit:
    """Run all rules but those `without`; a rule that crashes is put into that set."""
    document = corpus.documents[path]
    judgements = _judgements(contents.decisions, corpus)
    judged = [one for found in judgements for one in found.judged]
    ran = run_rules(_Subjects(contents, judgements), corpus, rules, without)
    return Unit(
        found=ran.found,
        waivers=tuple((w, mark(document, document.locate(w.place))) for w in waivers(document)),
        claims_open=sum(1 for entry in contents.claims if open_axes(entry)),
        undetermined=sum(1 for one in judged if one.verdict.kind is VerdictKind.UNDETERMINED),
        unjudged=sum(found.unjudged for found in judgements),
        failures=tuple(crash for found in judgements for crash in found.failures),
        crashes=ran.crashes,
        stopped=ran.stopped,
    )


def _judgements(decisions: list[Entry[Decision]], corpus: Corpus) -> list[Judgements]:
    """The comparisons of each decision, judged."""
    if not decisions:
        return []
    from kb.rules.judged import judge_decision

    return [judge_decision(entry, corpus) for entry in decisions]


def judge_whole(corpus: Corpus, rules: Collection[Rule], without: set[str]) -> Unit:
    """Run the rules that look at the whole corpus at once."""
    return run_rules(None, corpus, rules, without)


@dataclass(frozen=True)
class _Subjects:
    """Everything in one file that a rule may look at."""

    contents: Contents
    judgements: list[Judgements]

    def of(self, over: Over, corpus: Corpus) -> Iterator[tuple[object, ...]]:
        """Every thing of a kind, as arguments of a rule."""
        if over in ("comparison", "result_comparison"):
            for judgement in self.judgements:
                for pair in judgement.judged if over == "comparison" else judgement.results:
                    yield (pair,)
        elif over == "statement":
            for entry in self.contents.claims:
                for i, statement in enumerate(entry.claim.statements):
                    place = entry.place.at("statements", i)
                    yield StatementEntry(entry, statement, place), corpus
        else:
            for item in self._items(over):
                yield item, corpus

    def _items(self, over: Over) -> Iterable[Item]:
        match over:
            case "claim":
                return self.contents.claims
            case "product":
                return self.contents.products
            case "decision":
                return self.contents.decisions
            case "evidence":
                return self.contents.evidence
            case "artefact":
                return self.contents.artefacts
            case _:
                return self.contents.items()


def _named(subject: object) -> str:
    """What a message calls a thing that a rule looks at."""
    from kb.rules.judged import Judged
    from kb.rules.judged_results import JudgedResults

    match subject:
        case Corpus():
            return "the corpus"
        case Judged() | JudgedResults():
            return f"{subject.left.id} against {subject.right.id}"
        case StatementEntry():
            return subject.owner.id
        case ClaimEntry() | Entry():
            return _name(subject)
    return "something"


def _name(item: Item) -> str:
    if isinstance(item, ClaimEntry):
        return item.id
    match item.value:
        case Product(product=name) | Family(name=name):
            return name
        case Source():
            return str(item.place.route[-1])
        case record:
            return record.id


MOST_OF_A_RULE = 1_000
"""Findings of one rule in one file; the report lists fewer, and says where a rule stopped."""


@dataclass
class _Ran:
    """What one rule came to in one file."""

    number: int
    rule: Rule
    found: list[Located] = field(default_factory=list)
    crash: Crash | None = None
    stopped: bool = False
    """Whether it found so much that it looked no further."""


def run_rules(
    subjects: _Subjects | None, corpus: Corpus, rules: Collection[Rule], without: set[str]
) -> Unit:
    """Every rule over what it looks at; what one found before it crashed is kept."""
    ran: list[_Ran] = []
    most = MOST_OF_A_RULE if subjects is not None else math.inf
    with aside():
        for over, groups in plan(rules).items():
            if (over == "corpus") == (subjects is None):
                seen: list[Subject] = [(corpus,)]
                if subjects is not None:
                    seen = [*subjects.of(over, corpus)]
                for group in groups if seen else ():
                    ran += _run_group(group, seen, corpus, without, most)
    without |= {one.rule.slug for one in ran if one.crash is not None}
    ran.sort(key=lambda one: one.number)
    return Unit(
        found=tuple(item for one in ran for item in one.found),
        crashes=tuple(one.crash for one in ran if one.crash is not None),
        stopped=tuple(one.rule.slug for one in ran if one.stopped),
    )


def _run_group(
    group: Group, seen: list[Subject], corpus: Corpus, without: set[str], most: float
) -> Iterator[_Ran]:
    """The rules of one group that have something to say."""
    try:
        asked, broken = group.asked(seen), None
    except Exception as error:  # noqa: BLE001 (a stranger's object, and a stranger's field)
        asked, broken = seen, error
    for number, rule in group.rules if asked else ():
        if rule.slug in without:
            continue
        if broken is not None:
            yield _Ran(number, rule, crash=_crash(rule, _named(seen[0][0]), broken))
        elif (ran := _run(number, rule, asked, corpus, most)) is not None:
            yield ran


def _run(
    number: int, rule: Rule, subjects: list[Subject], corpus: Corpus, most: float
) -> _Ran | None:
    """One rule over its subjects, up to so many findings; None where it has nothing to say."""
    check, seeing, ran = rule.declared.check, subjects[0][0], None
    try:
        for arguments in subjects:
            seeing = arguments[0]
            for problem in check(*arguments):
                if _installed(problem):
                    continue
                ran = ran or _Ran(number, rule)
                located = locate_problem(rule, problem, corpus)
                if len(ran.found) == most:
                    ran.stopped = True
                    return ran
                ran.found.append(located)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 (a rule may raise anything)
        ran = ran or _Ran(number, rule)
        ran.crash = _crash(rule, _named(seeing), error)
    return ran


def _installed(problem: object) -> bool:
    return isinstance(problem, Problem) and problem.place.path.startswith(INSTALLED)


def _crash(rule: Rule, what: str, error: BaseException) -> Crash:
    kind, _, text = reason_of(error).partition(": ")
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(rule.path)]
    where = f"line {frames[-1].lineno}" if frames else "outside the rule's own file"
    return Crash(
        rule.slug,
        f"{kind} at {what} ({where}): {text}",
        f"correct {rule.path.parent.name}/{rule.path.name}; the other rules ran",
    )
