"""Comparisons on pages: verdicts in words, and charts only where a ratio is allowed."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

import pytest

from kb.compare.text import WORDS
from kb.corpus import Corpus
from kb.pages import links
from kb.pages.comparison import _beside, chart
from kb.pages.matrix import span_of
from kb.pages.pairs import MOST_PAIRS, Matrix, lookalikes, product_pairs
from kb.pages.ratio import ratio, ratio_within
from kb.pages.text import chip
from kb.pages.verdicts import judge, verdict_block
from kb.pages.words import VERDICT_LOOK, badge
from kb.quantity import Interval
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
    assert "4.70 (the digits allow 4.67 to 4.73)" in text


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
    assert "4.50" in text


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
        span_of(judged)


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


def test_a_ratio_has_as_many_digits_as_its_range() -> None:
    assert ratio(Fraction(45, 8)) == "5.63"
    assert ratio(Fraction(3)) == "3.00"
    assert ratio(Fraction(9996, 1000)) == "10.00"
    assert ratio_within(Fraction(3), Interval(Fraction(47, 16), Fraction(49, 16))) == (
        "3.00 (the digits allow 2.94 to 3.06)"
    )
    assert ratio_within(Fraction(9, 2), Interval(Fraction(9, 2), Fraction(9, 2))) == "4.50"
    narrow = Interval(Fraction(24399, 10000), Fraction(24401, 10000))
    assert ratio_within(Fraction(61, 25), narrow) == "2.4400 (the digits allow 2.4399 to 2.4401)"


def test_a_matrix_counts_cautions_as_the_verdict_lists_them(
    site: dict[str, str], matrix: Matrix
) -> None:
    for group in matrix.groups:
        full = site[_beside(links.pair_path(matrix.left, matrix.right), group, "md")]
        for item in group.allowed:
            part = full.split(f'<details id="{item.anchor}"')[1].split("</details>")[0]
            assert part.count("kb-chip kb-caution") == len(item.verdict.cautions)
            cell = site[links.pair_path(matrix.left, matrix.right)].split(f"#{item.anchor})")[1]
            noted = re.match(r"(?:<br>[\d.]+ to [\d.]+)?<br>(\d+) caution", cell)
            assert int(noted[1] if noted else 0) == len(item.verdict.cautions)


def test_verdicts_are_counted_with_commas_on_one_line_with_their_labels(
    site: dict[str, str],
) -> None:
    counts = re.findall(r'<span class="kb-count">\d+ <span class="kb-chip.*?</span></span>',
                        site[links.COMPARISONS])  # fmt: skip
    assert len(counts) == len(VerdictKind)
    assert ", ".join(counts) in site[links.COMPARISONS]


def test_a_licence_leads_to_its_source(corpus: Corpus) -> None:
    text = block(corpus, ("hgx-b200/gpu-peak-bf16-sparse", "tpu-v6e/chip-peak-bf16"))
    assert "[libtpu-0.0.42.1](../sources/index.md#libtpu-0.0.42.1)" in text
    assert "[lenovo-b200](../sources/index.md#lenovo-b200) (FP16" in text
    assert "[hgx-b200/gpu-peak-bf16-dense](../products/hgx-b200.md#gpu-peak-bf16-dense), " in text


def test_the_verdicts_in_full_name_their_products(site: dict[str, str], matrix: Matrix) -> None:
    full = site[_beside(links.pair_path("hgx-b200", "tpu-v6e"), matrix.groups[0], "md")]
    assert "[HGX B200 against TPU v6e (Trillium)](hgx-b200--tpu-v6e.md)" in full


def test_the_examples_of_the_home_page_lead_to_their_verdicts(site: dict[str, str]) -> None:
    top = site[links.HOME].split("## What was decided")[0]
    targets = re.findall(
        r"^- \[\*\*.*?\]\(comparisons/hgx-b200--tpu-v6e\.md#([\w.-]+)\): ", top, re.M
    )
    assert len(targets) == 4
    for target in targets:
        assert f'<details id="{target}"' in site[links.pair_path("hgx-b200", "tpu-v6e")]


def test_no_two_headings_of_a_product_are_the_same(site: dict[str, str]) -> None:
    for path, text in site.items():
        if path.startswith("products/") and path.endswith(".md"):
            headings = re.findall(r"^### (.*) \{ #", text, re.M)
            assert len(headings) == len(set(headings)), path
    vmem = r"^### .+: on-chip memory capacity, core: core-vmem-capacity \{"
    assert re.search(vmem, site["products/tpu-v6e.md"], re.M)


def test_one_of_a_thing_is_no_plural(site: dict[str, str]) -> None:
    assert badge("x.md", "devices", 1) == chip("word", "1 accelerator")
    said = "\n".join(site[path] for path in site if path.startswith("products/"))
    assert not re.findall(r"[^\w.,-]1 (?:accelerator|claim|figure|value)s", said)


def test_the_axis_of_a_chart_fits_beside_long_names(matrix: Matrix) -> None:
    group = next(g for g in matrix.groups if g.title == "link bandwidth: scale-up link")
    drawn = chart(group, "hgx-b200", "tpu-v6e").file
    assert ">left over right (no unit), logarithmic<" in drawn
    assert ">dotted line: equal<" in drawn
