"""A citation of a study's figure: whether the text says what the study holds."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from kb.prose.numbers import Amount
from kb.prose.rounding import digits, faithful, in_best_unit, printed, with_unit
from kb.units import labels

if TYPE_CHECKING:
    from kb.model.study import Figure

_WHOLE = re.compile(r"\d+(?:,\d{3})*")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_UNITS = {"s": "s", "byte": "B", "byte/s": "B/s"}
"""The units that a study's figures have, as labels."""


def corrected(text: str, figure: Figure, amount: Amount | None) -> str | None:
    """The text with the right number in it; None where it is right already, or says none.

    A count stands in the text as a whole number; a time, a share or a ratio is right when
    the figure rounds to its digits, and they are enough.
    """
    symbol = _UNITS.get(figure.unit)
    if amount is not None and amount.unit is not None and symbol is None:
        return text[: amount.start] + _plain(figure) + text[amount.end :]
    if figure.unit == "count":
        return _replaced(text, _WHOLE.search(text), f"{round(figure.value):,}")
    if amount is None:
        return None
    written = _NUMBER.search(text, amount.start)
    if written is None:
        return None
    value = Fraction(figure.value)
    if symbol is not None:
        unit = labels()[symbol]
        if amount.unit is None or amount.unit.kind != unit.kind:
            right = in_best_unit(value, unit, digits(written[0]))
        elif faithful(value, amount.base, amount.step):
            return None
        else:
            right = with_unit(value, amount.unit, amount, written[0])
        return text[: amount.start] + right + text[amount.end :]
    if amount.kind == "percent":
        value *= 100
    if faithful(value, amount.number, amount.half_step):
        return None
    return _replaced(text, written, printed(value, digits(written[0])))


def _plain(figure: Figure) -> str:
    """A figure that has no unit, for a text that gives it one."""
    value = Fraction(figure.value)
    if figure.unit == "count":
        return f"{round(figure.value):,}"
    return f"{printed(value * 100, 3)} %" if figure.unit == "share" else printed(value, 3)


def _replaced(text: str, found: re.Match[str] | None, right: str) -> str | None:
    if found is None or found[0].replace(",", "") == right.replace(",", ""):
        return None
    return text[: found.start()] + right + text[found.end() :]
