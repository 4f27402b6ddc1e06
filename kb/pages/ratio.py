"""Ratios as every page prints them: three digits, and as many for what the digits allow."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from kb.compare.text import MOST_DIGITS
from kb.quantity import Interval

DIGITS = 3
"""Significant digits, zeros at the end among them, so that figures in a column line up."""


def ratio(value: Fraction, digits: int = DIGITS) -> str:
    """A ratio without its range: `4.70`."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    return f"{exact.quantize(step, ROUND_HALF_UP):f}"


def allowed(interval: Interval) -> str:
    """What the printed digits allow: `4.67 to 4.73`."""
    return f"{ratio(interval.low, _told(interval))} to {ratio(interval.high, _told(interval))}"


def ratio_within(value: Fraction, interval: Interval | None) -> str:
    """A ratio with what the digits allow, where they leave anything open."""
    if interval is None or interval.low == interval.high:
        return ratio(value)
    return f"{ratio(value, _told(interval))} (the digits allow {allowed(interval)})"


def _told(interval: Interval) -> int:
    """Three digits, and more where three can't tell the ends of a range apart."""
    return next(
        (
            d
            for d in range(DIGITS, MOST_DIGITS)
            if ratio(interval.low, d) != ratio(interval.high, d)
        ),
        DIGITS,
    )
