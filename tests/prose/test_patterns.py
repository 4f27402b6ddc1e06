"""No pattern of the prose room backtracks: hostile text of four times the size takes four times."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Callable

import pytest

import kb.prose

PIECES = (
    "1", "1,", "1.", "1_", " ", "a", "a ", "a-", "our a ", "each of the a ", "per a ", "in the a ",
    "= ", "== ", "- ", "| ", "+-", '"', ",", "(", "<a", "[", "[^a", "`", "*", "_", "half ",
    "is 1.1.1 ", "than the ", "divided by ", "multiplies ", "１", "\u00a0", "\u202f1", "の", "x ",
    "take ", "as the ", "peak ", "~~~", "> ", "of ", "nvidia ", "/s ", "1e",
)  # fmt: skip
WINDOW = 1000
"""Nothing is searched in more than one sentence, which is cut at this length."""


def patterns() -> dict[str, re.Pattern[str]]:
    found: dict[str, re.Pattern[str]] = {}
    for module in pkgutil.iter_modules(kb.prose.__path__):
        names = vars(importlib.import_module(f"kb.prose.{module.name}"))
        found |= {
            f"{module.name}.{name}": value
            for name, value in names.items()
            if isinstance(value, re.Pattern)
        }
    return found


PATTERNS = patterns()


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def test_the_patterns_are_found() -> None:
    assert len(PATTERNS) > 50


@pytest.mark.parametrize("name", PATTERNS)
def test_a_match_is_linear(name: str) -> None:
    for piece in PIECES:
        small, large = (piece * (n // len(piece)) + "!" for n in (4_000, 16_000))
        few = seconds(lambda text=small: PATTERNS[name].match(text))  # type: ignore[misc] # bound now
        many = seconds(lambda text=large: PATTERNS[name].match(text))  # type: ignore[misc]
        assert many < 8 * max(few, 0.002), f"{piece!r}: {few:.4f} s, then {many:.4f} s"


@pytest.mark.parametrize("name", PATTERNS)
def test_a_search_in_one_sentence_is_quick(name: str) -> None:
    for piece in PIECES:
        text = piece * (WINDOW // len(piece)) + "!"
        assert seconds(lambda text=text: list(PATTERNS[name].finditer(text))) < 0.06, piece  # type: ignore[misc]
