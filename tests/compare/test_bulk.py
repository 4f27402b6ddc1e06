"""Judging many pairs at once says what judging each pair says."""

from pathlib import Path

import pytest

from kb.compare import compare
from kb.compare.matrix import compare_all
from kb.home import Project
from kb.load import load
from kb.operand import Operand, operand_of_claim

CATALOGUE = load(Project(Path(__file__).parents[2]), kinds=("specs",)).corpus


@pytest.mark.parametrize("start", [0, 3])
def test_all_pairs_at_once_get_the_verdicts_of_each_pair(start: int) -> None:
    sides: list[Operand] = [operand_of_claim(entry) for entry in CATALOGUE.claims.values()]
    chosen = sides[start::7]
    assert len(chosen) > 50
    for cell in compare_all(chosen, CATALOGUE):
        left, right = chosen[cell.left], chosen[cell.right]
        verdict = compare(left, right, CATALOGUE)
        assert cell.kind is verdict.kind, (left.label, right.label)
        assert (cell.ratio is None) == (verdict.ratio is None)
        if verdict.ratio is not None and verdict.interval is not None:
            assert cell.ratio == pytest.approx(float(verdict.ratio))
            assert cell.low == pytest.approx(float(verdict.interval.low))
            assert cell.high == pytest.approx(float(verdict.interval.high))
