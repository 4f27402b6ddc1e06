"""Which rounds of a benchmark may be compared, and on whose word.

MLCommons decides that in a table of its own; the edition that could be read ends with round
v3.0. For later rounds a pair stays open unless something here settles it: an assessment
that rests on what the submission checkers of both rounds demand.
"""

from __future__ import annotations

from dataclasses import dataclass

from kb.qualifiers import Scenario

TABLE_ENDS = (3, 0)
"""The last inference round in the edition of the table that was read."""


@dataclass(frozen=True)
class Alike:
    """Rounds in which one benchmark was the same, as far as the checkers tell."""

    benchmark: str
    scenarios: frozenset[Scenario]
    rounds: tuple[str, ...]
    reasoning: str
    sources: tuple[str, ...]


_CHECKERS = ("mlcommons-submission-checker-v4.1", "mlcommons-submission-checker-v6.0")

ASSESSED = (
    Alike(
        "stable-diffusion-xl",
        frozenset({Scenario.OFFLINE, Scenario.SERVER}),
        ("v4.1", "v5.0", "v5.1"),
        "the checkers of these rounds ask for one model, one sample count, the same ranges of "
        "CLIP and FID scores, the same latency bound and the same field of the log",
        _CHECKERS,
    ),
    *(
        Alike(
            benchmark,
            frozenset({Scenario.OFFLINE}),
            ("v4.1", "v5.0", "v5.1"),
            "the checkers of these rounds ask for one model, one sample count, the same targets "
            "of ROUGE and of answer length, and the same field of the log",
            _CHECKERS,
        )
        for benchmark in ("llama2-70b-99", "llama2-70b-99.9")
    ),
)
"""Every assessment. Change one only with the checkers of both rounds at hand."""


def alike(benchmark: str, scenario: Scenario, rounds: set[str]) -> Alike | None:
    """The assessment that settles some rounds of a benchmark; None where none does."""
    return next(
        (
            item
            for item in ASSESSED
            if item.benchmark == benchmark
            and scenario in item.scenarios
            and rounds <= set(item.rounds)
        ),
        None,
    )


def multi_stream_changed(rounds: set[str]) -> bool:
    """Whether the multi-stream scenario was another one in one of the rounds: before v2.0."""
    old = {name for name in rounds if _number(name) < (2, 0)}
    return bool(old) and bool(rounds - old)


def _number(name: str) -> tuple[int, int]:
    major, _, minor = name.removeprefix("v").partition(".")
    return int(major), int(minor)
