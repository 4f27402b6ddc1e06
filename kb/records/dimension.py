"""Numbers with a dimension, and what is wrong with a text that should hold one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

Dimension = tuple[tuple[str, int], ...]
"""Base dimensions with their exponents, sorted: `(("information", 1), ("time", -1))`."""
PLAIN: Dimension = ()

_PART = re.compile(r"\[(\w+)\](?:\s*\*\*\s*(\d+))?")


class ExpressionError(ValueError):
    """A text that is no sound expression; `start` and `end` are offsets into it."""

    def __init__(self, message: str, remedy: str, start: int, end: int) -> None:
        super().__init__(message)
        self.remedy = remedy
        self.start = start
        self.end = end


@dataclass(frozen=True, slots=True)
class Value:
    """A number in base units, with its dimension."""

    number: Fraction
    dimension: Dimension


def dimension_of(label: str) -> Dimension:
    """A dimension in pint's spelling (`[information] / [time]`) as base exponents."""
    powers: dict[str, int] = {}
    for sign, side in zip((1, -1), label.partition("/")[::2], strict=True):
        # pint writes every further divisor behind a slash of its own.
        for name, power in _PART.findall(side):
            powers[name] = powers.get(name, 0) + sign * int(power or 1)
    return dimension_from(powers)


def shown(dimension: Dimension) -> str:
    """A dimension in words, for a message."""
    if not dimension:
        return "a plain number"
    above = [_power(name, power) for name, power in dimension if power > 0]
    below = [_power(name, -power) for name, power in dimension if power < 0]
    return "·".join(above or ["1"]) + "".join(f"/{name}" for name in below)


def _power(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"


def dimension_from(powers: Mapping[str, int]) -> Dimension:
    """Exponents by base dimension, sorted and without zeros."""
    return tuple(sorted((name, power) for name, power in powers.items() if power))
