"""Submission folders: what lies in four files becomes one result."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.finding import CheckError
from kb.home import Project
from kb.load import load
from kb.mlperf import Taken, selection, take
from tests.mlperf.rows import LOG, submission

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(Project(ROOT), kinds=("specs",)).corpus


def taken(path: Path, corpus: Corpus, version: str = "") -> Taken:
    found = take(path, corpus, version=version, chosen=selection(()))
    assert found.read == len(found.results) + len(found.skipped)
    return found


def test_a_folder_becomes_a_result(tmp_path: Path, corpus: Corpus) -> None:
    (result,) = taken(submission(tmp_path), corpus).results
    assert result.id == "acme-b200x8-stable-diffusion-xl-offline"
    assert (result.version, result.published, result.valid) == ("v4.1", "7.25 samples/s", True)
    assert (result.accelerators.product, result.accelerators.total) == ("hgx-b200", 8)
    assert [a.metric for a in result.accuracy] == ["CLIP_SCORE", "FID_SCORE"]
    assert result.formats == "unet fp8, vae fp32"
    assert result.software == "TensorRT 10, CUDA 13"
    assert result.verification == "unverified"


def test_a_figure_of_the_board_for_one_accelerator_is_kept_and_flagged(
    tmp_path: Path, corpus: Corpus
) -> None:
    (result,) = taken(submission(tmp_path), corpus).results
    assert "14.4 TB/s" in result.accelerators.interconnect
    (flag,) = result.flags
    assert flag.kind == "figure_of_board"
    assert "1.8 TB/s" in flag.note


def test_a_memory_that_the_catalogue_does_not_know_is_flagged(
    tmp_path: Path, corpus: Corpus
) -> None:
    path = submission(tmp_path, accelerator_memory_capacity="141 GB", accelerator_interconnect="")
    (result,) = taken(path, corpus).results
    assert [flag.kind for flag in result.flags] == ["figure_differs"]


def test_an_invalid_run_is_kept_and_flagged(tmp_path: Path, corpus: Corpus) -> None:
    (result,) = taken(submission(tmp_path, log=LOG.replace(": VALID", ": INVALID")), corpus).results
    assert result.valid is False
    assert result.flags[0].note == "Result is : INVALID"


def test_a_log_cut_before_its_verdict_is_invalid(tmp_path: Path, corpus: Corpus) -> None:
    (result,) = taken(submission(tmp_path, log=LOG.partition("Result")[0]
                                 + LOG[LOG.index("Results Summary"):].partition("Result is")[0]),
                      corpus).results  # fmt: skip
    assert result.valid is False


def test_a_log_without_a_value_is_left_out(tmp_path: Path, corpus: Corpus) -> None:
    (item,) = taken(submission(tmp_path, log=LOG.replace("7.25", "")), corpus).skipped
    assert item.reason == "no_performance"
    assert "stable-diffusion-xl/offline" in item.where


def test_a_log_of_another_scenario_is_left_out(tmp_path: Path, corpus: Corpus) -> None:
    log = LOG.replace("Scenario : Offline", "Scenario : Server")
    (item,) = taken(submission(tmp_path, log=log), corpus).skipped
    assert item.reason == "unknown_word"


def test_a_broken_description_is_left_out_with_its_place(tmp_path: Path, corpus: Corpus) -> None:
    path = submission(tmp_path)
    described = path / "closed/Acme/systems/b200x8.json"
    described.write_text('{"submitter": "Acme",')
    (item,) = taken(path, corpus).skipped
    assert item.reason == "unreadable"
    assert "line 1, column" in item.note
    described.unlink()
    assert taken(path, corpus).skipped[0].reason == "field_missing"


def test_counts_as_text_and_placeholders_are_flagged(tmp_path: Path, corpus: Corpus) -> None:
    path = submission(
        tmp_path, accelerators_per_node="8", accelerator_interconnect="TODO", cooling="TODO"
    )
    (result,) = taken(path, corpus).results
    assert result.accelerators.total == 8
    assert [flag.kind for flag in result.flags] == ["count_as_text", "placeholder"]


def test_a_latency_scenario_reads_its_percentile(tmp_path: Path, corpus: Corpus) -> None:
    path = submission(tmp_path)
    offline = path / "closed/Acme/results/b200x8/stable-diffusion-xl/offline"
    single = offline.parent / "singlestream"
    offline.rename(single)
    log = LOG.replace("Offline", "SingleStream").replace(
        "Samples per second: 7.25", "90th percentile latency (ns) : 7479348703"
    )
    (single / "performance/run_1/mlperf_log_summary.txt").write_text(log)
    (result,) = taken(path, corpus).results
    assert (result.published, result.metric) == ("7479348703 ns", "latency")


def test_a_folder_must_name_one_round(tmp_path: Path, corpus: Corpus) -> None:
    path = submission(tmp_path)
    bare = path.rename(tmp_path / "some-results")
    with pytest.raises(CheckError) as told:
        taken(bare, corpus)
    assert "--round v4.1" in told.value.remedy
    assert taken(bare, corpus, "v4.1").results[0].version == "v4.1"


def test_a_folder_without_results_is_refused(tmp_path: Path, corpus: Corpus) -> None:
    with pytest.raises(CheckError):
        taken(tmp_path, corpus)
