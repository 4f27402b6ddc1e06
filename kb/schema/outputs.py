"""The shapes of the `--json` outputs, so that other programs can rely on them."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

Version = Literal[1]
VerdictWord = Literal["comparable", "after_derivation", "not_comparable", "undetermined"]
_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class ReasonOutput(TypedDict):
    """One axis that differs or is open."""

    axis: str
    state: Literal["differs", "open"]
    left: str
    right: str
    why: str
    settle: NotRequired[str]


@with_config(_CLOSED)
class CautionOutput(TypedDict):
    """What travels with the verdict."""

    about: str
    text: str


@with_config(_CLOSED)
class StepOutput(TypedDict):
    """One licensed step."""

    step: str
    licence: str
    kind: str
    side: Literal["left", "right"]


@with_config(_CLOSED)
class AssumptionOutput(TypedDict):
    """One value assumed for an open axis."""

    side: Literal["left", "right"]
    axis: str
    value: str


@with_config(_CLOSED)
class ConditionalOutput(TypedDict):
    """The ratio under assumptions."""

    when: list[AssumptionOutput]
    ratio: float
    ratio_interval: list[float]


@with_config(_CLOSED)
class FractionOutput(TypedDict):
    """A share of the vendor's figure."""

    kind: Literal["reported", "achieved"]
    value: float
    interval: list[float]


class VerdictOutput(TypedDict):
    """The fields that every verdict has."""

    verdict: VerdictWord
    ratio: float | None
    ratio_interval: list[float] | None
    conditional: list[ConditionalOutput]
    fraction: FractionOutput | None
    reasons: list[ReasonOutput]
    cautions: list[CautionOutput]
    derivation: list[StepOutput]
    use_instead: list[str]


@with_config(_CLOSED)
class CompareOutput(VerdictOutput):
    """`kb compare LEFT RIGHT --json`."""

    schema_version: Version
    left: str
    right: str


@with_config(_CLOSED)
class CompareVerdictLine(VerdictOutput):
    """A line of `kb compare --stdin` that could be read."""

    schema_version: Version
    id: Any


@with_config(_CLOSED)
class CompareErrorLine(TypedDict):
    """A line of `kb compare --stdin` that could not be read."""

    id: Any
    line: int
    error: str


CompareLine = CompareVerdictLine | CompareErrorLine


@with_config(_CLOSED)
class ListRow(TypedDict):
    """One row of `kb list`."""

    id: str
    text: list[str]


@with_config(_CLOSED)
class ListOutput(TypedDict):
    """`kb list --json`."""

    schema_version: Version
    kind: str
    rows: list[ListRow]


@with_config(_CLOSED)
class ShowOutput(TypedDict):
    """`kb show ID --json`."""

    schema_version: Version
    id: str
    record: dict[str, Any]
