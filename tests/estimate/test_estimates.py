"""Floors and fits, with right values worked out by hand on two small products."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.corpus import Corpus
from kb.estimate import Demand, EstimateError, Load, fit, roofline
from kb.estimate.fit import best_capacity
from kb.load import load_files
from kb.qualifiers import Precision

SOURCES = """
sources:
  sheet: {title: Sheet, publisher: Acme, kind: vendor_page}
"""

SPEC = """
product: a1
name: A1
vendor: Acme
layer: accelerator
accelerator: gpu
summary: A sound example.
composition: {board: {of: gpu, count: 8, source: sheet}}
direction_sums:
  - {interface: nvlink, source: sheet, locator: notes, reasoning: Adds both directions.}
claims:
  - {id: dense, metric: compute_throughput, scope: gpu, precision: bf16, sparsity: dense,
     basis: vendor_peak, statements: [{published: "2 PFLOPS", source: sheet}]}
  - {id: sparse, metric: compute_throughput, scope: gpu, precision: bf16, basis: vendor_peak,
     sparsity: structured_2_4, statements: [{published: "4 PFLOPS", source: sheet}]}
  - {id: open, metric: compute_throughput, scope: gpu, precision: bf16, basis: vendor_peak,
     sparsity: unstated, statements: [{published: "2 PFLOPS", source: sheet}]}
  - {id: board-dense, metric: compute_throughput, scope: board, precision: bf16, sparsity: dense,
     basis: vendor_peak, statements: [{published: "16 PFLOPS", source: sheet}]}
  - {id: hbm, metric: memory_bandwidth, interface: hbm, scope: gpu, basis: vendor_peak,
     statements: [{published: "8 TB/s", source: sheet}]}
  - {id: hbm-measured, metric: memory_bandwidth, interface: hbm, scope: gpu, basis: measured,
     statements: [{published: "7 TB/s", source: sheet}]}
  - {id: hbm-typical, metric: memory_bandwidth, interface: hbm, scope: gpu,
     basis: vendor_typical, statements: [{published: "7 TB/s", source: sheet}]}
  - {id: link, metric: link_bandwidth, interface: nvlink, scope: gpu, basis: vendor_peak,
     direction: bidirectional_sum, statements: [{published: "2 TB/s", source: sheet}]}
  - {id: link-open, metric: link_bandwidth, interface: nvlink, scope: gpu, basis: vendor_peak,
     direction: unstated, statements: [{published: "2 TB/s", source: sheet}]}
  - {id: capacity, metric: memory_capacity, interface: hbm, scope: gpu, basis: advertised,
     statements: [{published: "180 GB", source: sheet}]}
  - {id: usable, metric: memory_capacity, interface: hbm, scope: gpu, basis: usable,
     statements: [{published: "170 GB", source: sheet}]}
  - {id: board-capacity, metric: memory_capacity, interface: hbm, scope: board,
     basis: advertised, statements: [{published: "1.4 TB", source: sheet}]}
"""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    loaded = load_files({"specs/sources.yml": SOURCES, "specs/acme/a1.yml": SPEC})
    assert loaded.findings == ()
    return loaded.corpus


def test_the_floor_is_the_slowest_resource(corpus: Corpus) -> None:
    load = Load(Fraction(4 * 10**15), Fraction(8 * 10**12), Fraction(3 * 10**12), devices=1)
    floor = roofline(load, *(corpus.claims[f"a1/{n}"] for n in ("dense", "hbm", "link")))
    times = {resource.name: resource.seconds for resource in floor.resources}
    assert times == {"compute": 2, "memory": 1, "link": 3}
    assert floor.binding.name == "link"
    assert floor.intensity == 500


def test_a_mesh_splits_operations_and_bytes_but_not_what_each_device_sends(corpus: Corpus) -> None:
    load = Load(Fraction(16 * 10**15), Fraction(64 * 10**12), Fraction(10**12), devices=8)
    floor = roofline(load, *(corpus.claims[f"a1/{n}"] for n in ("dense", "hbm", "link")))
    assert [resource.seconds for resource in floor.resources] == [1, 1, 1]
    assert not floor.decided


def test_the_interval_of_the_digits_goes_through(corpus: Corpus) -> None:
    load = Load(Fraction(15 * 10**15), Fraction(1))
    floor = roofline(load, corpus.claims["a1/dense"], corpus.claims["a1/hbm"])
    compute = floor.resources[0].interval
    assert (compute.low, compute.high) == (Fraction(6), Fraction(10))
    assert floor.binding.seconds == Fraction(15, 2)
    assert floor.least == 6  # 2 PFLOPS may be 2.5, so the point is no bound


def test_a_board_total_is_divided_with_its_licence(corpus: Corpus) -> None:
    floor = roofline(
        Load(Fraction(2 * 10**15), Fraction(1)),
        corpus.claims["a1/board-dense"],
        corpus.claims["a1/hbm"],
    )
    assert floor.resources[0].seconds == 1
    assert "divide by 8 gpus per board" in floor.resources[0].rate.notes[0]


@pytest.mark.parametrize("memory", ["measured", "typical"])
def test_what_a_run_may_exceed_is_no_floor(corpus: Corpus, memory: str) -> None:
    with pytest.raises(EstimateError, match="no ceiling"):
        roofline(
            Load(Fraction(1), Fraction(1)),
            corpus.claims["a1/dense"],
            corpus.claims[f"a1/hbm-{memory}"],
        )


@pytest.mark.parametrize(
    ("compute", "link", "words"),
    [
        ("sparse", "link", "a dense program can't reach"),
        ("open", "link", "doesn't say whether its rate is dense"),
        ("hbm", "link", "is a memory_bandwidth"),
        ("dense", "link-open", "what one device can send is open"),
        ("dense", None, "no link claim"),
    ],
)
def test_a_claim_that_cannot_carry_the_floor_is_refused(
    corpus: Corpus, compute: str, link: str | None, words: str
) -> None:
    entry = corpus.claims[f"a1/{link}"] if link else None
    with pytest.raises(EstimateError, match=words) as caught:
        roofline(
            Load(Fraction(1), Fraction(1), Fraction(1)),
            corpus.claims[f"a1/{compute}"],
            corpus.claims["a1/hbm"],
            entry,
        )
    assert caught.value.remedy


def test_a_fit_counts_exact_bytes_and_takes_the_usable_capacity(corpus: Corpus) -> None:
    demand = Demand(
        parameters=80_000_000_000,
        precision=Precision.BF16,
        shards=2,
        optimizer_bytes=Fraction(2),
        activations=Fraction(5 * 10**9),
        replicated=Fraction(10**9),
        buffers=Fraction(10**9),
    )
    answer = fit(demand, best_capacity("a1", corpus))
    assert answer.needed == 80 * 10**9 + 80 * 10**9 + 5 * 10**9 + 10**9 + 10**9
    assert answer.capacity.claim == "a1/usable"
    assert answer.verdict == "fits"


@pytest.mark.parametrize(
    ("gigabytes", "verdict"), [(169, "fits"), (170, "undetermined"), (171, "does_not_fit")]
)
def test_digits_that_were_not_printed_leave_the_fit_undetermined(
    corpus: Corpus, gigabytes: int, verdict: str
) -> None:
    demand = Demand(1, Precision.FP8, activations=Fraction(gigabytes * 10**9) - 1)
    assert fit(demand, corpus.claims["a1/usable"]).verdict == verdict


def test_half_bytes_are_counted() -> None:
    assert Demand(3, Precision.FP4).parts()["parameters"] == Fraction(3, 2)


def test_the_memory_of_a_board_is_no_single_pool(corpus: Corpus) -> None:
    with pytest.raises(EstimateError, match="no single pool"):
        fit(Demand(1, Precision.BF16), corpus.claims["a1/board-capacity"])


def test_one_link_is_taken_times_the_links_of_a_device_or_refused() -> None:
    link = """
  - {id: one-link, metric: link_bandwidth, interface: nvlink, scope: gpu, basis: vendor_peak,
     direction: one_way, aggregation: per_link, statements: [{published: "50 GB/s", source: sheet}]}
"""
    counted = SPEC.replace(
        "claims:\n", "links: [{interface: nvlink, count: 18, source: sheet}]\nclaims:\n"
    )
    load = Load(Fraction(1), Fraction(1), Fraction(900 * 10**9))
    for spec, seconds in ((counted, Fraction(1)), (SPEC, None)):
        found = load_files({"specs/sources.yml": SOURCES, "specs/a1.yml": spec + link.lstrip("\n")})
        assert found.findings == ()
        claims = [found.corpus.claims[f"a1/{name}"] for name in ("dense", "hbm", "one-link")]
        if seconds is None:
            with pytest.raises(EstimateError, match="not about all links"):
                roofline(load, *claims)
        else:
            assert roofline(load, *claims).resources[-1].seconds == seconds


def test_a_cache_holds_no_model() -> None:
    spec = SPEC + (
        "  - {id: gpu-l2, metric: memory_capacity, interface: on_chip, scope: gpu,\n"
        '     basis: vendor_peak, statements: [{published: "126 MB", source: sheet}]}\n'
    )
    found = load_files({"specs/sources.yml": SOURCES, "specs/a1.yml": spec})
    with pytest.raises(EstimateError, match="no memory of the device that holds a model"):
        fit(Demand(1, Precision.BF16), found.corpus.claims["a1/gpu-l2"])
