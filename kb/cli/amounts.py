"""Reading amounts from the command line: plain counts, and bytes with a unit."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from fractions import Fraction

from kb.qualifiers import Metric
from kb.quantity import QuantityError, parse_quantity

_SHORT = re.compile(
    r"(\d+(?:\.\d+)?)\s*(k|m|mn|million|b|bn|billion|g|t|tn|trillion)", re.IGNORECASE
)
_POWERS = {"k": 3, "m": 6, "b": 9, "g": 9, "t": 12}
"""What people mean by the first letter of a count, as in 70B."""


def count(text: str) -> Fraction:
    """A plain number such as `70e9` or `1,000,000`; for `argparse`'s `type=`."""
    short = _SHORT.fullmatch(text.strip())
    if short:
        typed = f"{short[1]}e{_POWERS[short[2][0].lower()]}"
        raise ArgumentTypeError(f"{text!r} is no plain number; type {typed}")
    try:
        quantity = parse_quantity(text, Metric.COUNT)
    except QuantityError as error:
        if text.strip() in ("0", "0.0"):
            return Fraction(0)
        raise ArgumentTypeError(
            f"{text!r} is no plain number: {error}; type one such as 70e9"
        ) from None
    if quantity.label:
        raise ArgumentTypeError(f"{text!r} has a unit; type a plain number such as 70e9")
    return quantity.number


def whole(text: str) -> int:
    """A whole number from 1 on."""
    number = count(text)
    if number.denominator != 1 or number < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1 on; type one such as 70e9")
    return int(number)


def amount_of_bytes(text: str) -> Fraction:
    """Bytes: a plain number, or a number with a unit such as `40 GB` or `3 GiB`."""
    try:
        return parse_quantity(text, Metric.MEMORY_CAPACITY).base
    except QuantityError as error:
        try:
            return count(text)
        except ArgumentTypeError:
            message = f"{text!r}: {error}; {error.remedy}"
            raise ArgumentTypeError(message) from None
