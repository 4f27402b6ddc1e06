"""A citation of a study's figure: whether the text says what the study holds."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from kb.prose.numbers import Amount

if TYPE_CHECKING:
    from kb.model.study import Figure

_WHOLE = re.compile(r"\d+(?:,\d{3})*")
_NUMBER = re.compile(r"\d[\d,]*(?:\.(\d+))?")


def corrected(text: str, figure: Figure, amount: Amount | None) -> str | None:
    """The text with the right number in it; None where it is right already, or says none.

    A count stands in the text as a whole number; a time, a share or a ratio is right when
    the figure rounds to its digits.
    """
    if figure.unit == "count":
        return _replaced(text, _WHOLE.search(text), f"{round(figure.value):,}")
    if amount is None:
        return None
    value = Fraction(figure.value)
    if amount.unit is not None:
        value /= Fraction(amount.unit.factor)
    elif amount.kind == "percent":
        value *= 100
    if abs(value - amount.number) <= amount.half_step:
        return None
    found = _NUMBER.search(text, amount.start)
    decimals = len(found[1] or "") if found else 0
    return _replaced(text, found, f"{float(value):.{decimals}f}")


def _replaced(text: str, found: re.Match[str] | None, right: str) -> str | None:
    if found is None or found[0].replace(",", "") == right.replace(",", ""):
        return None
    return text[: found.start()] + right + text[found.end() :]
