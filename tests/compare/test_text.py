"""How a ratio is printed: never outside of what is printed as its range."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.compare.text import ratio_text
from kb.quantity import Interval, decimal_text


@pytest.mark.parametrize(
    ("ratio", "half", "text"),
    [
        (Fraction(9, 8), Fraction(1, 1000), "1.125 (the digits allow 1.124 to 1.126)"),
        (Fraction(61, 25), Fraction(1, 100_000), "2.44 (the digits allow 2.43999 to 2.44001)"),
        (Fraction(47, 10), Fraction(3, 100), "4.7 (the digits allow 4.67 to 4.73)"),
        (Fraction(9, 8), Fraction(0), "1.13"),
    ],
)
def test_a_ratio_stands_inside_its_range(ratio: Fraction, half: Fraction, text: str) -> None:
    assert ratio_text(ratio, Interval(ratio - half, ratio + half)) == text


@given(
    st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6),
    st.fractions(min_value=Fraction(1, 10**5), max_value=Fraction(1, 2), max_denominator=10**5),
)
def test_no_ratio_stands_outside_of_its_range(ratio: Fraction, share: Fraction) -> None:
    told = ratio_text(ratio, Interval(ratio * (1 - share), ratio * (1 + share)))
    value, _, rest = told.partition(" (the digits allow ")
    low, high = map(Fraction, rest.rstrip(")").split(" to "))
    assert low <= Fraction(value) <= high
    assert low < high


def test_half_of_the_last_digit_goes_up() -> None:
    assert [decimal_text(Fraction(n, 8), 3) for n in (9, 11, -9)] == ["1.13", "1.38", "-1.13"]
