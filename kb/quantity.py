"""A quantity as a source printed it: digits, label, and what the digits allow.

`1.4 TB` is 1.4 × 10^12 bytes and may stand for anything from 1.35 to 1.45 TB, since
half of the last printed digit is lost in rounding. Numbers are exact fractions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NoReturn

from kb.qualifiers import Metric
from kb.units import KINDS, KINDS_OF_METRIC, Unit, ambiguous, in_pint, labels, suggest

if TYPE_CHECKING:
    import pint

MAX_EXPONENT = 30
MAX_LENGTH = 200
LIMIT = Fraction(10) ** MAX_EXPONENT
LEAST = 1 / LIMIT

_NUMBER = re.compile(
    r"""(?P<number>[+]?(?:\d{1,3}(?:(?:,\d{3})+|(?:_\d{3})+)(?!\d)|\d+)(?:\.\d+)?)
        (?:[eE](?P<exponent>[+-]?\d+))?""",
    re.VERBOSE | re.ASCII,
)
_LEAD = re.compile(r"(?P<approximate>[~≈]\s*|about\s+|approx\.?\s+)|(?P<bound>up\s+to\s+)", re.I)
_TAIL = re.compile(r"\s*\((?P<remark>[^()]*)\)\s*$")
_BLANKS = re.compile(r"[\s\u00a0\u2007\u2009\u202f]+")


@dataclass(frozen=True, slots=True)
class Interval:
    """Every value from `low` to `high`, both included, in one unit."""

    low: Fraction
    high: Fraction

    def __truediv__(self, other: Interval) -> Interval:
        """Every quotient of a value here and a value of `other`; both are above zero."""
        return Interval(self.low / other.high, self.high / other.low)

    def scale(self, factor: Fraction) -> Interval:
        """The interval times a factor above zero."""
        return Interval(self.low * factor, self.high * factor)

    def overlaps(self, other: Interval) -> bool:
        """Whether some value lies in both."""
        return self.low <= other.high and other.low <= self.high

    def __contains__(self, value: object) -> bool:
        """Whether `value` lies in the interval."""
        return isinstance(value, (Fraction, int)) and self.low <= value <= self.high


class QuantityError(ValueError):
    """A printed text that is no quantity of its metric.

    `rule` is the slug of the finding that it becomes; `start` and `end` are offsets into
    the text; `remedy` says what to write.
    """

    def __init__(self, rule: str, message: str, remedy: str, start: int, end: int) -> None:
        super().__init__(message)
        self.rule = rule
        self.remedy = remedy
        self.start = start
        self.end = end


@dataclass(frozen=True)
class Quantity:
    """A number with the unit and the digits that its source printed."""

    text: str
    """As printed, unchanged."""
    number: Fraction
    """The printed number, in the printed unit."""
    half_step: Fraction
    """Half of the last printed digit; 0 for an exact number."""
    label: str
    """The unit as printed."""
    unit: Unit
    digits: str
    """The digits without separators, point and leading zeros."""
    up_to: bool = False
    """Printed as an upper limit (`up to`)."""
    approximate: bool = False
    """Printed as an approximation (`~`)."""

    @cached_property
    def base(self) -> Fraction:
        """The value in base units (bytes, operations, seconds …)."""
        return self.number * self.unit.factor

    @cached_property
    def interval(self) -> Interval:
        """What the printed digits allow, in base units."""
        step = self.half_step * self.unit.factor
        return Interval(self.base - step, self.base + step)

    def to_pint(self) -> pint.Quantity[Fraction]:
        """The printed value as a quantity of pint, exact, in the printed unit.

        What the digits leave open is not in it: see `interval`.
        """
        return in_pint(self.number, self.unit.name)

    @property
    def plain(self) -> str:
        """Number and canonical unit, for a message: `1638 GB/s`."""
        number = self.text_number
        return (
            f"{number} {self.unit.symbol}"
            if self.unit.kind != "number"
            else (f"{number} {self.label}".strip())
        )

    @property
    def text_number(self) -> str:
        """The number as a plain decimal."""
        return decimal_text(self.number)


def decimal_text(value: Fraction, digits: int = 6) -> str:
    """`value` as a plain decimal with at most `digits` significant digits, no exponent."""
    if value.denominator == 1:
        return str(value.numerator)
    exact = Decimal(value.numerator) / Decimal(value.denominator)
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), ROUND_HALF_UP)
    return f"{rounded.normalize():f}"


@lru_cache(maxsize=65_536)
def parse_quantity(text: str, metric: Metric) -> Quantity:
    """Read what a source printed, such as `1,638 GB/s` or `up to 1,000 W`.

    Raises `QuantityError` for anything that is not one number with one known label that
    fits the metric. Nothing is guessed: `gb` and an unknown label are both refused.
    """
    if len(text) > MAX_LENGTH:
        raise QuantityError(
            "malformed-quantity",
            f"the printed value has {len(text)} characters",
            f"print one number and one unit in at most {MAX_LENGTH} characters",
            0,
            MAX_LENGTH,
        )
    start, up_to, approximate = _lead(text)
    match = _NUMBER.match(text, start)
    if match is None:
        raise QuantityError(
            "malformed-quantity",
            f"{text!r} does not begin with a number",
            "write a number and a unit, such as '1,638 GB/s'",
            0,
            len(text),
        )
    end = len(text.rstrip()) if (tail := _TAIL.search(text)) is None else tail.start()
    rest = text[match.end() : max(end, match.end())]
    label = _BLANKS.sub(" ", rest).strip()
    at = match.end() + (len(rest) - len(rest.lstrip()) if label else 0)
    unit = _unit(label, metric, at, at + len(rest.strip()))  # first: `0x180 GB` is not zero
    number, half_step = _number(text, match)
    if metric is Metric.COUNT:
        half_step = Fraction(0)
    digits = re.sub(r"\D", "", match["number"]).lstrip("0") or "0"
    return Quantity(text, number, half_step, label, unit, digits, up_to, approximate)


def _lead(text: str) -> tuple[int, bool, bool]:
    position, up_to, approximate = len(text) - len(text.lstrip()), False, False
    while match := _LEAD.match(text, position):
        up_to = up_to or match["bound"] is not None
        approximate = approximate or match["approximate"] is not None
        position = match.end()
    return position, up_to, approximate


def _number(text: str, match: re.Match[str]) -> tuple[Fraction, Fraction]:
    exponent = int(match["exponent"] or 0)  # of at most MAX_LENGTH digits
    if abs(exponent) > MAX_EXPONENT:
        raise QuantityError(
            "malformed-quantity",
            f"the exponent {exponent} is out of range",
            f"use exponents from -{MAX_EXPONENT} to {MAX_EXPONENT}",
            match.start(),
            match.end(),
        )
    plain = match["number"].replace(",", "").replace("_", "").lstrip("+")
    decimals = len(plain.partition(".")[2])
    value, half_step = (
        Fraction(int(plain.replace(".", "")), 10**decimals),
        Fraction(1, 2 * 10**decimals),
    )
    if exponent:
        value, half_step = value * Fraction(10) ** exponent, half_step * Fraction(10) ** exponent
    if value == 0:
        raise QuantityError(
            "malformed-quantity",
            f"{text!r} is zero",
            "leave a figure out instead of printing zero",
            match.start(),
            match.end(),
        )
    if not LEAST <= value <= LIMIT:
        raise QuantityError(
            "malformed-quantity",
            "the number is out of range",
            f"print a number from 10^-{MAX_EXPONENT} to 10^{MAX_EXPONENT}",
            match.start(),
            match.end(),
        )
    return value, half_step


def _unit(label: str, metric: Metric, start: int, end: int) -> Unit:
    if choices := ambiguous().get(label):
        raise QuantityError(
            "ambiguous-unit",
            f"{label!r} has more than one reading",
            f"write {_either(choices)}",
            start,
            end,
        )
    unit = labels().get(label)
    if unit is None or (not label and metric is not Metric.COUNT):
        _refuse(label, start, end)
    if unit.kind not in KINDS_OF_METRIC[metric]:
        fitting = " or ".join(KINDS[kind] for kind in KINDS_OF_METRIC[metric])
        what = KINDS[unit.kind]
        raise QuantityError(
            "unit-of-another-metric",
            f"{label!r} is {what}, but {metric} is {fitting}",
            "correct the unit or the metric",
            start,
            max(end, start + 1),
        )
    return unit


def _refuse(label: str, start: int, end: int) -> NoReturn:
    if label.startswith((",", "_")):
        raise QuantityError(
            "malformed-quantity",
            f"{label[0]!r} stands where no thousands group ends",
            f"write a decimal point, and {label[0]!r} only between groups of three digits",
            start,
            end,
        )
    if label[:1].isdigit() or label[:1] == "/":
        raise QuantityError(
            "malformed-quantity",
            f"{label!r} follows the number, so there is more than one, or a blank inside one",
            "print one number, with ',' or nothing between its groups of three digits",
            start,
            max(end, start + 1),
        )
    near = suggest(label) if label else ()
    remedy = f"did you mean {_either(near)}?" if near else "choose a label from `kb list units`"
    what = f"{label!r} is not a unit of the vocabulary" if label else "the value has no unit"
    raise QuantityError("unknown-unit", what, remedy, start, max(end, start + 1))


def _either(choices: tuple[str, ...]) -> str:
    return " or ".join(f"'{choice}'" for choice in choices)
