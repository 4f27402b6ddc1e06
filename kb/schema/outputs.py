"""The shapes of the `--json` outputs, so that other programs can rely on them."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from kb.schema.places import PlaceOutput, SuggestionOutput

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


SeverityWord = Literal["error", "warning", "note"]


@with_config(_CLOSED)
class RelatedOutput(PlaceOutput):
    """A second place of a finding, and what is to be seen there."""

    text: str


@with_config(_CLOSED)
class MovedOutput(TypedDict):
    """A value that a record relied on, and what it is now."""

    what: str
    before: str
    after: str


class FindingFields(PlaceOutput):
    """The fields that every finding has."""

    rule: str
    severity: SeverityWord
    fingerprint: str
    message: str
    label: str
    remedy: str
    suggestion: SuggestionOutput | None
    moved: MovedOutput | None
    related: list[RelatedOutput]


@with_config(_CLOSED)
class FindingOutput(FindingFields):
    """One finding."""


@with_config(_CLOSED)
class WaivedOutput(FindingFields):
    """A finding that a waiver silences."""

    reason: str


@with_config(_CLOSED)
class CrashOutput(TypedDict):
    """A rule that did not finish, or a file that is no rule."""

    rule: str
    reason: str
    remedy: str


@with_config(_CLOSED)
class CountsOutput(TypedDict):
    """How many of each."""

    error: int
    warning: int
    note: int
    waived: int
    baseline: int
    files: int
    rules: int


@with_config(_CLOSED)
class BlindSpotsOutput(TypedDict):
    """What the run could not judge."""

    claims_open: int
    comparisons_undetermined: int
    comparisons_unjudged: int
    records_unparsed: int
    figures_unjudged: int


@with_config(_CLOSED)
class CheckOutput(TypedDict):
    """`kb check --format json`."""

    schema_version: Version
    exit_code: Literal[0, 1, 2]
    path_prefix: str
    findings: list[FindingOutput]
    waived: list[WaivedOutput]
    baseline: list[FindingOutput]
    crashes: list[CrashOutput]
    counts: CountsOutput
    blind_spots: BlindSpotsOutput
    skipped_rules: list[str]
    summary: list[str]


@with_config(_CLOSED)
class RuleOutput(TypedDict):
    """One validator, with its docstring in Markdown."""

    slug: str
    severity: SeverityWord
    over: Literal[
        "corpus",
        "product",
        "claim",
        "statement",
        "comparison",
        "result_comparison",
        "decision",
        "evidence",
        "artefact",
        "record",
    ]
    message: str
    why: str
    refused: str
    accepted: str


@with_config(_CLOSED)
class ToldOutput(TypedDict):
    """A kind of finding that no validator makes."""

    slug: str
    message: str
    why: str
    remedy: str


@with_config(_CLOSED)
class RulesOutput(TypedDict):
    """`kb rules --json`."""

    schema_version: Version
    rules: list[RuleOutput]
    reserved: list[ToldOutput]


@with_config(_CLOSED)
class ExplainRule(RuleOutput):
    """`kb explain SLUG --json` about a validator."""

    schema_version: Version


@with_config(_CLOSED)
class ExplainTold(ToldOutput):
    """`kb explain SLUG --json` about another kind of finding."""

    schema_version: Version


@with_config(_CLOSED)
class ExplainLint(TypedDict):
    """`kb explain SLUG --json` about a kind of finding of `kb lint`."""

    schema_version: Version
    slug: str
    severity: Literal["error", "warning"]
    message: str
    why: str
    wrong: list[str]
    right: list[str]
    remedy: str


ExplainOutput = ExplainRule | ExplainTold | ExplainLint


@with_config(_CLOSED)
class ResourceOutput(TypedDict):
    """The floor that one resource sets."""

    name: str
    claim: str
    seconds: float
    seconds_interval: list[float]
    notes: list[str]


@with_config(_CLOSED)
class RooflineOutput(TypedDict):
    """`kb roofline --json`."""

    schema_version: Version
    evidence_class: Literal["estimated"]
    devices: int
    floor_seconds: float
    binding: str
    decided: bool
    intensity: float | None
    resources: list[ResourceOutput]


@with_config(_CLOSED)
class FitOutput(TypedDict):
    """`kb fit --json`."""

    schema_version: Version
    evidence_class: Literal["estimated"]
    verdict: Literal["fits", "does_not_fit", "undetermined"]
    shards: int
    needed_bytes: float
    parts_bytes: dict[str, float]
    capacity: str
    capacity_basis: str
    capacity_bytes: float
    cautions: list[str]


@with_config(_CLOSED)
class ChangeRow(TypedDict):
    """One claim that said something else; null where nothing dated was known."""

    id: str
    before: str | None
    after: str | None


@with_config(_CLOSED)
class DiffOutput(TypedDict):
    """`kb diff --json`."""

    schema_version: Version
    changes: list[ChangeRow]
    undated: int


@with_config(_CLOSED)
class ReviewRow(TypedDict):
    """One claim to look at again."""

    id: str
    why: str


@with_config(_CLOSED)
class ReviewOutput(TypedDict):
    """`kb review --json`."""

    schema_version: Version
    rows: list[ReviewRow]
