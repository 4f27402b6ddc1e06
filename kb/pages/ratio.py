"""Ratios as every page prints them: three digits, and as many for what the digits allow."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from kb.quantity import Interval

DIGITS = 3
"""Significant digits, zeros at the end among them, so that figures in a column line up."""


def ratio(value: Fraction) -> str:
    """A ratio without its range: `4.70`."""
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    step = Decimal(1).scaleb(exact.adjusted() - DIGITS + 1)
    return f"{exact.quantize(step):f}"


def allowed(interval: Interval) -> str:
    """What the printed digits allow: `4.67 to 4.73`."""
    return f"{ratio(interval.low)} to {ratio(interval.high)}"


def ratio_within(value: Fraction, interval: Interval | None) -> str:
    """A ratio with what the digits allow, where they leave anything open."""
    if interval is None or interval.low == interval.high:
        return ratio(value)
    return f"{ratio(value)} (the digits allow {allowed(interval)})"
