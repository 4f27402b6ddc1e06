"""Loose fields against what the catalogue prints under their value, and what a claim can't be."""

from pathlib import Path
from typing import Any

import pytest

from kb.compare import compare, explained
from kb.home import Project
from kb.load import load
from kb.operand import Given, operand_of_claim, operand_of_fields

ROOT = Path(__file__).parents[2]
CATALOGUE = load(Project(ROOT), kinds=("specs",)).corpus
COMPUTE = {"metric": "compute_throughput", "scope": "gpu", "basis": "vendor_peak"}
NVLINK = {"metric": "link_bandwidth", "scope": "gpu", "interface": "nvlink"}
CAPACITY = {"metric": "memory_capacity", "scope": "gpu", "interface": "hbm"}
H100 = COMPUTE | {"product": "H100 SXM", "precision": "bf16"}
B200 = COMPUTE | {"product": "HGX B200", "precision": "fp8"}


def doubts(fields: dict[str, Any]) -> str:
    """What is said about the fields beside the same fields of a product that nobody knows."""
    left, right = (
        operand_of_fields(Given.model_validate(side), CATALOGUE)
        for side in (fields, fields | {"product": "Acme X"})
    )
    said = (compare(left, right, CATALOGUE), compare(right, left, CATALOGUE))
    texts = ["; ".join(c.text for c in v.cautions if c.about == "conflict") for v in said]
    assert texts[0] == texts[1]
    return texts[0]


@pytest.mark.parametrize(
    ("fields", "instead"),
    [
        (H100 | {"published": "1,979 TFLOPS", "sparsity": "dense"}, "2:4 sparse"),
        (B200 | {"published": "4.5 PFLOPS", "sparsity": "structured_2_4"}, "dense"),
        (B200 | {"published": "2.25 PFLOPS", "sparsity": "dense"}, "bf16"),
        (NVLINK | {"product": "HGX B200", "published": "14.4 TB/s",
                   "direction": "bidirectional_sum"}, "board"),
        (NVLINK | {"product": "HGX B200", "published": "1.8 TB/s", "direction": "one_way"},
         "bidirectional sum"),
        (CAPACITY | {"product": "HGX B200", "published": "180 GB", "basis": "usable"},
         "advertised"),
    ],
)  # fmt: skip
def test_a_printed_value_under_another_word_is_doubted(
    fields: dict[str, Any], instead: str
) -> None:
    assert f"as {instead} (" in doubts(fields)


@pytest.mark.parametrize(
    "fields",
    [
        # As printed.
        H100 | {"published": "1,979 TFLOPS", "sparsity": "structured_2_4"},
        B200 | {"published": "4.5 PFLOPS", "sparsity": "dense"},
        # 989 is what TF32 does with sparsity, and BF16 without.
        H100 | {"published": "989 TFLOPS", "sparsity": "dense"},
        H100 | {"published": "989 TFLOPS", "sparsity": "unstated"},
        H100 | {"published": "1,979 TFLOPS", "precision": "fp8", "sparsity": "dense"},
        # An own observation, and a figure that only somebody doubted prints.
        H100 | {"published": "989 TFLOPS", "precision": "tf32", "sparsity": "dense",
                "basis": "measured", "boundary": "device_events"},
        {"metric": "power", "product": "HGX B200", "published": "1000 W", "scope": "gpu",
         "basis": "device_reported", "power_state": "maximum"},
        NVLINK | {"product": "HGX B200", "published": "900 GB/s", "direction": "one_way",
                  "aggregation": "total"},
        # A machine of one chip holds what the chip holds, and so does its only core.
        CAPACITY | {"product": "TPU v6e", "published": "32 GiB", "scope": "chip"},
        COMPUTE | {"product": "TPU v6e", "published": "918 TFLOPS", "scope": "core",
                   "precision": "bf16", "sparsity": "dense"},
    ],
)  # fmt: skip
def test_a_value_that_fits_or_is_another_figure_is_not_doubted(fields: dict[str, Any]) -> None:
    assert doubts(fields) == ""


@pytest.mark.parametrize(
    ("left", "right", "contradict"),
    [
        ({"basis": "vendor_typical"}, {}, False),
        ({"accumulator": "fp16"}, {}, False),
        ({}, {}, True),
        (
            {"metric": "power", "published": "350 W"},
            {"metric": "power", "published": "700 W"},
            False,
        ),
    ],
)
def test_two_figures_of_one_slot_contradict_each_other_only_where_both_say_the_same(
    left: dict[str, Any], right: dict[str, Any], *, contradict: bool
) -> None:
    fields = COMPUTE | {"product": "Acme X", "precision": "fp8", "sparsity": "dense"}
    if "metric" in left:
        fields = {"product": "Acme X", "scope": "gpu", "basis": "vendor_peak"}
    sides = (
        fields | {"published": "1.00 PFLOPS"} | left,
        fields | {"published": "2.00 PFLOPS"} | right,
    )
    one, other = (operand_of_fields(Given.model_validate(side), CATALOGUE) for side in sides)
    verdict = compare(one, other, CATALOGUE)
    assert verdict.kind == "comparable"
    assert ("conflict" in {caution.about for caution in verdict.cautions}) is contradict


def test_no_remedy_sets_a_product_beside_itself() -> None:
    left, right = (
        operand_of_fields(Given.model_validate(side), CATALOGUE)
        for side in (
            CAPACITY | {"product": "HGX B200", "published": "170 GB", "basis": "measured"},
            CAPACITY | {"product": "HGX B200", "published": "180 GB"},
        )
    )
    verdict = explained(left, right, CATALOGUE)
    assert (verdict.kind, verdict.use_instead) == ("not_comparable", ())


def test_a_rate_beside_its_printed_dense_row_is_not_read_as_dense() -> None:
    # Printed as sparse, in a pattern that its source leaves open: never the dense rate.
    for name, ratios in (
        ("trainium2/chip-peak-bf16-dense", 0),
        ("hgx-b200/gpu-peak-bf16-sparse", 1),
    ):
        left, right = (
            operand_of_claim(CATALOGUE.claims[key])
            for key in ("trainium2/chip-peak-bf16-sparse", name)
        )
        verdict = compare(left, right, CATALOGUE)
        assert verdict.kind == "undetermined"
        assert len(verdict.conditional) == ratios
        assert all(when[2] != "dense" for item in verdict.conditional for when in item.when)


def test_the_largest_job_of_a_pod_is_no_second_size_of_it() -> None:
    left, right = (
        operand_of_claim(CATALOGUE.claims[f"tpu-v5p/{name}"])
        for name in ("pod-chips", "slice-largest-job-chips")
    )
    verdict = compare(left, right, CATALOGUE)
    assert verdict.kind == "not_comparable"
    assert [reason.axis for reason in verdict.reasons] == ["scope"]
