"""Rules are typed: units are checked, values are exact, break-even points are found."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.load import load_files
from kb.records.dimension import ExpressionError, Value, dimension_of
from kb.records.evaluate import check, holds
from kb.records.expression import parse
from kb.records.sensitivity import apply
from kb.rules.example import base_files

TIME, MONEY = dimension_of("[time]"), dimension_of("[money] / [time]")
INPUTS = {"t": TIME, "u": TIME, "m": MONEY, "n": ()}
VALUES = {
    "t": Value(Fraction(2, 1000), TIME),
    "u": Value(Fraction(3, 1000), TIME),
    "m": Value(Fraction(27, 36000), MONEY),
    "n": Value(Fraction(4), ()),
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t < u", True),
        ("t >= u", False),
        ("t * n >= u and n > 3", True),
        ("t > u or n <= 4", True),
        ("(t + u) / 2 <= 2.5 [ms]", True),
        ("u - t < 1 [ms]", False),
        ("m <= 2.70 [USD/h]", True),
        ("1 / t > 1 / u", True),
    ],
)
def test_a_rule_is_applied_exactly(text: str, expected: bool) -> None:  # noqa: FBT001
    expression = parse(text)
    check(expression, INPUTS)
    assert holds(expression, VALUES) is expected


@pytest.mark.parametrize(
    ("text", "said", "marked"),
    [
        ("t + m > 1", "time is added to money/time", "t + m"),
        ("t > m", "time is compared with money/time", "t > m"),
        ("t > 3", "time is compared with a plain number", "t > 3"),
        ("t > 3 [mss]", "'mss' is no unit", "[mss]"),
        ("x > t", "'x' is no input", "x"),
        ("t >", "is expected", ""),
        ("t u > 1", "one of >= <= > <", "u"),
        ("__import__('os').system('ls')", "has no meaning here", "_"),
        ("t > u; n", "has no meaning here", ";"),
        ("t ** n > u", "is expected", "*"),
        ("(" * 60 + "t" + ")" * 60 + " > u", "an end of the nesting", ""),
        ("t > u" + " and t > u" * 60, "characters", "t > u" + " and t > u" * 60),
    ],
)
def test_a_bad_rule_says_where_and_what_to_write(text: str, said: str, marked: str) -> None:
    with pytest.raises(ExpressionError) as error:
        check(parse(text), INPUTS)
    assert said in str(error.value)
    assert error.value.remedy
    if marked:
        assert text[error.value.start : error.value.end] == marked


def test_break_even_points_are_exact_where_the_rule_is_linear() -> None:
    record = """\
---
id: "0002"
title: An example
status: draft
date: 2026-11-30
options:
  - {id: acme, title: Acme X1, accelerator: acme-x1}
  - {id: bolt, title: Bolt B8, accelerator: bolt-b8}
cost:
  operation:
    - {option: acme, price: 2 USD/h, currency: USD, region: a, term: b, date: 2026-11-30, source: c}
    - {option: bolt, price: 5 USD/h, currency: USD, region: a, term: b, date: 2026-11-30, source: c}
rule:
  choose: bolt
  when: b / price_b >= 0.5 * a / price_a
  otherwise: acme
  inputs:
    a: acme-x1/chip-hbm-bandwidth
    b: bolt-b8/gpu-hbm-bandwidth
    price_a: "cost:acme"
    price_b: "cost:bolt"
---
"""
    corpus = load_files({**base_files(), "decisions/0002-x.md": record}).corpus
    outcome = apply(corpus.decisions["0002"], corpus)
    assert outcome is not None
    assert outcome.option == "bolt"
    found = {point.input.name: point.flips_at for point in outcome.break_evens}
    a, b = Fraction(1638 * 10**9), Fraction(77 * 10**11)
    third = Fraction(1, 3600)
    expected = {
        "a": b * 2 / 5 * 2,
        "b": a * 5 / 2 / 2,
        "price_a": Fraction(1, 2) * a * 5 / b * third,
        "price_b": b * 2 / a * 2 * third,
    }
    for name, value in expected.items():
        flip = found[name]
        assert flip is not None
        assert abs(flip / value - 1) < Fraction(1, 10**8), name
    texts = [point.text() for point in outcome.break_evens]
    assert "7.7 TB/s; flips at 2.048 TB/s (-73.4 %)" in texts
