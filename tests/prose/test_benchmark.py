"""Sentences about published results: the quick ratio is wrong, the honest one is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.home import Project
from kb.load import load
from kb.prose.answer import answer
from kb.prose.benchmark import RULE
from kb.prose.known import Known, known

ROOT = Path(__file__).resolve().parents[2]
HONEST = (
    "Per accelerator, B200 (v5.1, fp8, available) has 2.92 times the offline throughput of "
    "v6e (v4.1, bf16, preview) on SDXL."
)


@pytest.fixture(scope="module")
def with_results() -> Known:
    return known(load(Project(ROOT), kinds=("specs", "imports")).corpus)


@pytest.fixture(scope="module")
def bare() -> Known:
    return known(load(Project(ROOT), kinds=("specs",)).corpus)


@pytest.mark.parametrize(
    "text",
    [
        "B200 is 5.8x faster than v6e on SDXL.",
        "On Stable Diffusion XL, HGX B200 is 5.84 times as fast as TPU v6e.",
        "v6e is 5.8x slower than B200 on stable-diffusion-xl.",
    ],
)
def test_the_ratio_of_totals_is_wrong_with_every_reason(text: str, with_results: Known) -> None:
    found = answer(text, with_results)
    assert found.verdict == "invalid"
    (remark,) = found.findings
    assert remark.rule == RULE
    assert set(remark.axes) == {
        "accelerator_count", "version", "availability", "number_formats",
    }  # fmt: skip
    for words in ("31.7754 samples/s on 8 ×", "5.43896 samples/s on 4 ×", "fp8", "preview"):
        assert words in remark.message
    assert remark.suggestion == "2.92"
    assert text[remark.start : remark.end].startswith("5.8")


def test_the_derived_ratio_needs_its_differences_said(with_results: Known) -> None:
    found = answer("B200 is 2.92x faster than v6e on SDXL.", with_results)
    assert found.verdict == "ambiguous"
    (remark,) = found.findings
    assert set(remark.axes) >= {"version", "availability", "number_formats", "normalisation"}
    assert answer(HONEST, with_results).verdict == "valid"


def test_a_comparison_without_a_factor_names_what_differs(with_results: Known) -> None:
    (remark,) = answer("B200 beats v6e on SDXL.", with_results).findings
    assert (remark.level, remark.rule) == ("open", RULE)
    assert "accelerator count" in remark.message


def test_equal_systems_of_one_round_compare(with_results: Known) -> None:
    text = "In offline SDXL with fp8, eight B200 are 1.66x faster than eight H200 SXM."
    found = answer(text, with_results)
    assert found.verdict != "invalid"
    assert "accelerator_count" not in {a for r in found.findings for a in r.axes}


def test_a_factor_that_nobody_published_is_asked_about(with_results: Known) -> None:
    (remark,) = answer("B200 is 40x faster than v6e on SDXL.", with_results).findings
    assert remark.level == "open"
    assert "no two published results" in remark.message


@pytest.mark.parametrize(
    "text",
    [
        "The claim that B200 is 5.8x faster than v6e on SDXL is wrong.",
        "SDXL runs on B200 and on v6e.",
        "B200 is fast on SDXL.",
        "B200 is 5.8x faster than v6e on Tetris.",
    ],
)
def test_what_says_nothing_about_two_results_is_left_alone(text: str, with_results: Known) -> None:
    assert not [r for r in answer(text, with_results).findings if r.rule == RULE]


def test_without_imports_nothing_is_said(bare: Known) -> None:
    text = "B200 beats v6e on SDXL by 5.8x."
    assert not [r for r in answer(text, bare).findings if r.rule == RULE]


def test_other_judgements_are_the_same_with_results_at_hand(
    with_results: Known, bare: Known
) -> None:
    for text in (
        "HGX B200 has 4.7 times the HBM bandwidth of v6e.",
        "One B200 GPU has 372 GB of HBM3E.",
        "HGX B200 offers 72 PFLOPS.",
    ):
        assert answer(text, with_results) == answer(text, bare)
