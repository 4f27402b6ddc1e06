"""A text that isn't read to its end says where reading stopped, and is never called valid."""

from __future__ import annotations

import pytest

from kb.prose.answer import LONGEST_TEXT, MOST_FIGURES, answer
from kb.prose.known import Known
from kb.prose.readings import readings

RIGHT = "TPU v6e has 32 GB. "
WRONG = "TPU v6e has 1638 GiB/s of HBM bandwidth."


@pytest.mark.parametrize("gap", ["", "\n\n"], ids=["one segment", "a segment of its own"])
def test_a_figure_behind_the_last_one_read_is_where_the_remark_begins(
    gap: str, catalogue: Known
) -> None:
    text = RIGHT * MOST_FIGURES + gap + WRONG
    found = answer(text, catalogue)
    assert found.verdict == "ambiguous"
    (remark,) = found.findings
    assert remark.rule == "text-too-long"
    assert text[remark.start :].startswith("1638 GiB/s")
    assert remark.end == len(text)
    assert f"{MOST_FIGURES:,} figures" in remark.message
    assert len(list(readings(text, catalogue))) == MOST_FIGURES


def test_as_many_figures_as_are_read_are_all_judged(catalogue: Known) -> None:
    text = RIGHT * (MOST_FIGURES - 1) + WRONG
    found = answer(text, catalogue)
    assert found.verdict == "invalid"
    assert [remark.rule for remark in found.findings] == ["wrong-unit"]
    assert answer(RIGHT * MOST_FIGURES + "\n\nNo more of it.", catalogue).verdict == "valid"


def test_a_mistake_before_the_stop_stays_one(catalogue: Known) -> None:
    found = answer(WRONG + " " + RIGHT * MOST_FIGURES, catalogue)
    assert found.verdict == "invalid"
    assert [remark.rule for remark in found.findings] == ["wrong-unit", "text-too-long"]


def test_a_cell_behind_the_last_one_read_is_named(catalogue: Known) -> None:
    wide = MOST_FIGURES + 5
    rows = ("| Chip |" + " HBM |" * wide, "|" + "---|" * (wide + 1), "| v6e |" + " 32 GB |" * wide)
    text = "\n".join(rows)
    found = answer(text, catalogue)
    assert found.verdict == "ambiguous"
    assert text[found.findings[-1].start :].count("32 GB") == 5


def test_a_text_with_too_many_characters_names_the_first_figure_behind(catalogue: Known) -> None:
    text = RIGHT + "\n" + "word \n" * (LONGEST_TEXT // 6 + 1) + "and more\n" + WRONG
    found = answer(text, catalogue)
    assert found.verdict == "ambiguous"
    (remark,) = found.findings
    assert remark.rule == "text-too-long"
    assert text[remark.start :].startswith("1638 GiB/s")
    assert f"{LONGEST_TEXT:,} characters" in remark.message
