"""Comparisons on pages: verdicts in words, and charts only where a ratio is allowed."""

from __future__ import annotations

import itertools

import pytest

from kb.compare.text import WORDS
from kb.corpus import Corpus
from kb.pages import links
from kb.pages.comparison import _beside, _values, chart
from kb.pages.pairs import MOST_PAIRS, Matrix, lookalikes, product_pairs
from kb.pages.verdicts import judge, verdict_block
from kb.pages.words import VERDICT_LOOK
from kb.verdict import VerdictKind

BANDWIDTH = ("hgx-b200/gpu-hbm-bandwidth", "tpu-v6e/chip-hbm-bandwidth")
LINK_AND_MEMORY = ("hgx-b200/gpu-nvlink-bandwidth", "tpu-v6e/chip-hbm-bandwidth")
BOARD_AND_CHIP = ("hgx-b200/board-nvlink-bandwidth", "tpu-v6e/chip-ici-bandwidth")


def block(corpus: Corpus, pair: tuple[str, str]) -> str:
    judged = judge(corpus, *pair)
    assert judged is not None
    return verdict_block("comparisons/x.md", judged, corpus)


def test_a_comparable_pair_shows_ratio_and_interval(corpus: Corpus) -> None:
    text = block(corpus, BANDWIDTH)
    assert "✓ comparable" in text
    assert "4.7 (the digits allow 4.669 to 4.733)" in text


def test_a_link_against_a_memory_shows_reasons_and_what_to_use(corpus: Corpus) -> None:
    text = block(corpus, LINK_AND_MEMORY)
    assert "✗ not comparable" in text
    assert "the other of a link" in text
    assert "Use instead" in text
    assert "ratio **" not in text


def test_an_open_axis_shows_what_settles_it_and_what_would_follow(corpus: Corpus) -> None:
    text = block(corpus, BOARD_AND_CHIP)
    assert "? undetermined" in text
    assert "What would settle it" in text
    assert "Steps that would be licensed" in text
    assert "2.25" in text
    assert "4.5" in text


def test_every_verdict_has_a_sign_and_a_word() -> None:
    assert set(VERDICT_LOOK) == set(VerdictKind) == set(WORDS)
    signs = {label[0] for _, label in VERDICT_LOOK.values()}
    assert signs == {"✓", "✗", "?"}


def test_the_lookalike_is_found_by_its_numbers(corpus: Corpus) -> None:
    found = lookalikes(corpus, "hgx-b200", "tpu-v6e")
    assert LINK_AND_MEMORY in [(j.left.id, j.right.id) for j in found]


def test_a_chart_holds_the_allowed_pairs_and_no_other(site: dict[str, str], matrix: Matrix) -> None:
    at = links.pair_path("hgx-b200", "tpu-v6e")
    for group in matrix.groups:
        path = _beside(at, group, "svg")
        if not group.allowed:
            assert path not in site
            continue
        drawn = site[path]
        for item in group.judged:
            label = f"/ {item.right.claim.id}"
            if item in group.allowed:
                assert label in drawn
        assert drawn.count("\n/ ") + drawn.count(">/ ") == len(group.allowed)


def test_where_no_pair_allows_a_ratio_the_reasons_stand(
    site: dict[str, str], matrix: Matrix
) -> None:
    page = site[links.pair_path("hgx-b200", "tpu-v6e")]
    refused = [g for g in matrix.groups if not g.allowed]
    assert refused
    assert page.count("**No chart:**") == len(refused)


def test_a_refused_pair_can_not_be_drawn(corpus: Corpus) -> None:
    judged = judge(corpus, *LINK_AND_MEMORY)
    assert judged is not None
    with pytest.raises(ValueError, match="allows no ratio"):
        _values(judged)


def test_a_drawing_is_the_same_twice(matrix: Matrix) -> None:
    group = next(g for g in matrix.groups if g.allowed)
    assert chart(group, "a", "b") == chart(group, "a", "b")


def test_every_cell_of_a_matrix_leads_to_a_verdict_in_full(
    site: dict[str, str], matrix: Matrix
) -> None:
    at = links.pair_path("hgx-b200", "tpu-v6e")
    for group in matrix.groups:
        full = site[_beside(at, group, "md")]
        for item in group.judged:
            assert f'<details id="{item.anchor}"' in full
            assert f"#{item.anchor})" in site[at]


def test_pairs_come_from_decisions_else_from_the_catalogue(corpus: Corpus) -> None:
    assert product_pairs(corpus) == [("hgx-b200", "tpu-v6e")]
    bare = type(corpus)(products=corpus.products, claims=corpus.claims)
    pairs = product_pairs(bare)
    assert 0 < len(pairs) <= MOST_PAIRS
    assert all(a != b for a, b in pairs)
    assert all((b, a) not in pairs for a, b in pairs)


def test_lessons_are_told_once(matrix: Matrix) -> None:
    shown = [j.anchor for j in itertools.chain.from_iterable(matrix.lessons.values())]
    assert len(shown) == len(set(shown))
