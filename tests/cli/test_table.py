"""Columns stay columns, whatever script a name is in."""

from __future__ import annotations

from kb.characters import width
from kb.cli.table import table


def test_columns_stand_under_each_other() -> None:
    rows = [("id", "名前", "x"), ("long-id", "e\u0301", "y"), ("", "一二三", "z")]
    assert list(table(rows)) == [
        "id       名前    x",
        "long-id  e\u0301       y",
        "         一二三  z",
    ]
    assert {width(line) for line in table(rows)} == {18}


def test_a_width_is_that_of_a_terminal() -> None:
    assert [width(text) for text in ("abc", "TPU２", "µs", "ｶ", "😀", "")] == [3, 5, 2, 1, 2, 0]


def test_no_rows_are_no_lines() -> None:
    assert list(table([])) == []
