"""Plots of samples: round axes that hold every value, and frames that share nothing visible."""

from __future__ import annotations

import re

import pytest

from kb.pages.samples import MOST_MARKS, axis_of, samples

NEAR = [3.0 + 0.01 * number for number in range(20)]
FAR = [2.0, 3.0, 5.0, 40.0, 700.0]


@pytest.mark.parametrize(
    "values",
    [NEAR, FAR, [5.0], [0.0], [0.0, 0.0], [1e-7, 3e-7], [999.0, 1001.0], [0.1, 1e6], [-2.0, 3.0]],
)
def test_an_axis_holds_every_value_between_a_few_round_marks(values: list[float]) -> None:
    axis = axis_of(values)
    assert 2 <= len(axis.marks) <= MOST_MARKS
    assert all(0 < axis.place(value) < 1 for value in values)
    assert axis.place(axis.marks[0]) == 0
    assert axis.place(axis.marks[-1]) == pytest.approx(1)
    assert len(set(axis.words)) == len(axis.words)
    assert [float(word) for word in axis.words] == pytest.approx(axis.marks)


def test_values_far_apart_get_a_logarithmic_axis_that_says_so() -> None:
    assert axis_of(FAR).words == ["1", "10", "100", "1000"]
    assert "time of one call in ms, logarithmic" in samples("far", "ms", FAR, 5.0, None).inline
    assert "logarithmic" not in samples("near", "ms", NEAR, 3.1, None).inline


def test_what_was_drawn_before_in_the_same_frame_leaves_no_trace() -> None:
    alone = samples("one", "ms", NEAR, 3.1, None)
    samples("two", "µs", [value + 0.1 for value in NEAR] * 6, 3.2, (3.1, 3.3))
    assert samples("one", "ms", NEAR, 3.1, None) == alone
    assert "kb-plot-band" not in alone.inline
    assert "kb-plot-band" in samples("one", "ms", NEAR, 3.1, (3.0, 3.15)).inline


def test_a_plot_holds_each_sample_its_words_and_ids_of_its_own() -> None:
    one, two = (samples(f"{name} <b>", "ms", NEAR, 3.1, None).inline for name in ("one", "two"))
    assert "@" not in one
    assert one.count("&#60;b&#62;") == 2  # in the drawing and for who can't see it
    begun = [len(re.findall("[Mm]", path)) for path in re.findall(r' d="([^"]+)"', one)]
    assert max(begun) == len(NEAR)
    ids = [set(re.findall(r' id="([^"]+)"', text)) for text in (one, two)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', one)) <= ids[0]
