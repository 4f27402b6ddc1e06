"""What one side of a comparison is taken to mean, and what is never filled in."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from kb.corpus import Corpus
from kb.home import Project
from kb.load import load, load_files
from kb.operand import Given, Operand, needed_axes, operand_of_claim, operand_of_fields
from kb.qualifiers import Basis, Metric
from kb.quantity import QuantityError

CATALOGUE: Corpus = load(Project(Path(__file__).parents[2]), kinds=("specs",)).corpus

TWINS = load_files(
    {
        "specs/sources.yml": "sources: {s: {title: S, publisher: S, kind: vendor_page}}",
        "specs/x/x.yml": """
product: x
name: X
vendor: V
layer: accelerator
accelerator: gpu
summary: Two links print one number and disagree on their direction.
sparse_mode: {mode: none, source: s}
claims:
  - id: gpu-a
    metric: link_bandwidth
    scope: gpu
    interface: nvlink
    direction: one_way
    basis: vendor_peak
    statements:
      - {published: "900 GB/s", source: s}
  - id: gpu-b
    metric: link_bandwidth
    scope: gpu
    interface: nvlink
    direction: bidirectional_sum
    basis: vendor_peak
    statements:
      - {published: "0.9 TB/s", source: s}
      - {published: "450 GB/s", source: s, status: disputed, direction: one_way}
  - id: gpu-peak
    metric: compute_throughput
    scope: gpu
    precision: bf16
    sparsity: unstated
    engine: matrix
    basis: vendor_peak
    statements:
      - {published: "918 TFLOPS", source: s}
""",
    }
).corpus

LINK = {"product": "X", "metric": "link_bandwidth", "published": "900 GB/s"}


def side(corpus: Corpus = TWINS, /, **fields: object) -> Operand:
    return operand_of_fields(Given.model_validate(LINK | fields), corpus)


def test_an_axis_on_which_the_claims_agree_is_filled() -> None:
    operand = side()
    assert operand.word("scope") == "gpu"
    assert operand.word("interface") == "nvlink"
    assert operand.word("role") == "scale_up_link"
    assert operand.word("basis") == "vendor_peak"
    assert {entry.id for entry in operand.claims} == {"x/gpu-a", "x/gpu-b"}


def test_an_axis_on_which_the_claims_disagree_stays_missing() -> None:
    assert side().get("direction") is None


def test_what_is_stated_narrows_the_claims() -> None:
    operand = side(direction="one_way")
    assert {entry.id for entry in operand.claims} == {"x/gpu-a"}


@pytest.mark.parametrize(
    "fields",
    [
        {"published": "901 GB/s"},
        {"product": "Y"},
        {"metric": "memory_bandwidth"},
        {"scope": "board"},
        {"interface": "pcie"},
        {"basis": "measured"},
        {"published": "450 GB/s"},
    ],
    ids=str,
)
def test_nothing_is_filled_where_no_trusted_claim_prints_the_value(fields: dict[str, Any]) -> None:
    operand = side(**fields)
    assert operand.claims == ()
    assert operand.get("direction") is None


def test_an_explicit_unstated_is_never_filled() -> None:
    operand = side(direction="unstated", basis="unstated")
    assert operand.is_open("direction")
    assert operand.is_open("basis")


def test_a_missing_sparsity_is_not_filled_with_unstated_where_it_is_not_needed() -> None:
    fields = {"metric": "compute_throughput", "published": "918 TFLOPS"}
    assert side(**fields).get("sparsity") is None
    assert side(**fields).word("precision") == "bf16"
    assert side(**fields, sparsity="unstated").is_open("sparsity")


@pytest.mark.parametrize(
    ("scope", "count", "accelerators"),
    [
        ("gpu", None, 1),
        ("board", None, 8),
        ("board", 8, 8),
        ("die", None, None),
        ("die", 1, None),
        ("core", 1, None),
        ("rack", None, None),
        ("slice", 16, 16),
    ],
)
def test_a_scope_holds_so_many_accelerators(
    scope: str, count: int | None, accelerators: int | None
) -> None:
    operand = side(CATALOGUE, product="HGX B200", scope=scope, count=count)
    assert operand.accelerators == accelerators


@pytest.mark.parametrize(
    ("product", "scope", "count", "wrong"),
    [
        ("HGX B200", "board", 8, False),
        ("HGX B200", "board", 4, True),
        ("HGX B200", "board", 16, True),
        ("HGX B200", "gpu", 1, False),
        ("HGX B200", "gpu", 8, True),
        ("TPU v6e", "host", 4, False),
        ("TPU v6e", "host", 16, True),
        ("TPU v6e", "slice", 64, False),
        ("TPU v6e", "slice", 512, True),
        ("TPU v6e", "pod", 128, True),
        ("Acme A", "board", 4, False),
    ],
)
def test_a_count_that_contradicts_the_composition_is_noticed(
    product: str, scope: str, count: int, wrong: object
) -> None:
    operand = side(CATALOGUE, product=product, scope=scope, count=count)
    assert bool(operand.miscounted) is wrong
    if wrong:
        assert str(count) in operand.miscounted


@pytest.mark.parametrize(
    ("metric", "axes", "needed"),
    [
        (Metric.MEMORY_CAPACITY, {}, {"scope", "interface"}),
        (Metric.LINK_BANDWIDTH, {}, {"scope", "interface", "direction"}),
        (Metric.COMPUTE_THROUGHPUT, {}, {"scope", "precision", "sparsity"}),
        (Metric.POWER, {}, {"scope"}),
        (Metric.LATENCY, {}, {"boundary"}),
        (Metric.RATE, {}, {"scope", "boundary"}),
        (Metric.PRICE, {}, {"scope"}),
        (Metric.ENERGY, {}, {"scope"}),
        (Metric.ENERGY, {"basis": Basis.MEASURED}, {"scope", "boundary"}),
    ],
)
def test_a_metric_needs_its_axes(metric: Metric, axes: dict[str, object], needed: set[str]) -> None:
    assert needed_axes(metric, axes, None) == needed


def test_every_claim_of_the_catalogue_is_a_side_with_its_needed_axes_stated_or_open() -> None:
    for entry in CATALOGUE.claims.values():
        operand = operand_of_claim(entry)
        missing = needed_axes(operand.metric, operand.axes, operand.product) - set(operand.axes)
        assert missing <= {"sparsity"} - ({"sparsity"} & set(operand.axes)), entry.id
        assert operand.label == entry.id
        for statement in entry.claim.statements:
            assert operand_of_claim(entry, statement).quantity.text == statement.published


@pytest.mark.parametrize(
    "fields",
    [
        {"product": ""},
        {"metric": "bandwidth"},
        {"scope": "Chip"},
        {"count": "8"},
        {"count": 0},
        {"count": 8.0},
        {"count": True},
        {"direction": "both"},
        {"includes": []},
        {"includes": "hbm"},
        {"colour": "red"},
        {"terms": {"discount": "5 %"}},
    ],
    ids=str,
)
def test_a_field_that_is_no_word_of_its_axis_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Given.model_validate(LINK | fields)


@pytest.mark.parametrize("published", ["900 gbps", "fast", "900", "-900 GB/s"])
def test_a_printed_value_that_cannot_be_read_is_refused(published: str) -> None:
    with pytest.raises(QuantityError):
        side(published=published)
