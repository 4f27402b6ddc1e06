"""Published benchmark results that were read in: evidence of the class `imported`.

One file of `evidence/` holds what one import took over: each result with its qualifiers,
what was odd about it in the source, and the count of what was read and left out. The
numbers are somebody else's; nothing here was observed by this project.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field, model_validator

from kb.model.artefact import digest
from kb.model.base import CLAIM_ID, SLUG
from kb.model.measurement import Identifier, Rows, Sha256, Shape
from kb.qualifiers import (
    Availability,
    Division,
    Metric,
    Precision,
    RunKind,
    Scenario,
    Suite,
    Verification,
    Word,
)
from kb.quantity import Quantity, parse_quantity

SlugText = Annotated[str, Field(pattern=SLUG)]
ResultId = Annotated[str, Field(pattern=CLAIM_ID)]
"""`<import>/<result>`, as in `mlperf-inference-v5.1/5.1-0069-stable-diffusion-xl-offline`."""

CANNOT = (
    "Somebody else measured it, and this project did not. It speaks of a whole submission: "
    "system, software, number formats and tuning together, never of one chip alone."
)
"""The sentence that stands wherever an imported result is shown."""


class FlagKind(Word):
    """What is odd about a result as its source gives it. The value is kept as it is."""

    NO_ACCELERATOR = "no_accelerator", "No accelerator is named: processors did the work."
    UNKNOWN_ACCELERATOR = "unknown_accelerator", "The accelerator is not in the catalogue."
    AMBIGUOUS_ACCELERATOR = "ambiguous_accelerator", "Several products share the printed name."
    MIXED_ACCELERATORS = "mixed_accelerators", "The system has accelerators of several kinds."
    VIRTUALISED = "virtualised", "The accelerators are behind a hypervisor."
    COUNT_MISSING = "count_missing", "The number of accelerators is not given."
    COUNT_AS_TEXT = "count_as_text", "A count is written as text."
    UNIT_UNFIT = "unit_unfit", "The unit does not fit the scenario."
    LATENCY_FOR_THROUGHPUT = "latency_for_throughput", "A latency stands for a throughput."
    INVALID_RUN = "invalid_run", "The load generator calls the run invalid."
    NOT_COMPLIANT = "not_compliant", "The submission checker counts an error."
    DUPLICATE_ID = "duplicate_id", "Another result of the file has the same identity."
    INFERRED = "inferred", "The value was computed from another run of the system."
    PRECISION_UNSET = "precision_unset", "The number format of the weights is not given."
    PRECISION_UNREAD = "precision_unread", "A number format is none of the known words."
    ACCURACY_MISSING = "accuracy_missing", "No accuracy is given for a metric with a target."
    ACCURACY_MISSED = "accuracy_missed", "An accuracy is outside its target."
    POWER_MISSING = "power_missing", "A power run is announced and no power is given."
    FIGURE_OF_BOARD = "figure_of_board", "A board's figure is given for one accelerator."
    FIGURE_DIFFERS = "figure_differs", "A specification differs from the catalogue's."
    PLACEHOLDER = "placeholder", "A required field of the description says TODO."
    SYSTEM_MISSING = "system_missing", "There is no description of the system."


class SkipReason(Word):
    """Why something that was read did not become a result."""

    NOT_SELECTED = "not_selected", "Another part of the file was asked for."
    CUT_OFF = "cut_off", "The file breaks off inside the row."
    NO_OBJECT = "no_object", "The row is no object with fields."
    REPEATED = "repeated", "The row is word for word one that came before."
    NO_PERFORMANCE = "no_performance", "The row has no performance that can be read."
    UNKNOWN_WORD = "unknown_word", "A division, scenario or category is none of the known words."
    FIELD_MISSING = "field_missing", "A field is missing without which nothing can be compared."
    UNREADABLE = "unreadable", "The file can't be read."


class Flag(Shape):
    """One oddity, with the value that the source gives."""

    kind: FlagKind
    note: str


class Accelerators(Shape):
    """What did the work."""

    printed: str
    """As the source names it; empty where processors did the work."""
    product: Identifier
    """A product id of the catalogue, or `other`."""
    per_node: int | None = Field(ge=1)
    nodes: int = Field(ge=1)
    processor: str
    memory: str
    """Memory of one accelerator as printed; empty where it is not given."""
    interconnect: str
    """Links between accelerators as printed; empty where they are not given."""

    @property
    def total(self) -> int | None:
        """How many accelerators the system has; None where that is not known."""
        return None if self.per_node is None else self.per_node * self.nodes


class Component(Shape):
    """The number format of the weights of one part of the model."""

    name: str
    """`all` where the source gives one format, or a list without parts."""
    printed: str
    precision: Precision


class Accuracy(Shape):
    """One accuracy figure and the range that the benchmark demands."""

    metric: str
    value: float
    low: float | None
    """Null where no target is known."""
    high: float | None
    """Null where the benchmark sets no upper limit."""

    @property
    def met(self) -> bool | None:
        """Whether it is within its target; None where there is none."""
        if self.low is None:
            return None
        return self.value >= self.low and (self.high is None or self.value <= self.high)


class Power(Shape):
    """The official measurement of the whole system's power or energy."""

    published: str
    metric: Literal[Metric.POWER, Metric.ENERGY]


class PublishedResult(Shape):
    """One result as its source publishes it."""

    id: SlugText
    entry: str
    """The benchmark's own id of the submission, `5.1-0069`; empty where the files have none."""
    submitter: str
    system: str
    benchmark: str
    """The official name, with the quality target in it where there are two."""
    model: str
    """What ran; another one than the benchmark's in the open division."""
    version: str = Field(pattern=r"^v\d+\.\d+$")
    suite: Suite
    division: Division
    scenario: Scenario
    availability: Availability
    verification: Verification
    metric: Literal[Metric.RATE, Metric.LATENCY]
    published: str
    """Value and unit, in the spelling of the vocabulary: `31.7754 samples/s`."""
    printed_unit: str
    """The unit as the source spells it: `Samples/s`."""
    valid: bool | None
    """What the load generator says of the run; null where its log is not in the source."""
    accelerators: Accelerators
    number_formats: tuple[Component, ...]
    accuracy: tuple[Accuracy, ...]
    run: RunKind
    power: Power | None
    software: str
    notes: str
    locator: str
    """Where in the source it stands: a path, and the row where there are rows."""
    flags: tuple[Flag, ...]

    @property
    def quantity(self) -> Quantity:
        """The published value as a number with a unit."""
        return parse_quantity(self.published, self.metric)

    def flagged(self, *kinds: FlagKind) -> bool:
        """Whether any flag of some kinds is there."""
        return any(flag.kind in kinds for flag in self.flags)

    @property
    def formats(self) -> str:
        """The number formats in words: `unet fp8, vae fp32`, or one word for all of it."""
        shown = [
            c.printed if c.name == "all" else f"{c.name} {c.printed}" for c in self.number_formats
        ]
        return ", ".join(shown) or "unstated"


class Skipped(Shape):
    """One thing that was read and left out."""

    reason: SkipReason
    where: str
    """Row, or line and column, or path."""
    note: str


class Tally(Shape):
    """What an import read, took over and left out; the sums must match."""

    read: int = Field(ge=0)
    imported: int = Field(ge=0)
    flagged: dict[str, int]
    """How many imported results carry each kind of flag."""
    skipped: dict[str, int]

    @model_validator(mode="after")
    def _sums(self) -> Tally:
        out = sum(self.skipped.values())
        if self.read != self.imported + out:
            raise ValueError(
                f"{self.read} read are not {self.imported} imported and {out} left out"
            )
        return self


class Import(Shape):
    """One file of published results, as `kb import` writes it."""

    schema_version: Literal[1]
    id: SlugText
    evidence_class: Literal["imported"]
    created: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
    retrieved: str = Field(pattern=r"^\d{4}-\d\d-\d\d$")
    """The day on which the source was fetched, for the footnote that its owner demands."""
    command: str
    publisher: Literal["MLCommons"]
    source: str
    """Id of a source in the catalogue, or the name of the file where it has none."""
    source_sha256: Sha256
    tally: Tally
    skipped: Rows[Skipped]
    """What was left out, without what was not asked for."""
    results: Rows[PublishedResult]
    content_hash: Sha256

    @property
    def says_not(self) -> str:
        """What the results can't say."""
        return CANNOT

    @model_validator(mode="after")
    def _counted(self) -> Import:
        """Hold the tally against what is there, so that no result is lost silently."""
        if self.tally.imported != len(self.results):
            raise ValueError(f"{self.tally.imported} imported, {len(self.results)} are here")
        if self.tally.flagged != flag_counts(self.results):
            raise ValueError("the counted flags are not those of the results")
        return self


def flag_counts(results: tuple[PublishedResult, ...]) -> dict[str, int]:
    """How many results carry each kind of flag, in the order of the kinds."""
    found = Counter(kind for r in results for kind in {flag.kind for flag in r.flags})
    return {kind.value: found[kind] for kind in FlagKind if found[kind]}


def hash_of(record: Import) -> str:
    """The content hash that the record should have."""
    return digest(record.model_dump(mode="json", exclude={"content_hash"}))


def json_text(record: Import) -> str:
    """The record as its file: one field a line and one result a line, so that diffs read."""
    data = record.model_dump(mode="json")
    lines = [f"  {json.dumps(key)}: {_laid_out(value)}" for key, value in data.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _laid_out(value: object) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value, ensure_ascii=False)
    items: Iterable[str] = (json.dumps(item, ensure_ascii=False) for item in value)
    return "[\n" + ",\n".join(f"    {item}" for item in items) + "\n  ]"
