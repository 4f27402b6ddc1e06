"""Situations of an architect, judged by the design before the code was run."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from kb.compare import compare, explained
from kb.home import Project
from kb.load import load
from kb.operand import Given, Operand, operand_of_claim, operand_of_fields
from kb.verdict import Verdict

ROOT = Path(__file__).parents[2]
CATALOGUE = load(Project(ROOT), kinds=("specs",)).corpus
SITUATIONS: list[dict[str, Any]] = yaml.safe_load(
    Path(__file__).with_name("situations.yml").read_text(encoding="utf-8")
)
BY_ID = {situation["id"]: situation for situation in SITUATIONS}


def _side(situation: dict[str, Any], side: str) -> Operand:
    return operand_of_fields(Given.model_validate(situation[side]), CATALOGUE)


def _verdict(situation: dict[str, Any]) -> Verdict:
    return compare(_side(situation, "left"), _side(situation, "right"), CATALOGUE)


def _fraction(text: object) -> Fraction:
    above, _, below = str(text).partition("/")
    return Fraction(above) / Fraction(below or "1")


def test_no_situation_is_written_twice() -> None:
    assert len(BY_ID) == len(SITUATIONS) >= 100


@pytest.mark.parametrize("name", BY_ID)
def test_a_situation_gets_the_verdict_of_the_design(name: str) -> None:
    situation = BY_ID[name]
    verdict = _verdict(situation)
    assert verdict.kind == situation["expect"], (situation["why"], verdict.reasons)
    wanted = situation.get("ratio")
    assert verdict.ratio == (None if wanted is None else _fraction(wanted))
    assert verdict.allows_ratio == (wanted is not None)
    assert set(situation.get("reasons", ())) <= {reason.axis for reason in verdict.reasons}
    assert set(situation.get("cautions", ())) <= {caution.about for caution in verdict.cautions}
    if "steps" in situation:
        assert [step.kind for step in verdict.derivation] == situation["steps"]
    if "conditional" in situation:
        ratios = sorted(float(item.ratio) for item in verdict.conditional)
        assert ratios == pytest.approx(situation["conditional"])
    shown = None if verdict.fraction is None else verdict.fraction.value
    assert shown == (_fraction(situation["fraction"]) if "fraction" in situation else None)


@pytest.mark.parametrize("name", BY_ID)
def test_a_situation_gets_the_mirrored_verdict_from_the_other_side(name: str) -> None:
    situation = BY_ID[name]
    verdict = _verdict(situation)
    mirrored = _verdict({"left": situation["right"], "right": situation["left"]})
    assert mirrored.kind == verdict.kind
    assert {r.axis for r in mirrored.reasons} == {r.axis for r in verdict.reasons}
    if verdict.ratio is not None:
        assert mirrored.ratio is not None
        assert verdict.ratio * mirrored.ratio == 1


@pytest.mark.parametrize(("precision", "said"), [("int8", True), ("fp8", False)])
def test_labels_are_said_to_count_alike_only_for_one_number_format(
    precision: str, *, said: bool
) -> None:
    left, right = (
        operand_of_fields(
            Given.model_validate(
                {"product": "x", "metric": "compute_throughput", "published": published,
                 "scope": "chip", "sparsity": "dense", "precision": format_}
            ),
            CATALOGUE,
        )
        for published, format_ in (("1836 TOPS", "int8"), ("4.5 PFLOPS", precision))
    )  # fmt: skip
    cautions = compare(left, right, CATALOGUE).cautions
    assert any("count the same operations" in caution.text for caution in cautions) is said


def _claim(key: str) -> Operand:
    return operand_of_claim(CATALOGUE.claims[key])


CLAIMS = [
    ("hgx-b200/gpu-hbm-clock", "hgx-b200/gpu-sm-clock", "not_comparable", "interface"),
    ("tpu-v4/chip-power-minimum", "tpu-v4/chip-power-maximum", "not_comparable", "power_state"),
    ("hgx-b200/board-nic-bandwidth", "tpu-v6e/host-nic-bandwidth", "not_comparable", "aggregation"),
    ("hgx-b200/gpu-hbm-reported", "hgx-b200/gpu-hbm-capacity", "not_comparable", "basis"),
    ("hgx-b200/gpu-peak-fp8-dense", "hgx-b200/gpu-peak-fp6-dense", "not_comparable", "precision"),
]


@pytest.mark.parametrize(("left", "right", "kind", "axis"), CLAIMS)
def test_two_claims_of_the_catalogue_and_no_remedy_that_leads_nowhere(
    left: str, right: str, kind: str, axis: str
) -> None:
    verdict = explained(_claim(left), _claim(right), CATALOGUE)
    assert verdict.kind == kind
    assert axis in {reason.axis for reason in verdict.reasons}
    assert "scope" not in {reason.axis for reason in verdict.reasons}
    assert left.partition("/")[0] != right.partition("/")[0] or verdict.use_instead == ()


def test_a_remedy_holds_under_strict_too() -> None:
    sides = _claim("tpu-v6e/chip-peak-bf16"), _claim("mi300x/gpu-peak-bf16-dense")
    assert explained(*sides, CATALOGUE, strict=True).use_instead == ()


def test_an_assessment_within_a_condition_is_shown() -> None:
    verdict = compare(
        _claim("gb200-superchip/board-nvlink-bandwidth"),
        _claim("gb200-nvl72/gpu-nvlink-bandwidth"),
        CATALOGUE,
    )
    assert verdict.kind == "undetermined"
    assert "assessed" in [step.kind for step in verdict.derivation]
    assert any("assessed" in caution.text for caution in verdict.cautions)


def test_an_exact_factor_keeps_its_digits_and_a_known_count_its_source() -> None:
    whole = {"product": "TPU v6e", "published": "8 TiB", "scope": "pod", "count": 256}
    chip = {"product": "TPU v5e", "published": "4096 GB", "scope": "chip"}
    left, right = (
        operand_of_fields(
            Given.model_validate({"metric": "memory_capacity", "interface": "hbm"} | side),
            CATALOGUE,
        )
        for side in (whole, chip)
    )
    steps = compare(left, right, CATALOGUE).derivation
    assert any("1099.511627776" in step.step for step in steps)
    assert any("composition of tpu-v6e" in step.licence for step in steps)
