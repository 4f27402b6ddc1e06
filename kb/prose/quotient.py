"""Quotients that a sentence writes out: `989e12 / 3.35e12 = 295`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from kb.prose.context import Sentence
from kb.prose.remark import Remark, fine, wrong

_NUMBER = r"\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,9})?"
_UNIT = r"(?:\s?[A-Za-z]{1,9}(?:/s)?)?"
_QUOTIENT = re.compile(
    rf"(?<![\w.,/×x*+=-])(?<![/×x*+=-]\s)(?P<one>{_NUMBER})(?:e\d{{1,2}})?{_UNIT}\s?/\s?"
    rf"(?P<two>{_NUMBER})(?:e\d{{1,2}})?{_UNIT}\s?(?P<is>=|≈)\s?(?:~|about\s)?(?P<three>{_NUMBER})"
    r"(?!\s?[/×x*+]|[\d,.]*\d|e\d)(?![^.;,]{0,8}i?B\b)",
)
"""Of bare numbers, or numbers whose units stand beside them; never a part of a longer sum."""
SLACK = Fraction(3, 100)
"""Sources round; a quotient that is farther off than this, whatever its unit, is another one."""


def quotients(sentence: Sentence) -> Iterator[Remark]:
    """A quotient whose digits are not those of its two numbers; powers of ten are its unit's."""
    words = sentence.words()
    if "/" not in words or not ("=" in words or "≈" in words):
        return
    for match in _QUOTIENT.finditer(sentence.text, sentence.start, sentence.end):
        one, two, told = (Fraction(match[n].replace(",", "")) for n in ("one", "two", "three"))
        if not (one and two and told):
            continue
        real, start, end = one / two, match.start("three"), match.end("three")
        apart = abs(_mantissa(real) / _mantissa(told) - 1)
        if min(apart, abs(apart - 9), abs(apart - Fraction(9, 10))) <= SLACK:
            yield fine(start, end)
        elif _mantissa(told) * 10 ** (len(match["three"].replace(".", "")) - 1) >= TWO_DIGITS:
            text = f"{match['one']} / {match['two']} is {float(real):.4g}, not {match['three']}"
            yield wrong(start, end, ("unit", "arithmetic"), text)


TWO_DIGITS = 10


def _mantissa(value: Fraction) -> Fraction:
    """A number between 1 and 10 with the same digits."""
    while value >= TWO_DIGITS:
        value /= 10
    while value < 1:
        value *= 10
    return value
