"""The files that MLCommons published, where they are at hand: every row is accounted for."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.home import Project
from kb.load import load
from kb.mlperf import selection, take
from kb.model.result import flag_counts

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared/data/mlperf"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the published files are not here")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return load(Project(ROOT), kinds=("specs",)).corpus


def test_every_row_of_v5_1_is_accounted_for(corpus: Corpus) -> None:
    path = DATA / "inference-v5.1/summary_results.json"
    taken = take(path, corpus, chosen=selection(()))
    assert (taken.read, len(taken.results), taken.skipped) == (1448, 1448, ())
    assert flag_counts(taken.results) == {
        "no_accelerator": 877,
        "unknown_accelerator": 86,
        "ambiguous_accelerator": 6,
        "mixed_accelerators": 8,
        "virtualised": 8,
        "count_missing": 3,
        "unit_unfit": 8,
        "inferred": 536,
        "precision_unset": 20,
    }
    products = {result.accelerators.product for result in taken.results}
    assert {"hgx-b200", "h200-sxm", "mi325x", "mi355x", "gb200-nvl72", "gb300-nvl72"} <= products


def test_the_pair_of_stable_diffusion(corpus: Corpus) -> None:
    chosen = selection(["benchmark=stable-diffusion-xl", "scenario=offline"])
    later = take(DATA / "inference-v5.1/summary_results.json", corpus, chosen=chosen)
    earlier = take(DATA / "inference-v4.1", corpus, chosen=chosen)
    b200 = next(r for r in later.results if r.entry == "5.1-0069")
    v6e = next(r for r in earlier.results if r.accelerators.product == "tpu-v6e")
    assert (b200.published, b200.accelerators.total, b200.formats) == (
        "31.7754 samples/s",
        8,
        "fp8",
    )
    assert (v6e.published, v6e.accelerators.total, v6e.formats) == ("5.43896 samples/s", 4, "bf16")
    assert (b200.availability, v6e.availability) == ("available", "preview")
    assert all(a.met for r in (b200, v6e) for a in r.accuracy)
