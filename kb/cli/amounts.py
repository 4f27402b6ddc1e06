"""Reading amounts from the command line: plain counts, and bytes with a unit."""

from __future__ import annotations

from argparse import ArgumentTypeError
from fractions import Fraction

from kb.qualifiers import Metric
from kb.quantity import QuantityError, parse_quantity


def count(text: str) -> Fraction:
    """A plain number such as `70e9` or `1,000,000`; for `argparse`'s `type=`."""
    try:
        quantity = parse_quantity(text, Metric.COUNT)
    except QuantityError as error:
        if text.strip() in ("0", "0.0"):
            return Fraction(0)
        raise ArgumentTypeError(f"{text!r} is no plain number: {error}") from None
    if quantity.label:
        raise ArgumentTypeError(f"{text!r} has a unit; give a plain number such as 70e9")
    return quantity.number


def whole(text: str) -> int:
    """A whole number from 1 on."""
    number = count(text)
    if number.denominator != 1 or number < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1 on")
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
