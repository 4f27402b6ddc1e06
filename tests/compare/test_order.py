"""A verdict depends on its two sides alone: not on what was judged before, nor beside it."""

from __future__ import annotations

import itertools
import random

import pytest

from kb.compare import judge
from kb.compare.judge import compare
from kb.compare.matrix import compare_all
from kb.corpus import Corpus
from kb.load import load_files
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields

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
def corpus() -> Corpus:
    files = {"specs/sources.yml": SHEET} | {
        f"specs/{key}.yml": product(key) for key in ("acme", "bcme", "ccme")
    }
    loaded = load_files(files)
    assert loaded.findings == ()
    return loaded.corpus


@pytest.fixture(scope="module")
def sides(corpus: Corpus) -> list[Operand]:
    return [operand_of_claim(entry) for entry in corpus.claims.values()]


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


PRINTED = {
    "memory_capacity": "50 GB", "link_bandwidth": "400 Gbit/s", "compute_throughput": "90 TFLOP/s",
    "power": "700 W", "count": "4", "latency": "3 ms", "energy": "5 J",
}  # fmt: skip
WORDS: dict[str, tuple[object, ...]] = {
    "interface": ("hbm", "on_chip", "other Foo", "other Bar", "unstated"),
    "role": ("device_memory", "on_chip_memory", "scale_up_link", "unstated"),
    "scope": ("chip", "die", "host", "unstated"),
    "layer": ("accelerator", "framework", "unstated"),
    "accumulator": ("fp32", "fp16", "unstated"),
    "power_state": ("maximum", "default", "unstated"),
    "direction": ("one_way", "bidirectional_sum", "unstated"),
    "basis": ("vendor_peak", "measured", "unstated"),
    "boundary": ("compile", "unstated"),
    "includes": (["hbm"], ["hbm", "on_chip"]),
}


def loose(corpus: Corpus, metric: str) -> list[Operand]:
    """Loose figures whose words are the same but for one or two, with the catalogue's claims."""
    common = {"metric": metric, "published": PRINTED[metric], "scope": "chip"}
    one = [{axis: word} for axis, some in WORDS.items() for word in some]
    two = [{"interface": i, "includes": ["hbm"]} for i in WORDS["interface"]]
    given = [common | words | {"product": product} for words in (*one, *two, {})
             for product in ("acme", "bcme", "nobody")]  # fmt: skip
    claims = [operand_of_claim(entry) for entry in corpus.claims.values()]
    same = [side for side in claims if side.metric == metric]
    return [*(operand_of_fields(Given.model_validate(g), corpus) for g in given), *same]


@pytest.mark.parametrize("metric", PRINTED)
def test_loose_figures_are_judged_alike_in_every_order_and_all_at_once(
    corpus: Corpus, metric: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = random.Random(metric).sample(loose(corpus, metric), 50)  # noqa: S311 (no secret)
    cells = list(compare_all(figures))
    pairs = [(figures[cell.left], figures[cell.right]) for cell in cells]
    warm = [compare(*pair) for pair in pairs]
    monkeypatch.setattr(judge, "profiles", lambda _: None)
    fresh = [compare(*pair) for pair in pairs]
    assert warm == fresh
    for cell, verdict, (left, right) in zip(cells, fresh, pairs, strict=True):
        said = left.label, left.axes, right.label, right.axes
        assert (cell.kind, cell.ratio is None) == (verdict.kind, verdict.ratio is None), said
