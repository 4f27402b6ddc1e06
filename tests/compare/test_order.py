"""A verdict depends on its two sides alone: not on what was judged before, nor beside it."""

from __future__ import annotations

import itertools
import random

import pytest

from kb.compare import judge
from kb.compare.judge import compare
from kb.compare.matrix import compare_all
from kb.load import load_files
from kb.operand import Operand, operand_of_claim

SHEET = "sources: {sheet: {title: Sheet, publisher: Example, kind: vendor_page}}\n"
LINK = "role: scale_up_link, direction: one_way, basis: vendor_peak"
KINDS = (
    "metric: memory_capacity, interface: on_chip, basis: advertised/50 MB",
    "metric: memory_capacity, interface: hbm, basis: advertised/50 GB",
    f"metric: link_bandwidth, interface: other Foo, {LINK}/50 GB/s",
    f"metric: link_bandwidth, interface: other Bar, {LINK}/60 GB/s",
    "metric: count, basis: advertised/4",
    "metric: count, basis: advertised/5 cores",
)


def product(key: str) -> str:
    """A product with each kind of claim twice, under two ids."""
    claims = [
        f"  - {{id: {slot}-{number}, scope: chip, {words}, "
        f'statements: [{{published: "{printed}", source: sheet}}]}}\n'
        for number, kind in enumerate(KINDS)
        for words, _, printed in (kind.partition("/"),)
        for slot in ("one", "two")
    ]
    head = f"product: {key}\nname: {key}\nvendor: {key}\nlayer: accelerator\n"
    return f"{head}accelerator: chip\nsummary: An example.\nclaims:\n{''.join(claims)}"


@pytest.fixture(scope="module")
def sides() -> list[Operand]:
    files = {"specs/sources.yml": SHEET} | {
        f"specs/{key}.yml": product(key) for key in ("acme", "bcme", "ccme")
    }
    loaded = load_files(files)
    assert loaded.findings == ()
    return [operand_of_claim(entry) for entry in loaded.corpus.claims.values()]


@pytest.mark.parametrize("seed", range(5))
def test_no_order_changes_a_verdict(
    sides: list[Operand], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = list(itertools.permutations(sides, 2))
    random.Random(seed).shuffle(pairs)  # noqa: S311 (an order is no secret)
    warm = [compare(*pair) for pair in pairs]
    monkeypatch.setattr(judge, "profiles", lambda _: None)
    assert warm == [compare(*pair) for pair in pairs]


def test_on_chip_memories_under_two_ids_keep_their_caution(sides: list[Operand]) -> None:
    named = {side.label: side for side in sides}
    assert not compare(named["acme/one-0"], named["bcme/one-0"]).cautions
    (caution,) = compare(named["acme/one-0"], named["bcme/two-0"]).cautions
    assert "a cache is no scratchpad" in caution.text


def test_all_at_once_say_what_each_pair_says(sides: list[Operand]) -> None:
    for cell in compare_all(sides):
        verdict = compare(sides[cell.left], sides[cell.right])
        said = sides[cell.left].label, sides[cell.right].label
        assert (cell.kind, cell.ratio is None) == (verdict.kind, verdict.ratio is None), said
