"""The shapes of what `kb measure compile`, `kb measure diff` and `kb audit` print with `--json`."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from kb.model.artefact import Artefact, Refusal

Version = Literal[1]
_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class AnswerOutput(TypedDict):
    """What one target said: a record, a refusal, or a refusal that is kept as a record."""

    target: str
    file: str | None
    refusal: Refusal | None
    record: Artefact | None


@with_config(_CLOSED)
class MeasureCompileOutput(TypedDict):
    """`kb measure compile --json`."""

    schema_version: Version
    answers: list[AnswerOutput]


@with_config(_CLOSED)
class RowOutput(TypedDict):
    """One respect in which two compiled records are set side by side."""

    what: str
    same: bool
    left: str
    right: str
    note: str


@with_config(_CLOSED)
class MeasureDiffOutput(TypedDict):
    """`kb measure diff --json`."""

    schema_version: Version
    rows: list[RowOutput]
    says_not: str


@with_config(_CLOSED)
class ShareOutput(TypedDict):
    """The smallest and the largest share of one group, each from 0 to 1; null without work."""

    record: str
    product: str
    group: Literal["generated", "library", "hand_written"]
    contraction_flops: list[float] | None
    bytes: list[float] | None


@with_config(_CLOSED)
class RefusedOutput(TypedDict):
    """A target that gave no compiled program."""

    target: str
    refusal: Refusal


@with_config(_CLOSED)
class RunTimeOutput(TypedDict):
    """Shares of leaf device time from a profile, each from 0 to 1, and what stands apart."""

    devices: int
    program: str
    generated: float
    library: float
    hand_written: float
    communication: float
    copies: float
    unjoined: float
    idle_nanoseconds: float
    asynchronous_nanoseconds: float
    other_programs_nanoseconds: float


@with_config(_CLOSED)
class KernelOutput(TypedDict):
    """One hand-written kernel."""

    name: str
    where: str
    seen_in: str
    sites: int
    lines: int
    gradient: bool | None
    sharding: bool | None
    note: str


@with_config(_CLOSED)
class DaysOutput(TypedDict):
    """The sums of the lowest and the highest figures; a sum of likely ones would be no range."""

    low: float
    high: float
    by: list[str]


@with_config(_CLOSED)
class EstimateOutput(TypedDict):
    """Three figures for one kernel, by a person."""

    kernel: str
    low: float
    likely: float
    high: float
    by: str
    basis: str


@with_config(_CLOSED)
class PlaceOutput(TypedDict):
    """One assumption about tools, CI or drivers in the source."""

    mark: str
    name: str
    path: str
    line: int


@with_config(_CLOSED)
class LayerOutput(TypedDict):
    """One row of the layer table."""

    layer: str
    bound: str
    found: str


@with_config(_CLOSED)
class AuditOutput(TypedDict):
    """`kb audit --json`."""

    schema_version: Version
    audited: str
    shares: list[ShareOutput]
    run_time: RunTimeOutput | None
    refused: list[RefusedOutput]
    kernels_to_rewrite: list[KernelOutput]
    engineering_days: DaysOutput | None
    estimates: list[EstimateOutput]
    not_estimated: list[str]
    tooling: list[PlaceOutput]
    not_read: list[str]
    layers: list[LayerOutput]
    binds: Literal["compute_api", "framework", "undetermined"]
