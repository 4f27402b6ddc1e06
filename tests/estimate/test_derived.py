"""Computed values keep their parents, and stand beside what is printed."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.estimate import Derived, derived_of
from kb.load import load_files

SPEC = """
product: a1
name: A1
vendor: Acme
layer: accelerator
accelerator: chip
summary: An example.
composition: {host: {of: chip, count: 4}, pod: {of: chip, count: 256}}
sparse_mode: {mode: none, assessment: No page names one.}
claims:
  - {id: chip-peak-bf16, metric: compute_throughput, scope: chip, precision: bf16,
     basis: vendor_peak, sparsity: unstated, statements: [{published: "900 TFLOPs"}],
     assessments: [{axis: sparsity, value: dense, reasoning: The compiler says so.}]}
  - {id: chip-peak-int8, metric: compute_throughput, scope: chip, precision: int8,
     basis: vendor_peak, sparsity: unstated, statements: [{published: "1800 TOPs"}]}
  - {id: chip-hbm-bandwidth, metric: memory_bandwidth, interface: hbm, scope: chip,
     basis: vendor_peak, statements: [{published: "1600 GBps"}]}
  - {id: chip-pcie, metric: link_bandwidth, interface: pcie, scope: chip, basis: vendor_peak,
     direction: unstated, statements: [{published: "32 GB/s"}]}
  - {id: measured, metric: memory_bandwidth, interface: hbm, scope: chip, basis: measured,
     statements: [{published: "1400 GBps"}]}
  - {id: pod-peak-bf16, metric: compute_throughput, scope: pod, precision: bf16,
     basis: vendor_peak, sparsity: unstated, statements: [{published: "230.4 PFLOPs"}]}
  - {id: pod-hbm, metric: memory_bandwidth, interface: hbm, scope: pod, basis: vendor_peak,
     statements: [{published: "500 TB/s"}]}
"""


@pytest.fixture(scope="module")
def found() -> dict[str, Derived]:
    corpus = load_files({"specs/a1.yml": SPEC}).corpus
    return {item.title: item for item in derived_of("a1", corpus)}


def test_the_balance_divides_the_dense_peak_by_the_memory_bandwidth(
    found: dict[str, Derived],
) -> None:
    item = found["operations a byte, dense bf16"]
    assert item.value == Fraction(900_000, 1_600)
    assert item.parents == ("a1/chip-peak-bf16", "a1/chip-hbm-bandwidth")
    assert "assessed as dense" in item.notes[0]
    assert item.interval.low < item.value < item.interval.high


def test_an_open_sparsity_gives_no_balance(found: dict[str, Derived]) -> None:
    assert "operations a byte, dense int8" not in found


def test_a_total_is_a_multiple_of_its_parent_with_the_digits_carried(
    found: dict[str, Derived],
) -> None:
    item = found["host: hbm bandwidth"]
    assert (item.text, item.formula) == ("6.4 TB/s", "4 × 1600 GBps")
    assert item.interval.low == Fraction(4 * 1_599_500_000_000)
    assert item.printed is None


@pytest.mark.parametrize(
    ("title", "printed", "agrees"),
    [
        ("pod: peak bf16", "a1/pod-peak-bf16", True),
        ("pod: hbm bandwidth", "a1/pod-hbm", False),
    ],
)
def test_a_printed_total_stands_beside_the_computed_one(
    found: dict[str, Derived],
    title: str,
    printed: str,
    agrees: object,
) -> None:
    assert (found[title].printed, found[title].agrees) == (printed, agrees)


def test_what_stays_open_is_said(found: dict[str, Derived]) -> None:
    assert found["pod: peak int8"].notes == ("sparsity is unstated",)


def test_host_links_and_measurements_are_not_summed(found: dict[str, Derived]) -> None:
    assert not [title for title in found if "pcie" in title or "measured" in title]
