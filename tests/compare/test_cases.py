"""The public cases: pairs of published values, each with a right answer."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.compare import compare
from kb.home import Project
from kb.load import load
from kb.operand import Given, Operand, operand_of_fields
from kb.verdict import Verdict

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "cases" / "comparisons.yml"
CATALOGUE = load(Project(ROOT), kinds=("specs",)).corpus
ALIKE = {"timing_boundary": "boundary"}


def _cases() -> list[dict[str, Any]]:
    if not CASES.is_file():
        return []
    cases: list[dict[str, Any]] = yaml.safe_load(CASES.read_text(encoding="utf-8"))
    return cases


def _side(fields: dict[str, Any]) -> Operand:
    return operand_of_fields(Given.model_validate(fields), CATALOGUE)


def _verdict(case: dict[str, Any]) -> Verdict:
    return compare(_side(case["left"]), _side(case["right"]), CATALOGUE)


@pytest.mark.skipif(not CASES.is_file(), reason="the public cases lie beside the checkout only")
def test_there_are_sixty_public_cases() -> None:
    assert len(_cases()) == 60


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["id"]))
def test_a_public_case_gets_its_right_answer(case: dict[str, Any]) -> None:
    verdict = _verdict(case)
    assert verdict.kind == case["expect"], (case["why"], verdict.reasons)
    wanted = case["ratio"]
    if wanted is None:
        assert verdict.ratio is None
        assert verdict.interval is None
    else:
        low, high = wanted if isinstance(wanted, list) else (wanted, wanted)
        assert verdict.ratio is not None
        assert verdict.interval is not None
        assert low * 0.99 <= float(verdict.ratio) <= high * 1.01
        assert verdict.ratio in verdict.interval
        assert verdict.interval.high / verdict.interval.low <= 1.25


@pytest.mark.parametrize("case", _cases(), ids=lambda case: str(case["id"]))
def test_a_public_case_that_is_refused_names_a_deciding_axis(case: dict[str, Any]) -> None:
    verdict = _verdict(case)
    if verdict.allows_ratio:
        assert verdict.reasons == ()
        return
    wanted = {ALIKE.get(axis, axis) for axis in case["reasons"]}
    assert wanted & {reason.axis for reason in verdict.reasons}
