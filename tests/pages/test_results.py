"""The explorer of published results: legal plots, the whole chain of the pair, footnotes."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from kb.compare import compare
from kb.corpus import Corpus, ResultEntry
from kb.load import load_files
from kb.pages import links, render
from kb.pages.footnote import BESIDE, DERIVED, LEGEND, UNVERIFIED, footnotes
from kb.pages.results import _group, legal
from kb.published import operand_of_result
from kb.rules.catalogue import Block
from kb.rules.example import base_files, example_files
from kb.verdict import VerdictKind

LEFT = "mlperf-inference-v5.1/5.1-0069-stable-diffusion-xl-offline"
RIGHT = "mlperf-inference-v4.1/google-tpu-v6-x4-flax-stable-diffusion-xl-offline"
PAIR = links.result_pair_path(LEFT, RIGHT)


def test_each_benchmark_has_a_page_with_all_of_its_results(
    corpus: Corpus, site: dict[str, str]
) -> None:
    for entry in corpus.results.values():
        text = site[links.results_path(entry.result.benchmark)]
        assert f'id="{links.anchor(entry.id)}"' in text
        assert entry.result.published in text


def test_a_plot_holds_only_results_that_compare(corpus: Corpus) -> None:
    groups: dict[object, list[ResultEntry]] = {}
    for entry in corpus.results.values():
        result = entry.result
        key = (result.benchmark, result.scenario, *_group(result))
        groups.setdefault(key, []).append(entry)
    drawn = [g for g in groups.values() if len(g) >= 3 and legal(g)]
    assert len(drawn) > 20
    for group in drawn:
        for one, other in combinations(group, 2):
            verdict = compare(operand_of_result(one), operand_of_result(other), corpus)
            assert verdict.kind is VerdictKind.COMPARABLE, (one.id, other.id)


def test_every_plot_is_whole_and_names_system_and_category(site: dict[str, str]) -> None:
    text = site["results/stable-diffusion-xl.md"]
    drawings = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert drawings
    for drawing in drawings:
        assert "\n\n" not in drawing
        root = ElementTree.fromstring(drawing)  # noqa: S314 (our own drawing)
        words = [node.text or "" for node in root.iter() if node.tag.endswith("text")]
        assert "closed" in words[0]
        assert "accelerators" in words[0]
        assert len(words) % 3 == 1  # a title, then label, formats and figure of each point
    assert "Full circles are available systems" in text


def test_the_pair_page_shows_the_whole_chain(site: dict[str, str]) -> None:
    text = site[PAIR]
    chapters = re.findall(r"^## ([^{\n]+)", text, re.MULTILINE)
    assert [chapter.strip() for chapter in chapters] == [
        "The two results",
        "The ratio of the totals",
        "Per accelerator",
        "What still differs",
        "What may be said",
        "Footnotes",
    ]
    refused = text[text.index("## The ratio of the totals") : text.index("## Per accelerator")]
    assert "**Refused.**" in refused
    assert "accelerator count differs" in refused
    assert "5.84" not in text
    derived = text[text.index("## Per accelerator") : text.index("## What still differs")]
    assert "**2.92**" in derived
    assert "÷ 8 accelerators" in derived
    assert "÷ 4 accelerators" in derived
    differs = text[text.index("## What still differs") : text.index("## What may be said")]
    for words in ("v5.1 | v4.1", "available | preview", "FP8 | BF16", "8 | 4"):
        assert words in differs
    said = text[text.index("## What may be said") :]
    assert "names no winner" in said
    assert "What would settle it" in said


def test_the_decision_leads_to_pair_results_and_imports(site: dict[str, str]) -> None:
    text = site["decisions/0010.md"]
    assert f"]({links.way('decisions/0010.md', PAIR)}" in text
    assert "## Comparisons that must not be made" in text
    assert "(../evidence/mlperf-inference-v4.1.md)" in text


@pytest.mark.parametrize("path", ["results/index.md", PAIR, "evidence/mlperf-inference-v4.1.md"])
def test_every_page_with_results_carries_the_demanded_footnote(
    path: str, site: dict[str, str]
) -> None:
    text = site[path]
    assert LEGEND in text
    assert "MLPerf® v4.1 Inference Closed stable-diffusion-xl offline. Retrieved from" in text
    assert "Result verified by MLCommons Association." in text


def test_a_derived_figure_is_called_unofficial_and_unverified(site: dict[str, str]) -> None:
    assert DERIVED in site[PAIR]
    assert UNVERIFIED in DERIVED
    assert DERIVED not in site["results/stable-diffusion-xl.md"]


def results_of(text: str) -> Corpus:
    files = example_files([Block("yaml", "results", text)])
    return load_files({**base_files(), **files}).corpus


def test_an_unverified_result_is_called_that() -> None:
    corpus = results_of("- {id: one}\n- {id: two, verification: unverified}\n")
    text = footnotes(corpus.results.values(), corpus)
    assert UNVERIFIED in text
    assert "Unverified MLPerf® v5.1" in text
    assert BESIDE in text
    alone = footnotes([corpus.results["published/one"]], corpus)
    assert UNVERIFIED not in alone
    assert BESIDE not in alone


def test_hostile_names_are_inert_in_tables_and_drawings() -> None:
    evil = '"</text><script>alert(1)</script>|`*"'
    rows = "".join(
        f"- {{id: r{n}, submitter: {evil!r}, published: {n}.5 samples/s}}\n" for n in (1, 2, 3)
    )
    pages = render(results_of(rows))
    text = pages["results/stable-diffusion-xl.md"]
    assert "<script>" not in text
    for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ElementTree.fromstring(drawing)  # noqa: S314 (our own drawing)


def test_without_imports_there_is_no_explorer() -> None:
    assert not [p for p in render(load_files(base_files()).corpus) if p.startswith("results/")]
