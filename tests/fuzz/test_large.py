"""A megabyte of anything costs at most two seconds of a processor and 500 MB, and is answered."""

from __future__ import annotations

import time

import pytest

from tests.fuzz.large import THREADED, Cost, cases, cost, warm
from tests.fuzz.targets import TARGETS
from tests.fuzz.test_structured import TIMES
from tests.ledger import note

SECONDS = 2.0
"""Of a processor, of this process alone: what else the machine does counts little."""
MEGABYTES = 500
STEP_SECONDS = 0.04
"""What a reference loop takes on the machine that the limit was set for."""
EVERY = 6 if TIMES == 1 else 1
"""A short run takes every sixth case of a target and each that once failed."""
FAILED = frozenset(
    (
        "§: 1",
        "!x",
        "kb: ignore",
        "12:30",
        "<<",
        "25 %",
        '"k§"',
        '"kernels"',
        '"kernel_class"',
        "{}, ",
        "1 GB is",
        "calls=%main",
        "all-reduce(%a), replica_groups={{0,1}}",
        "twice",
        "a§: b",
        "- ",
    )
)


def slowness() -> float:
    """How much slower this machine is now than the one that the limit was set for; at least 1."""
    started = time.process_time()
    sum(n * n % 7 for n in range(600_000))
    return max(1.0, (time.process_time() - started) / STEP_SECONDS)


def chosen(target: str) -> list[tuple[str, str, str]]:
    """The cases of a run."""
    every = list(cases(target))
    return [
        case
        for number, case in enumerate(every)
        if number % EVERY == 0 or any(word in case[1] for word in FAILED)
    ]


def over(found: Cost) -> bool:
    """Whether a case broke the rule; where only the time did, a second run decides."""
    return bool(found.fault) or found.seconds > SECONDS * slowness() or found.megabytes > MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("target", [name for name in TARGETS if name != "profile"])
def test_a_megabyte_is_answered_in_time(target: str) -> None:
    if target not in THREADED:
        warm(target)
    listed = chosen(target)
    broken = [case for case in listed if over(cost(target, case))]
    assert not [found for case in broken if over(found := cost(target, case))]
    note("megabyte", target, len(listed))
