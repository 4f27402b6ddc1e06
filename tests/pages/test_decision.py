"""Decision and evidence pages: what is missing stands at the top."""

from __future__ import annotations

from dataclasses import replace

from kb.corpus import Corpus, Entry
from kb.pages import evidence
from kb.pages.decision import STATUS, decision_pages
from kb.pages.evidence import CANNOT
from kb.qualifiers import EvidenceClass


def test_a_hypothesis_says_so_and_names_the_next_measurement(site: dict[str, str]) -> None:
    page = site["decisions/0001.md"]
    top = page.split("## Options")[0]
    assert "not accepted, because no evidence can carry it yet" in top
    assert "Next measurement" in top


def test_an_accepted_decision_has_no_banner(corpus: Corpus) -> None:
    entry = corpus.decisions["0001"]
    accepted = entry.value.model_copy(update={"status": "accepted"})
    other = replace(corpus, decisions={"0001": Entry(accepted, entry.place)})
    assert "kb-box kb-hypothesis" not in decision_pages(other)["decisions/0001.md"]


def test_citations_become_links_and_their_verdicts_stand_on_the_page(
    site: dict[str, str],
) -> None:
    page = site["decisions/0001.md"]
    assert "](claim:" not in page
    assert "](compare:" not in page
    assert "[7.7 TB/s](../products/hgx-b200.md#gpu-hbm-bandwidth" in page
    anchor = "hgx-b200-gpu-hbm-bandwidth--tpu-v6e-chip-hbm-bandwidth"
    assert f"(#{anchor} " in page
    assert f'<details id="{anchor}"' in page


def test_every_status_and_class_is_explained() -> None:
    assert set(CANNOT) == set(EvidenceClass)
    assert all(STATUS.values())


def test_a_cpu_record_says_that_it_speaks_for_no_tpu_and_no_gpu(
    site: dict[str, str], corpus: Corpus
) -> None:
    records = [e.value for e in corpus.evidence.values() if e.value.device.platform == "cpu"]
    assert records
    for record in records:
        page = site[f"evidence/{record.id}.md"]
        top = page.split("## What was observed")[0]
        assert "it speaks for no TPU and no GPU" in top


def test_an_evidence_page_shows_boundary_plot_samples_and_gates(
    site: dict[str, str], corpus: Corpus
) -> None:
    for key, entry in corpus.evidence.items():
        page = site[f"evidence/{key}.md"]
        for seen in entry.value.measurements:
            assert f"{{ #{seen.boundary} }}" in page
            assert f"evidence/{key}-{seen.boundary}.svg" in site
        assert page.count('<svg role="img"') == 1 + len(entry.value.measurements)
        assert "\n\n" not in page.split("<svg", 1)[1].split("</svg>", 1)[0]
        assert "## Gates" in page
        assert entry.value.content_hash in page


def test_times_are_read_in_a_fitting_unit() -> None:
    assert evidence.timed(1.28e-3) == "1.28 ms"
    assert evidence.timed(3e-7) == "300 ns"
    assert evidence.timed(2.5) == "2.5 s"


def test_a_queue_that_gains_nothing_is_said(site: dict[str, str], corpus: Corpus) -> None:
    record = corpus.evidence["matmul-512-f32-cpu-20261130-1"].value
    note = evidence.queue_note(record)
    assert note.startswith("With 16 in flight a call takes longer than alone (1.745 ms against ")
    page = site[f"evidence/{record.id}.md"]
    assert "a call, 16 in flight" in page
    assert note in page
    alone, queued = record.measurements
    quick = queued.model_copy(update={"median": alone.median / 2})
    assert not evidence.queue_note(record.model_copy(update={"measurements": (alone, quick)}))
