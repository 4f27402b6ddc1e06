"""The drawing of boundaries: what each interval encloses, told without any colour."""

from __future__ import annotations

import re

import pytest

from kb.corpus import Corpus
from kb.model.evidence import Evidence
from kb.model.measurement import GuardVerdict
from kb.pages.enclosed import _ENCLOSED, STEPS, enclosed
from kb.pages.evidence import _clocks, timed
from kb.qualifiers import Boundary


@pytest.fixture
def record(corpus: Corpus) -> Evidence:
    """The record with the most stages and samples."""
    found = [entry.value for entry in corpus.evidence.values()]
    return max(found, key=lambda r: len(r.stages) + len(r.measurements))


def test_every_boundary_but_an_unstated_one_encloses_steps_in_their_order() -> None:
    assert set(Boundary) - set(_ENCLOSED) == {Boundary.UNSTATED}
    for first, last in _ENCLOSED.values():
        assert STEPS.index(first) <= STEPS.index(last)


def test_a_warm_call_holds_the_wait_and_no_copy_and_dispatch_alone_no_work() -> None:
    def held(boundary: Boundary) -> tuple[str, ...]:
        first, last = (STEPS.index(step) for step in _ENCLOSED[boundary])
        return STEPS[first : last + 1]

    assert held(Boundary.WARM_HOST) == ("dispatch", "device work", "wait")
    assert held(Boundary.DISPATCH_ONLY) == ("dispatch",)
    assert held(Boundary.DEVICE_EVENTS) == ("device work",)
    assert set(held(Boundary.END_TO_END)) > {*held(Boundary.WARM_HOST), "copy in", "copy out"}


def test_each_interval_of_a_record_is_drawn_and_stands_in_the_table(record: Evidence) -> None:
    drawn = enclosed(record, timed)
    assert drawn is not None
    plot, shown = drawn
    rows = shown.count(" | once | "), shown.count(" | sampled | ")
    assert rows == (len(record.stages), len(record.measurements))
    for seen in record.measurements:
        assert timed(seen.median) in plot.inline
        assert timed(seen.median) in shown


def test_once_sampled_and_queued_differ_in_shape_and_not_in_colour(record: Evidence) -> None:
    drawn = enclosed(record, timed)
    assert drawn is not None
    text = drawn[0].inline
    boxes = re.findall(r'<path d="([^"]*)"[^>]*stroke-dasharray', text)
    dashed = sum(way.count("z") for way in boxes)
    filled = text.count('fill="var(--kb-plot-band')
    queued = [m for m in record.measurements if m.calls_per_sample > 1]
    assert dashed >= len(record.stages)
    assert filled == len(record.measurements) - len(queued)
    assert text.count('fill="url(#') == len(queued) > 0


def test_an_interval_that_the_guard_doubts_says_so(record: Evidence) -> None:
    assert "in doubt" not in _clocks(record)
    guard = record.guard.model_copy(update={"verdict": GuardVerdict.DISPATCH_ONLY})
    text = _clocks(record.model_copy(update={"guard": guard}))
    assert "These intervals are in doubt." in text
    assert "Work was still pending when a clock stopped." in text


def test_nothing_known_draws_nothing(record: Evidence) -> None:
    seen = record.measurements[0].model_copy(update={"boundary": Boundary.UNSTATED})
    bare = record.model_copy(update={"stages": (), "measurements": (seen,)})
    assert enclosed(bare, timed) is None
    assert _clocks(bare) == ""


def test_what_a_record_cannot_say_stands_above_every_heading(site: dict[str, str]) -> None:
    pages = [p for p in site if p.startswith("evidence/") and p.endswith(".md")
             and p != "evidence/index.md"]  # fmt: skip
    assert len(pages) > 20
    for path in pages:
        assert "can't say.**" in site[path].split("\n## ")[0], path


def test_compiled_records_set_both_targets_side_by_side(site: dict[str, str]) -> None:
    text = site["evidence/transformer-layer-tpu-v6e-2x4-20261130-1.md"]
    assert text.index("{ #side-by-side }") < text.index("## Who wrote the work")
    assert "| tpu-v6e | [hgx-b200](transformer-layer-hgx-b200-8-20261130-1.md) |" in text
    listed = site["evidence/index.md"].split("{ #compiled }")[1]
    row = next(line for line in listed.splitlines() if line.startswith("| transformer-layer |"))
    assert "(transformer-layer-hgx-b200-8-20261130-1.md)" in row
    assert "(transformer-layer-tpu-v6e-2x4-20261130-1.md)" in row
