"""A study: several timed series side by side, and the figures that follow from them.

One file of `evidence/` holds one study. Its raw samples are kept, every figure has a name
by which prose cites it, and what the study can't say stands in it. Shapes and checks only;
nothing is measured here.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from kb.model.artefact import digest
from kb.model.evidence import OTHER, Device, Environment
from kb.model.measurement import Identifier, Interval, Sha256, Shape, positive
from kb.qualifiers import Boundary, EvidenceClass, Word
from kb.source import Route

Name = Annotated[str, Field(pattern=r"^[a-z0-9]+(_[a-z0-9]+)*$")]
"""What a citation writes behind the `#`."""


class StudyKind(Word):
    """What a study asks."""

    PAIR = "pair", "Is one program faster than another one, round by round?"
    BUCKETING = "bucketing", "What do padded shapes cost, and how many compilations do they save?"
    RETRACING = "retracing", "What makes a function be traced or compiled again?"
    STRONG_SCALING = "strong_scaling", "How does a fixed amount of work gain from more devices?"
    WEAK_SCALING = "weak_scaling", "What does more work on as many more devices cost?"
    COLLECTIVES = "collectives", "What do collectives cost over message sizes?"


class Verdict(Word):
    """The answer of a pair, from the interval of its ratio and a margin that was declared."""

    FASTER = "faster", "The second is faster by more than the margin."
    SLOWER = "slower", "The second is slower by more than the margin."
    EQUIVALENT = "equivalent", "The whole interval of the ratio lies within the margin."
    UNDECIDED = "undecided", "The interval allows more than one answer."


class Series(Shape):
    """One timed thing of a study with what is known about it."""

    name: Name
    title: str
    boundary: Boundary
    unit: Literal["s"]
    samples: Annotated[tuple[float, ...], AfterValidator(positive)]
    """Raw, in the order taken; empty where the series counts and times nothing."""
    median: float | None
    facts: dict[str, str | int | float]
    """Counts and settings, by words that a table can print."""


class Figure(Shape):
    """One number that prose may cite."""

    name: Name
    title: str
    value: float
    unit: Literal["s", "ratio", "share", "count", "byte/s", "byte"]
    low: float | None = None
    """With `high`: the interval, where there is one."""
    high: float | None = None


class Check(Shape):
    """One condition that a study has to meet before it may support anything."""

    name: Name
    passed: bool
    why: str


class Pair(Shape):
    """What a pair decides by."""

    first: str
    second: str
    varied: str
    """The one thing in which the two programs differ; `nothing` for a program and itself."""
    margin: float = Field(gt=0, lt=1)
    """Differences up to this share mean nothing in practice; declared before the run."""
    interval: Interval
    """Of the median ratio, second over first."""
    verdict: Verdict


class Study(Shape):
    """One study, as its JSON file holds it."""

    schema_version: Literal[1]
    id: Identifier
    evidence_class: EvidenceClass
    study: StudyKind
    created: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
    command: str
    subject: str
    """What was studied, as a heading."""
    device: Device
    environment: Environment
    functional_only: bool
    """Whether devices were only pretended, so that no time speaks of anything."""
    cannot: str
    """What the study can't say."""
    controlled: dict[str, str]
    """What was held fixed."""
    series: tuple[Series, ...]
    figures: tuple[Figure, ...]
    checks: tuple[Check, ...]
    pair: Pair | None
    content_hash: Sha256

    @property
    def sound(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def values(self) -> dict[str, Figure]:
        """Everything that prose may cite, by name: figures, and the median of each series."""
        found = {figure.name: figure for figure in self.figures}
        for each in self.series:
            if each.median is not None:
                name = f"{each.name}.median"
                found[name] = Figure.model_construct(
                    name=name, title=each.title, value=each.median, unit="s", low=None, high=None
                )
        return found


def decide(interval: Interval, ratio: float, margin: float) -> Verdict:
    """The verdict on a ratio of times, second over first.

    A difference counts only when the interval leaves out 1 and the ratio lies beyond the
    margin; the programs are equivalent only when the whole interval lies within it.
    """
    low, high = 1 / (1 + margin), 1 + margin
    if low <= interval.low and interval.high <= high:
        return Verdict.EQUIVALENT
    if interval.low > 1 and ratio > high:
        return Verdict.SLOWER
    if interval.high < 1 and ratio < low:
        return Verdict.FASTER
    return Verdict.UNDECIDED


def hash_of(study: Study) -> str:
    """The content hash that the study should have."""
    return digest(study.model_dump(mode="json", exclude={"content_hash"}))


def sealed(study: Study) -> Study:
    """The study with its content hash."""
    return study.model_copy(update={"content_hash": hash_of(study)})


def disagreements(study: Study) -> Iterator[tuple[Route, str]]:
    """Every stored value that the study's own samples contradict, with its place."""
    if study.content_hash != hash_of(study):
        yield ("content_hash",), f"the content of {study.id} does not give its content hash"
    if (study.evidence_class is EvidenceClass.EXECUTED_ON_TARGET) == (
        study.device.product == OTHER
    ):
        text = f"class {study.evidence_class} does not fit product {study.device.product!r}"
        yield ("evidence_class",), text
    for index, each in enumerate(study.series):
        middle = statistics.median(each.samples) if each.samples else None
        if each.median != middle:
            yield (
                ("series", index, "median"),
                f"the median of {each.name} is not that of its samples",
            )
    if study.pair is not None:
        yield from _pair(study, study.pair)


def _pair(study: Study, pair: Pair) -> Iterator[tuple[Route, str]]:
    times = {each.name: each.samples for each in study.series}
    first, second = times.get("first", ()), times.get("second", ())
    stored = {figure.name: figure.value for figure in study.figures}.get("ratio", math.nan)
    if not first or len(first) != len(second):
        yield ("series",), "a pair needs as many samples of one side as of the other"
        return
    ratio = statistics.median(b / a for a, b in zip(first, second, strict=True))
    if ratio != stored:
        yield ("figures",), f"the ratio is stored as {stored:g}, the rounds give {ratio:g}"
    right = decide(pair.interval, ratio, pair.margin)
    if pair.verdict not in (right, Verdict.UNDECIDED):
        text = f"the verdict is stored as {pair.verdict}, the interval gives {right}"
        yield ("pair", "verdict"), text


def parse(text: str) -> Study:
    """The study in the JSON `text`; raises pydantic's `ValidationError` on another shape."""
    return Study.model_validate_json(text)
