"""Reading stays linear: four times the text takes no more than eight times as long."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from kb.prose.answer import answer
from kb.prose.cite import MOST, citations, faults
from kb.prose.known import Known
from kb.prose.text import prose_of
from kb.records.reliance import cited_in
from kb.records.seal import sealed_text

REPEATED = ("<!-- ", "[x](claim:a ", "[x](claim:a\n", "[", "`", "` `` ", "](a ", "<a ", "1,")


def seconds(work: Callable[[str], object], text: str) -> float:
    """The best of three, so that a busy machine doesn't decide."""
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        work(text)
        best = min(best, time.process_time() - begin)
    return best


def linear(work: Callable[[str], object], make: Callable[[int], str], n: int) -> None:
    few, many = seconds(work, make(n)), seconds(work, make(4 * n))
    # What takes no time at all has no ratio.
    assert many < 8 * max(few, 0.005), f"{few:.4f} s, then {many:.4f} s"


@pytest.mark.parametrize("part", REPEATED)
@pytest.mark.parametrize(
    "work",
    [citations, prose_of, sealed_text, lambda text: list(cited_in(text))],
    ids=["citations", "prose", "seal", "reliance"],
)
def test_a_repeated_beginning_is_read_once(work: Callable[[str], object], part: str) -> None:
    linear(work, lambda n: part * n, 5000)


@pytest.mark.parametrize("part", ["<!-- ", "[x](claim:a "])
def test_many_repeats_are_judged_in_linear_time(part: str, catalogue: Known) -> None:
    def judged(text: str) -> None:
        answer(text, catalogue)
        list(faults(text, catalogue.corpus))

    linear(judged, lambda n: part * n, 50_000)  # and 200,000


def _wide(columns: int) -> str:
    head, rule, cells = " n |", "---|", " 1 GB |"
    return f"|{head * columns}\n|{rule * columns}\n|{cells * columns}\n"


def test_a_wide_table_is_read_column_by_column(catalogue: Known) -> None:
    linear(lambda text: answer(text, catalogue), _wide, 400)


def test_a_table_beyond_the_limit_is_said_to_be_judged_in_part(catalogue: Known) -> None:
    found = answer(_wide(20_000), catalogue)
    assert found.verdict != "valid"
    assert "text-too-long" in {remark.rule for remark in found.findings}


def test_blanks_in_a_target_are_read_once() -> None:
    linear(prose_of, lambda n: f"[x]({' ' * n}", 20_000)


def test_a_flood_of_wrong_citations_ends_with_a_word_about_the_rest(catalogue: Known) -> None:
    found = list(faults("[x](claim:a) " * (2 * MOST), catalogue.corpus))
    assert len(found) == MOST
    assert "not looked at" in found[-1].message
    assert "not looked at" not in found[-2].message
    assert len(list(faults("[x](claim:a) " * (MOST - 1), catalogue.corpus))) == MOST - 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`[a](claim:x)` [a](claim:y)", ["y"]),
        ("``[a](claim:x)` [a](claim:y)``", []),
        ("`` ` [a](claim:x)", ["x"]),
        ("`a` [a](claim:x) `b`", ["x"]),
    ],
)
def test_code_cites_nothing(text: str, found: list[str]) -> None:
    assert [target for _, target in cited_in(text)] == found


@pytest.mark.parametrize(
    "text",
    ['[x]( "180 GB") end', '[x](a  "180 GB" ) end', "[x](  180GB  ) end", "[x](<180GB>) end"],
)
def test_targets_and_titles_are_blank(text: str) -> None:
    plain = prose_of(text).plain
    assert "180" not in plain
    assert plain.endswith(" end")
