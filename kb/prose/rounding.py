"""Printed digits against a value: whether a text rounds it faithfully, and how to print it.

A text that rounds a value to nothing, or to one digit, agrees with the value by its interval
and still tells the reader another number. So a citation keeps two significant digits at least.
"""

from __future__ import annotations

import math
from fractions import Fraction

from kb.prose.numbers import Amount
from kb.units import Unit, labels

COARSE = Fraction(1, 20)
"""How much of a value half of the last printed digit may be: two digits never make more."""
_FEWEST, _USUAL = 2, 3
_SAME = Fraction(1, 10**9)
"""Two values nearer than this are one: a float stands for a decimal fraction."""
_SYMBOLS = {
    ("time", ""): ("s", "ms", "µs", "ns"),
    ("time", "decimal"): ("s", "ms", "µs", "ns"),
    ("information", ""): ("PB", "TB", "GB", "MB", "kB", "B"),
    ("information", "decimal"): ("PB", "TB", "GB", "MB", "kB", "B"),
    ("information", "binary"): ("PiB", "TiB", "GiB", "MiB", "KiB", "B"),
    ("information_rate", "decimal"): ("PB/s", "TB/s", "GB/s", "MB/s", "kB/s", "B/s"),
    ("information_rate", "binary"): ("PiB/s", "TiB/s", "GiB/s", "MiB/s", "KiB/s", "B/s"),
}


def same(value: Fraction, number: Fraction) -> bool:
    """Whether a text prints the value itself."""
    return abs(value - number) <= abs(value) * _SAME


def agrees(value: Fraction, number: Fraction, half_step: Fraction) -> bool:
    """Whether the printed digits are what the value rounds to."""
    return same(value, number) or abs(value - number) <= half_step


def coarse(
    value: Fraction, number: Fraction, half_step: Fraction, known: Fraction = COARSE
) -> bool:
    """Whether the printed digits say less than the value does.

    `known` is how well the value itself is known, as half its width over it: nobody can
    print more digits than there are.
    """
    return not same(value, number) and half_step > max(COARSE, known) * abs(number)


def faithful(value: Fraction, number: Fraction, half_step: Fraction) -> bool:
    """Whether a text may stand for the value: its digits agree, and there are enough."""
    return agrees(value, number, half_step) and not coarse(value, number, half_step)


def digits(text: str) -> int:
    """How many significant digits a number to be mended keeps: as many as were written."""
    written = "".join(letter for letter in text if letter.isdigit()).lstrip("0")
    return len(written) if len(written) >= _FEWEST else _USUAL


def printed(value: Fraction, significant: int) -> str:
    """The value with so many significant digits; digits before the point are never dropped."""
    if not value:
        return "0"
    size = abs(value)
    decimals = max(0, significant - 1 - _magnitude(size))
    whole, rest = divmod(math.floor(size * 10**decimals + Fraction(1, 2)), 10**decimals)
    return f"{'-' if value < 0 else ''}{whole}" + (f".{rest:0{decimals}d}" if decimals else "")


def with_unit(base: Fraction, unit: Unit, amount: Amount, written: str) -> str:
    """A value in base units as the author would write it: in `unit`, unless another reads better.

    A text of `1.254 s` becomes `1.254 ms`. `written` are the digits in the text.
    """
    value, kept = base / unit.factor, digits(written)
    near = amount.number and Fraction(1, 10) < abs(value / amount.number) < 10
    few = amount.half_step > COARSE * amount.number
    here = f"{printed(value, kept)} {amount.label.replace('μ', 'µ')}"
    if Fraction(1, 10) <= abs(value) < 1000 or (near and not few):
        return here
    return in_best_unit(base, unit, kept) or here


def in_best_unit(base: Fraction, unit: Unit, significant: int) -> str:
    """A value in the unit of the same family that leaves one to three digits before the point.

    Empty where the family is not known.
    """
    symbols = _SYMBOLS.get((unit.kind, unit.prefix), ())
    if unit.counts_bits or not symbols:
        return ""
    sizes = [(symbol, labels()[symbol].factor) for symbol in symbols]
    symbol, factor = next((each for each in sizes if abs(base) >= each[1]), sizes[-1])
    return f"{printed(base / factor, significant)} {symbol}"


def _magnitude(size: Fraction) -> int:
    """The power of ten of the first digit."""
    power = len(str(size.numerator)) - len(str(size.denominator))
    return power if size >= Fraction(10) ** power else power - 1
