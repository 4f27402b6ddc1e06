"""One bad thing in one row: it is flagged or left out with a reason, and the rest comes in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.corpus import Corpus
from kb.home import Project
from kb.load import load
from kb.mlperf import Taken, selection, take
from kb.model.result import PublishedResult
from tests.mlperf.rows import row, summary

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(Project(ROOT), kinds=("specs",)).corpus


def taken(path: Path, corpus: Corpus, *only: str) -> Taken:
    found = take(path, corpus, chosen=selection(only))
    assert found.read == len(found.results) + len(found.skipped) + found.not_selected
    return found


def one(tmp_path: Path, corpus: Corpus, **changes: object) -> PublishedResult:
    """The result of one changed row; a sound row beside it must come in as well."""
    sound = row(ID="9.9-0002")
    found = taken(summary(tmp_path, row(**changes), sound), corpus)
    assert len(found.results) == 2
    assert not found.results[1].flags
    return found.results[0]


def flags(result: PublishedResult) -> list[str]:
    return [flag.kind.value for flag in result.flags]


def test_a_sound_row_has_every_qualifier(tmp_path: Path, corpus: Corpus) -> None:
    result = one(tmp_path, corpus)
    assert result.id == "9.9-0001-stable-diffusion-xl-offline"
    assert (result.published, result.metric) == ("19.25 samples/s", "rate")
    assert (result.accelerators.product, result.accelerators.total) == ("h200-sxm", 8)
    assert (result.division, result.availability, result.suite) == (
        "closed", "available", "datacenter",
    )  # fmt: skip
    assert result.verification == "verified"
    assert [(a.metric, a.met) for a in result.accuracy] == [
        ("CLIP_SCORE", True), ("FID_SCORE", True),
    ]  # fmt: skip
    assert "row 1" in result.locator
    assert flags(result) == []


@pytest.mark.parametrize(
    ("changes", "flag"),
    [
        ({"Accelerator": "", "count": ""}, "no_accelerator"),
        ({"Accelerator": "Abacus 9000"}, "unknown_accelerator"),
        ({"Accelerator": "NVIDIA GB200", "count": 4}, "ambiguous_accelerator"),
        ({"Accelerator": "NVIDIA H200-SXM-141GB (x8), NVIDIA L4 (x2)"}, "mixed_accelerators"),
        ({"Accelerator": "Virtualized NVIDIA H200-SXM-141GB"}, "virtualised"),
        ({"count": "8"}, "count_as_text"),
        ({"count": "eight"}, "count_as_text"),
        ({"count": ""}, "count_missing"),
        ({"Performance_Units": "Latency (ms)"}, "latency_for_throughput"),
        ({"Performance_Units": "Queries/s", "Scenario": "Interactive"}, "unit_unfit"),
        ({"inferred": 1}, "inferred"),
        ({"errors": 2}, "not_compliant"),
        ({"compliance": 0}, "not_compliant"),
        ({"weight_data_types": "UNSET"}, "precision_unset"),
        ({"weight_data_types": "posit9"}, "precision_unread"),
        ({"Accuracy": "CLIP_SCORE: 31.75"}, "accuracy_missing"),
        ({"Accuracy": "CLIP_SCORE: 31.75  FID_SCORE: 25.1"}, "accuracy_missed"),
        ({"has_power": True}, "power_missing"),
        ({"has_power": True, "Power_Result": "much", "Power_Units": "Watts"}, "power_missing"),
    ],
)
def test_an_oddity_is_a_flag_and_the_row_comes_in(
    changes: dict[str, Any], flag: str, tmp_path: Path, corpus: Corpus
) -> None:
    assert flag in flags(one(tmp_path, corpus, **changes))


def test_a_count_as_text_still_counts(tmp_path: Path, corpus: Corpus) -> None:
    assert one(tmp_path, corpus, count="8").accelerators.total == 8


def test_processors_are_no_accelerators(tmp_path: Path, corpus: Corpus) -> None:
    result = one(tmp_path, corpus, Accelerator="", count="")
    assert (result.accelerators.product, result.accelerators.total) == ("other", None)


def test_the_rack_is_known_by_its_system_and_never_by_the_gpu(
    tmp_path: Path, corpus: Corpus
) -> None:
    rack = {"Accelerator": "NVIDIA GB300", "count": 4, "Nodes": 18}
    known = one(tmp_path, corpus, **rack, Platform="GB300-NVL72_x72")
    assert (known.accelerators.product, known.accelerators.total) == ("gb300-nvl72", 72)
    assert one(tmp_path, corpus, **rack, Platform="GB300-NVL8").accelerators.product == "other"


def test_a_whole_number_keeps_no_zero_that_its_writer_added(tmp_path: Path, corpus: Corpus) -> None:
    assert one(tmp_path, corpus, Performance_Result=102909.0).published == "102909 samples/s"


def test_formats_of_parts_are_kept_apart(tmp_path: Path, corpus: Corpus) -> None:
    stated = "{'clip1': 'fp32', 'unet': 'fp8'}"
    result = one(tmp_path, corpus, weight_data_types=stated)
    assert [(c.name, c.precision) for c in result.number_formats] == [
        ("clip1", "fp32"), ("unet", "fp8"),
    ]  # fmt: skip
    assert result.formats == "clip1 fp32, unet fp8"
    assert one(tmp_path, corpus, weight_data_types="clip1:fp32,unet:fp8").formats == result.formats


def test_measured_power_is_kept_with_its_unit(tmp_path: Path, corpus: Corpus) -> None:
    power = {"has_power": True, "Power_Result": 10400.9, "Power_Units": "Watts"}
    result = one(tmp_path, corpus, **power)
    assert result.power is not None
    assert (result.run, result.power.published) == ("power", "10400.9 W")
    energy = {"has_power": True, "Power_Result": 12.5, "Power_Units": "millijoules"}
    joules = one(tmp_path, corpus, **energy).power
    assert joules is not None
    assert (joules.metric, joules.published) == ("energy", "12.5 mJ")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"Performance_Result": None}, "no_performance"),
        ({"Performance_Result": "fast"}, "no_performance"),
        ({"Performance_Result": 0}, "no_performance"),
        ({"Performance_Result": True}, "no_performance"),
        ({"Performance_Units": "Furlongs/s"}, "no_performance"),
        ({"Scenario": "Sideways"}, "unknown_word"),
        ({"Category": "secret"}, "unknown_word"),
        ({"Availability": "someday"}, "unknown_word"),
        ({"version": "new"}, "unknown_word"),
        ({"Model": None}, "field_missing"),
        ({"Submitter": "  "}, "field_missing"),
    ],
)
def test_what_can_be_no_result_is_left_out_with_its_reason(
    changes: dict[str, Any], reason: str, tmp_path: Path, corpus: Corpus
) -> None:
    found = taken(summary(tmp_path, row(**changes), row(ID="9.9-0002")), corpus)
    assert [item.reason.value for item in found.skipped] == [reason]
    assert found.skipped[0].where == "row 1"
    assert len(found.results) == 1


def test_items_that_are_no_rows(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "summary_results.json"
    path.write_text(json.dumps([3, None, [], "text", row()]))
    found = taken(path, corpus)
    assert [item.reason.value for item in found.skipped] == ["no_object"] * 4
    assert len(found.results) == 1


def test_not_a_number_is_no_performance(tmp_path: Path, corpus: Corpus) -> None:
    path = tmp_path / "summary_results.json"
    path.write_text(json.dumps([row(Performance_Result=float("nan")), row(ID="9.9-0002")]))
    assert [s.reason.value for s in taken(path, corpus).skipped] == ["no_performance"]


def test_a_repeated_row_counts_once_and_a_second_of_one_id_twice(
    tmp_path: Path, corpus: Corpus
) -> None:
    other = row(Performance_Result=20.5)
    found = taken(summary(tmp_path, row(), row(), other), corpus)
    assert [item.reason.value for item in found.skipped] == ["repeated"]
    assert [r.id for r in found.results] == [
        "9.9-0001-stable-diffusion-xl-offline",
        "9.9-0001-stable-diffusion-xl-offline-2",
    ]
    assert all(flags(result) == ["duplicate_id"] for result in found.results)


@pytest.mark.parametrize("cut", [40, 700, 1500, 2400])
def test_a_file_that_breaks_off_gives_what_is_whole(
    cut: int, tmp_path: Path, corpus: Corpus
) -> None:
    path = summary(tmp_path, row(), row(ID="9.9-0002"), row(ID="9.9-0003"))
    text = path.read_text("utf-8")
    path.write_text(text[:cut], "utf-8")
    found = taken(path, corpus)
    assert found.skipped[-1].reason.value == "cut_off"
    assert "line " in found.skipped[-1].note
    assert len(found.results) == text[:cut].count("\n  }")


def test_only_chooses_and_says_how_many_it_left(tmp_path: Path, corpus: Corpus) -> None:
    path = summary(tmp_path, row(), row(ID="9.9-0002", Scenario="Server"), row(ID="9.9-0003"))
    found = taken(path, corpus, "scenario=server", "product=h200-sxm,hgx-b200")
    assert [result.entry for result in found.results] == ["9.9-0002"]
    assert found.not_selected == 2
