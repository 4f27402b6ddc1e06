"""No text makes the reader raise, leave its bounds, or take more than linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.load import load_files
from kb.prose.answer import answer
from kb.prose.cite import citations
from kb.prose.known import Known, known
from kb.rules.example import base_files

WORDS = (
    "Bolt B8", "Acme X1", "180 GB", "1,638 GB/s", "4.7×", "9/18 PFLOPS", "FP8", "dense", "sparse",
    "per GPU", "each", "|", "\n|---|---|\n", "\n\n", "# ", "`", "```\n", "[", "](claim:",
    ")", "<!--",
    "-->", "8 ×", "=", "twice", "times", "83 %", "of", ".", ";", "4x4 slice", "1e30 B",
    "0.10.2", "ms",
    "JAX", "CUDA", "block_until_ready", "\u00a0", "\u202f", "ß", "İ", "١٢ GB", "𝟙 GB", "-", "~",
)  # fmt: skip


def small() -> Known:
    return known(load_files(base_files()).corpus)


SMALL = small()


@settings(derandomize=True, deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_no_sentence_of_the_trade_raises(text: str) -> None:
    found = answer(text, SMALL)
    assert all(0 <= f.start <= f.end <= len(text) for f in found.findings)
    assert all(text[c.start : c.end] == c.text for c in citations(text))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    answer(text, SMALL)
    answer(text, SMALL, "rst")
    answer(text, SMALL, "plain")


REPEATED = (
    "1 GB ", "1,", "1_", "1 ", "9", "| 1 GB ", "[", "](", "<!--", "`", "``", "<a", "a ", "per a-",
    "Bolt B8 180 GB, ", "25 % of 1 GB ", "twice 1 GB ", "8 × ", "= ", "\n# a", "> ",
    "- 1 GB\n", "\u202f1",
    "[1 GB](claim:x)", "```\n", "*", "_", "1 GB = ", "25 % more than 1 GB ", "(",
    "one link ", "our a ", "の1GB", "1 Go ",
)  # fmt: skip


@pytest.mark.parametrize("piece", REPEATED)
def test_twice_the_text_takes_about_twice_the_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        best = 1e9
        for _ in range(2):
            started = time.process_time()
            answer(text, SMALL)
            citations(text)
            best = min(best, time.process_time() - started)
        return best

    small_time, large_time = seconds(4_000), seconds(16_000)
    # Four times the text: four times the time, with room for a noisy machine.
    assert large_time < 9 * small_time + 0.05
