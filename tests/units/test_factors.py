"""The table of factors is what pint computes from our vocabulary; `KB_REWRITE=1` writes it anew."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction

import pytest

from kb import units


def test_the_table_is_what_pint_computes() -> None:
    text = units.factors_text()
    if os.environ.get("KB_REWRITE"):
        units.FACTORS.write_text(text, encoding="utf-8")
    assert units.FACTORS.read_text("utf-8") == text


def test_every_unit_is_in_it() -> None:
    names = {unit.name for unit in units.labels().values()}
    assert set(units._factors()) == names
    by_hand = {"gigabyte": 10**9, "gibibyte": 2**30, "gigabit / second": Fraction(10**9, 8),
               "millisecond": Fraction(1, 1000), "usd / hour": Fraction(1, 3600)}  # fmt: skip
    for name, factor in by_hand.items():
        assert units._factor(name) == factor


def test_after_a_change_of_the_vocabulary_pint_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    for cached in (units._factors, units._factor, units._dimension):
        cached.cache_clear()
    monkeypatch.setattr(units, "_definitions_digest", lambda: "of another vocabulary")
    try:
        assert units._factors() == {}
        assert units._factor("terabyte / second") == 10**12
        assert units._dimension("terabyte / second") == "[information] / [time]"
    finally:
        for cached in (units._factors, units._factor, units._dimension):
            cached.cache_clear()


def test_judging_needs_no_pint() -> None:
    program = (
        "import sys\nfrom kb.rules.collect import collect\n"
        "from kb.rules.example import judge_files\n"
        "judge_files({}, collect())\nprint('pint' in sys.modules)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "False\n"
