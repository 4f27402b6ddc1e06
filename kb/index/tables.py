"""The tables. Exact values are kept as text beside the float in base units."""

from __future__ import annotations

from typing import ClassVar

from sqlmodel import Field

from kb.index.evidence_tables import EVIDENCE_TABLES
from kb.index.row import Row


class ProductRow(Row, table=True):
    """One product."""

    __tablename__: ClassVar[str] = "product"
    id: str = Field(primary_key=True)
    name: str
    vendor: str
    layer: str
    summary: str
    path: str


class SourceRow(Row, table=True):
    """One source."""

    __tablename__: ClassVar[str] = "source"
    id: str = Field(primary_key=True)
    title: str
    publisher: str
    kind: str
    address: str | None
    version: str | None
    retrieved: str | None


class ClaimRow(Row, table=True):
    """One claim with its current value and every qualifier."""

    __tablename__: ClassVar[str] = "claim"
    id: str = Field(primary_key=True)
    product: str = Field(index=True)
    metric: str = Field(index=True)
    published: str
    exact: str | None
    """Value in base units, as an exact fraction."""
    value: float | None
    """The same as a float."""
    unit: str | None
    """The base unit."""
    low: float | None
    high: float | None
    """What the printed digits allow."""
    scope: str | None
    count: str | None
    interface: str | None
    role: str | None
    direction: str | None
    aggregation: str | None
    sparsity: str | None
    precision: str | None
    accumulator: str | None
    output: str | None
    engine: str | None
    basis: str | None
    boundary: str | None
    layer: str | None
    arithmetic: str | None
    counting: str | None
    power_state: str | None
    includes: str | None
    terms: str | None
    path: str
    line: int


class StatementRow(Row, table=True):
    """What one source printed for a claim."""

    __tablename__: ClassVar[str] = "statement"
    claim: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    published: str
    exact: str | None
    value: float | None
    status: str
    source: str | None = Field(index=True)
    locator: str | None
    as_of: str | None


class AssessmentRow(Row, table=True):
    """A sourced judgement about an axis that is unstated."""

    __tablename__: ClassVar[str] = "assessment"
    claim: str = Field(primary_key=True)
    axis: str = Field(primary_key=True)
    value: str
    reasoning: str


class DecisionRow(Row, table=True):
    """One decision record."""

    __tablename__: ClassVar[str] = "decision"
    id: str = Field(primary_key=True)
    title: str
    status: str = Field(index=True)
    date: str
    question: str | None
    bottleneck: str | None = Field(index=True)
    """Boundary at which the bottleneck was observed."""
    observed: str | None
    """The bottleneck in words."""
    next_measurement: str | None
    review_by: str | None
    path: str


class CitationRow(Row, table=True):
    """One typed citation in the prose of a decision."""

    __tablename__: ClassVar[str] = "citation"
    decision: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    kind: str = Field(index=True)
    target: str = Field(index=True)
    """The id behind the kind; a comparison has `left..right`."""
    left_claim: str | None
    right_claim: str | None
    """The two sides of a comparison."""
    text: str
    line: int


class ComparisonRow(Row, table=True):
    """One comparison of a decision with its verdict."""

    __tablename__: ClassVar[str] = "comparison"
    decision: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    left_claim: str = Field(index=True)
    right_claim: str = Field(index=True)
    verdict: str | None
    """None where it can't be judged; `why` then says what is missing."""
    ratio: float | None
    low: float | None
    high: float | None
    """What the printed digits allow the ratio to be."""
    reasons: str
    """Axes that stand in the way, separated by blanks."""
    why: str
    """The same in sentences."""
    cautions: str
    """What has to be said beside the verdict."""
    derivation: str
    """Licensed steps that the verdict needs, in their order."""


class RestsOnRow(Row, table=True):
    """That a record rests on another: decision on claim, claim on source, and so on."""

    __tablename__: ClassVar[str] = "rests_on"
    kind: str = Field(primary_key=True)
    record: str = Field(primary_key=True)
    other_kind: str = Field(primary_key=True)
    other: str = Field(primary_key=True, index=True)
    how: str = Field(primary_key=True)
    """Why a change of the other one is felt."""


class RuleRow(Row, table=True):
    """One rule that ran, or what the reader of the files may find."""

    __tablename__: ClassVar[str] = "rule"
    id: str = Field(primary_key=True)
    severity: str
    sentence: str


class FindingRow(Row, table=True):
    """One finding of the check that went before."""

    __tablename__: ClassVar[str] = "finding"
    number: int = Field(primary_key=True)
    rule: str = Field(index=True)
    severity: str
    message: str
    path: str
    line: int
    column: int


class FileRow(Row, table=True):
    """One content file with the hash of its text (UTF-8, lines ended by a line feed)."""

    __tablename__: ClassVar[str] = "file"
    path: str = Field(primary_key=True)
    sha256: str


TABLES: tuple[type[Row], ...] = (
    ProductRow,
    SourceRow,
    ClaimRow,
    StatementRow,
    AssessmentRow,
    DecisionRow,
    CitationRow,
    ComparisonRow,
    *EVIDENCE_TABLES,
    RestsOnRow,
    RuleRow,
    FindingRow,
    FileRow,
)
"""Every table, in the order in which it is written."""
