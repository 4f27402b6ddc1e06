"""The shapes of `kb lint --stdin`: a line's verdict, its findings, and how its numbers are read."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from kb.schema.outputs import CompareErrorLine, SeverityWord, Version

_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class LintFinding(TypedDict):
    """One finding on a text; offsets count characters from 0, `end` is exclusive."""

    rule: str
    severity: SeverityWord
    axis: str | None
    axes: list[str]
    message: str
    start: int
    end: int
    suggestion: str | None


@with_config(_CLOSED)
class ReadingWord(TypedDict):
    """A word that decided how a number is read."""

    axis: str
    value: str
    text: str
    start: int
    end: int


@with_config(_CLOSED)
class ReadingOutput(TypedDict):
    """How one number of a text is read."""

    text: str
    start: int
    end: int
    kind: str
    products: list[str]
    metrics: list[str]
    stated: dict[str, list[str]]
    claims: list[str]
    confidence: Literal["stated", "inferred", "open"]
    words: list[ReadingWord]
    question: str | None


@with_config(_CLOSED)
class LintVerdictLine(TypedDict):
    """A line of `kb lint --stdin` that could be read."""

    id: Any
    schema_version: Version
    verdict: Literal["invalid", "valid", "ambiguous", "nothing_found"]
    findings: list[LintFinding]
    readings: NotRequired[list[ReadingOutput]]


LintLine = LintVerdictLine | CompareErrorLine
"""A line that could not be read looks as it does for `kb compare`."""
