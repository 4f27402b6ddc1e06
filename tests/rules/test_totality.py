"""No refused comparison passes in silence, and no sound one is complained about.

Every axis on which `compare` can refuse has a rule; shown on pairs of the real catalogue.
"""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from kb.compare import judge
from kb.corpus import Corpus, Entry
from kb.finding import Severity
from kb.home import Project, home
from kb.load import load
from kb.model.decision import Comparison, Decision
from kb.rules.collect import collect
from kb.rules.declare import Problem
from kb.rules.judged import Judged, judge_comparisons
from kb.rules.judged_results import MUST_BE_SAID, JudgedResults
from kb.source import Place
from kb.verdict import StepKind, VerdictKind

RULES = [rule for rule in collect().rules if rule.declared.over == "comparison"]
RESULT_RULES = [r for r in collect().rules if r.declared.over == "result_comparison"]
NAMED = {
    "title": "All pairs",
    "status": "draft",
    "date": "2026-11-30",
}
PAIRS = 700
STEPS = [kind.value for kind in StepKind if kind is not StepKind.ASSESSED]


def catalogue() -> Corpus:
    return load(Project(home()), kinds=("specs",)).corpus


def judged_pairs(corpus: Corpus, *, name_all: bool) -> list[Judged]:
    """A spread of pairs over the catalogue; with `name_all`, the record names what it needs."""
    claims = sorted(corpus.claims)
    every = list(itertools.combinations(claims, 2))
    chosen = every[:: max(1, len(every) // PAIRS)]
    derivation = STEPS if name_all else []
    comparisons = [
        Comparison.model_validate(
            {
                "left": left,
                "right": right,
                "derivation": derivation,
                "assessments": [
                    f"{name}#{assessment.axis}"
                    for name in (left, right)
                    for assessment in corpus.claims[name].claim.assessments
                    if name_all
                ],
            }
        )
        for left, right in chosen
    ]
    decision = Decision.model_validate(NAMED | {"id": "0001", "comparisons": comparisons})
    entry = Entry(decision, Place("decisions/0001-pairs.md"))
    return list(judge_comparisons(_with(corpus, entry)).judged)


def _with(corpus: Corpus, entry: Entry[Decision]) -> Corpus:
    return Corpus(
        corpus.documents,
        corpus.sources,
        corpus.families,
        corpus.products,
        corpus.claims,
        {"0001": entry},
        {},
    )


def complaints(judged: Judged) -> list[tuple[str, Severity, Problem]]:
    return [
        (rule.slug, rule.declared.severity, problem)
        for rule in RULES
        for problem in rule.declared.check(judged)
        if isinstance(problem, Problem)
    ]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return catalogue()


def test_a_bare_pair_passes_only_when_it_is_comparable(corpus: Corpus) -> None:
    seen: set[VerdictKind] = set()
    for judged in judged_pairs(corpus, name_all=False):
        found = complaints(judged)
        errors = [slug for slug, severity, _ in found if severity is Severity.ERROR]
        kind = judged.verdict.kind
        seen.add(kind)
        pair = f"{judged.left.id} against {judged.right.id}: {kind} {found}"
        if kind is VerdictKind.COMPARABLE:
            assert not found, pair
        elif kind is VerdictKind.UNDETERMINED:
            assert found, pair
        else:
            assert errors, pair
    assert seen == set(VerdictKind)


def test_a_pair_whose_steps_are_named_passes_where_a_licence_exists(corpus: Corpus) -> None:
    for judged in judged_pairs(corpus, name_all=True):
        errors = [slug for slug, severity, _ in complaints(judged) if severity is Severity.ERROR]
        refused = judged.verdict.kind is VerdictKind.NOT_COMPARABLE
        assert bool(errors) is refused, f"{judged.left.id} against {judged.right.id}: {errors}"


def test_every_axis_that_can_refuse_has_a_rule() -> None:
    axes: set[str] = set()
    for path in Path(judge.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if called and node.func.attr == "differs" and isinstance(node.args[0], ast.Constant):  # type: ignore[attr-defined]
                axes.add(str(node.args[0].value))  # type: ignore[attr-defined]
    judging = (*RULES, *RESULT_RULES)
    sources = "".join(rule.path.read_text("utf-8") for rule in judging)
    assert axes
    assert [axis for axis in sorted(axes) if f'"{axis}"' not in sources] == []


def result_pairs(corpus: Corpus, *derivation: str) -> list[JudgedResults]:
    """A spread of pairs over the published results, every difference said."""
    every = list(itertools.combinations(sorted(corpus.results), 2))
    comparisons = [
        Comparison.model_validate(
            {"left": a, "right": b, "differences": MUST_BE_SAID, "derivation": derivation}
        )
        for a, b in every[:: max(1, len(every) // PAIRS)]
    ]
    decision = Decision.model_validate(NAMED | {"id": "0001", "comparisons": comparisons})
    entry = Entry(decision, Place("decisions/0001-pairs.md"))
    return list(judge_comparisons(replace(corpus, decisions={"0001": entry})).results)


@pytest.mark.parametrize("derivation", [(), ("assessed", "divide_by_count")])
def test_a_pair_of_results_gets_one_finding_or_none(derivation: tuple[str, ...]) -> None:
    judged = result_pairs(load(Project(home()), kinds=("specs", "evidence")).corpus, *derivation)
    assert len(judged) >= PAIRS
    seen: set[VerdictKind] = set()
    for pair in judged:
        assert pair.verdict is not None
        found = [p for rule in RESULT_RULES for p in rule.declared.check(pair)]
        passes = pair.verdict.allows_ratio and not pair.unnamed_assessment
        assert len(found) == (0 if passes else 1), f"{pair.left.id} against {pair.right.id}"
        seen.add(pair.verdict.kind)
    assert len(seen) >= 2
