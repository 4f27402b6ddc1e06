"""The bulk judge gives what the one-by-one judge gives."""

from __future__ import annotations

import pytest

from kb.compare import compare
from kb.compare.matrix import compare_all
from kb.corpus import Corpus
from kb.home import Project, home
from kb.load import load
from kb.operand import Operand, operand_of_claim

PRODUCTS = ("tpu7x", "hgx-b300", "gb200-superchip", "h100-sxm", "h200-sxm", "gaudi3", "trainium2",
            "mi325x")  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Corpus:
    return load(Project(home()), only=PRODUCTS, kinds=("specs",)).corpus


def test_every_pair_gets_the_verdict_it_would_get_alone(catalogue: Corpus) -> None:
    sides: list[Operand] = [operand_of_claim(entry) for entry in catalogue.claims.values()]
    cells = list(compare_all(sides, catalogue))
    assert len(cells) == len(sides) * (len(sides) - 1) // 2 > 1000
    for cell in cells:
        verdict = compare(sides[cell.left], sides[cell.right], catalogue)
        assert cell.kind is verdict.kind
        if verdict.ratio is None or verdict.interval is None:
            assert cell.ratio is None
            continue
        wanted = verdict.ratio, verdict.interval.low, verdict.interval.high
        assert (cell.ratio, cell.low, cell.high) == pytest.approx(tuple(map(float, wanted)))
