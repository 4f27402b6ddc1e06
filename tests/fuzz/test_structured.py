"""No input of a shape that kb reads makes it raise, hang, or answer without a remedy."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.shapes import SHAPES
from tests.fuzz.targets import TARGETS, seeds
from tests.ledger import note

TIMES = int(os.environ.get("KB_FUZZ", "1"))
"""How many times the inputs of one run; `make fuzz` asks for fifty times as many."""
EXAMPLES = {"foreign": 60, "body": 80, "query": 60, "source": 60, "editor": 60, "assistant": 40}


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_what_looks_right_is_answered(name: str) -> None:
    count = EXAMPLES.get(name, 100) * TIMES

    @settings(
        derandomize=TIMES == 1, deadline=None, max_examples=count, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(SHAPES[name])
    def answered(text: str) -> None:
        TARGETS[name](text.encode("utf-8", "surrogatepass"))

    answered()
    note("structured", name, count)


@pytest.mark.slow
@settings(derandomize=TIMES == 1, deadline=None, max_examples=100 * TIMES, database=None)
@given(st.sampled_from(sorted(SHAPES)), st.binary(max_size=300))
def test_what_is_noise_is_answered(name: str, data: bytes) -> None:
    TARGETS[name](data)


@pytest.mark.parametrize("name", TARGETS)
def test_what_once_failed_is_answered(name: str) -> None:
    """Every input of the corpus, among them each that was found to fail."""
    paths = list(seeds(name))
    assert paths, "every target has a corpus"
    for path in paths:
        TARGETS[name](path.read_bytes())
