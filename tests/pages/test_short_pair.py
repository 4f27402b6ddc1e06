"""Short pages of two products: each cell is the judge's verdict, nothing is left without reason."""

from __future__ import annotations

import itertools
import re

import pytest

from kb.compare import compare
from kb.corpus import Corpus
from kb.operand import operand_of_claim
from kb.pages import links, short_pair
from kb.pages.matrix import span_of
from kb.pages.pairs import Matrix, groups_by, remembering
from kb.pages.ratio import allowed, ratio
from kb.pages.short_pair import MOST_SHORT, short_index, short_pages, short_pairs
from kb.pages.text import esc
from kb.qualifiers import Layer
from kb.verdict import Verdict

CELL = re.compile(r"\(choose\.md\?left=([\w./-]+)&right=([\w./-]+)\)")


def test_each_product_of_a_decision_stands_against_every_accelerator(
    site: dict[str, str], corpus: Corpus
) -> None:
    hardware = [k for k, e in corpus.products.items() if e.value.layer is Layer.ACCELERATOR]
    for named, other in itertools.product(("hgx-b200", "tpu-v6e"), hardware):
        if named != other:
            path = links.pair_path(*sorted((named, other)))
            assert path in site
            assert path.rpartition("/")[2] in site[links.COMPARISONS]


@pytest.mark.parametrize("other", ["mi300x", "h100-sxm"])
def test_a_cell_is_the_verdict_of_the_judge(
    site: dict[str, str], corpus: Corpus, other: str
) -> None:
    left, right = sorted(("hgx-b200", other))
    text = site[links.pair_path(left, right)]
    cells = CELL.findall(text)
    judged = [j for group in groups_by(corpus, left, right, compare) for j in group.judged]
    assert {(j.left.id, j.right.id) for j in judged} == set(cells)
    for item in judged:
        target = f"(choose.md?left={item.left.id}&right={item.right.id})"
        if item.verdict.ratio is None:
            assert all(esc(reason.why) in text for reason in item.verdict.reasons)
            continue
        value, span = span_of(item)
        assert f"**{ratio(value)}**]{target}" in text
        if span.low != span.high:
            assert allowed(span) in text.split(target)[1]
        assert all(esc(caution.text) in text for caution in item.verdict.cautions)


def test_where_there_would_be_too_many_none_is_made(
    corpus: Corpus, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 < len(short_pairs(corpus, [matrix])) <= MOST_SHORT
    monkeypatch.setattr(short_pair, "MOST_SHORT", 10)
    assert short_pages(corpus, [matrix], compare) == {}
    assert short_index(corpus, [matrix]) == ""


def test_a_remembering_judge_is_asked_once_and_answers_the_same(corpus: Corpus) -> None:
    asked: list[str] = []

    def judge(left: object, right: object, known: Corpus) -> Verdict:
        asked.append(f"{left}{right}")
        return compare(a, b, known)

    a = operand_of_claim(corpus.claims["hgx-b200/gpu-hbm-bandwidth"])
    b = operand_of_claim(corpus.claims["tpu-v6e/chip-hbm-bandwidth"])
    remembered = remembering(judge)
    assert remembered(a, b, corpus) == remembered(a, b, corpus) == compare(a, b, corpus)
    assert len(asked) == 1
