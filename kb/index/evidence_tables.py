"""The tables of evidence: what ran, what was compiled, what was studied, what was imported.

Counts of a record may be larger than a database's whole numbers; such a one is left empty.
"""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import BigInteger
from sqlmodel import Field

from kb.index.row import Row


class EvidenceRow(Row, table=True):
    """One evidence record of any kind."""

    __tablename__: ClassVar[str] = "evidence"
    id: str = Field(primary_key=True)
    kind: str = Field(index=True)
    """`run`, `compiled`, `cuda_kernels`, `study` or `imported`."""
    evidence_class: str = Field(index=True)
    workload: str
    """The program; of a study its subject, of an import its source."""
    product: str | None
    """None where the record speaks of no single product."""
    created: str
    command: str
    sound: bool | None
    """Whether gates or checks all passed; None where a record has none."""
    refusal: str | None
    """Why a target gave no program; None elsewhere."""
    content_hash: str
    path: str


class SeriesRow(Row, table=True):
    """One timed series of a run or a study, with its summary in seconds."""

    __tablename__: ClassVar[str] = "series"
    evidence: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    """Of a run its boundary."""
    boundary: str = Field(index=True)
    title: str
    n: int | None = Field(sa_type=BigInteger)
    median: float | None
    low: float | None
    high: float | None
    """The interval of the median, where there is one."""
    minimum: float | None
    maximum: float | None


class SampleRow(Row, table=True):
    """One raw sample of a series."""

    __tablename__: ClassVar[str] = "sample"
    evidence: str = Field(primary_key=True)
    series: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    boundary: str
    seconds: float


class StageRow(Row, table=True):
    """One step of a run that happens once."""

    __tablename__: ClassVar[str] = "stage"
    evidence: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    boundary: str
    seconds: float
    includes: str


class GateRow(Row, table=True):
    """One condition that a run or a study has to meet."""

    __tablename__: ClassVar[str] = "gate"
    evidence: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    passed: bool
    why: str


class FigureRow(Row, table=True):
    """One figure of a study that prose may cite."""

    __tablename__: ClassVar[str] = "figure"
    evidence: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    title: str
    value: float
    unit: str
    low: float | None
    high: float | None


class StudyRow(Row, table=True):
    """What one study asks and, of a pair, what it decides."""

    __tablename__: ClassVar[str] = "study"
    evidence: str = Field(primary_key=True)
    study: str = Field(index=True)
    """Its kind, such as `pair` or `strong_scaling`."""
    functional_only: bool
    cannot: str
    varied: str | None
    margin: float | None
    verdict: str | None


class CompilationRow(Row, table=True):
    """One compilation of a program for a product: its memory plan in bytes."""

    __tablename__: ClassVar[str] = "compilation"
    evidence: str = Field(primary_key=True)
    variant: str = Field(primary_key=True)
    argument: int | None = Field(sa_type=BigInteger)
    output: int | None = Field(sa_type=BigInteger)
    temporary: int | None = Field(sa_type=BigInteger)
    alias: int | None = Field(sa_type=BigInteger)
    generated_code: int | None = Field(sa_type=BigInteger)
    needed: int | None = Field(sa_type=BigInteger)
    """The compiler's peak, else all that may be alive at once."""
    open_loops: int | None = Field(sa_type=BigInteger)
    tiled_inputs: int | None = Field(sa_type=BigInteger)
    file: str
    """The compiled text, beside the record."""
    sha256: str


class KernelRow(Row, table=True):
    """One launch or fusion of a compilation; bytes and operations of all its executions."""

    __tablename__: ClassVar[str] = "kernel"
    evidence: str = Field(primary_key=True)
    variant: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    name: str
    kernel_class: str = Field(index=True)
    kind: str
    source: str
    operands: str
    executions: int | None = Field(sa_type=BigInteger)
    flops: int | None = Field(sa_type=BigInteger)
    bytes: int | None = Field(sa_type=BigInteger)
    """Bytes of operands and results at their logical size; not what was moved."""
    registers: int | None = Field(sa_type=BigInteger)
    spill_bytes: int | None = Field(sa_type=BigInteger)
    matrix: str
    undecided: bool


class CollectiveRow(Row, table=True):
    """Equal collectives of a compilation, on one device."""

    __tablename__: ClassVar[str] = "collective"
    evidence: str = Field(primary_key=True)
    variant: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    kind: str = Field(index=True)
    asynchronous: bool
    dtype: str
    groups: int | None = Field(sa_type=BigInteger)
    group_size: int | None = Field(sa_type=BigInteger)
    sites: int | None = Field(sa_type=BigInteger)
    executions: int | None = Field(sa_type=BigInteger)
    payload_bytes: int | None = Field(sa_type=BigInteger)
    wire_bytes: int | None = Field(sa_type=BigInteger)
    then_sliced: int | None = Field(sa_type=BigInteger)
    source: str


class CudaBuildRow(Row, table=True):
    """One hand-written CUDA kernel compiled for one architecture by one compiler."""

    __tablename__: ClassVar[str] = "cuda_build"
    evidence: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    kernel: str = Field(index=True)
    entry: str
    source: str
    architecture: str
    compiler: str
    artefact: str
    artefact_for: str | None
    artefact_sha256: str | None
    registers: int | None = Field(sa_type=BigInteger)
    stack_bytes: int | None = Field(sa_type=BigInteger)
    spill_store_bytes: int | None = Field(sa_type=BigInteger)
    spill_load_bytes: int | None = Field(sa_type=BigInteger)
    static_shared_bytes: int | None = Field(sa_type=BigInteger)
    dynamic_shared_bytes: int | None = Field(sa_type=BigInteger)
    threads: int | None = Field(sa_type=BigInteger)
    matrix: str
    refusal: str | None


class ResultRow(Row, table=True):
    """One published result of an import."""

    __tablename__: ClassVar[str] = "result"
    id: str = Field(primary_key=True)
    evidence: str = Field(index=True)
    """The import that it came in by."""
    entry: str
    submitter: str
    system: str
    benchmark: str = Field(index=True)
    model: str
    version: str
    suite: str
    division: str
    scenario: str
    availability: str
    verification: str
    metric: str
    published: str
    exact: str | None
    """Value in base units, as an exact fraction."""
    value: float | None
    unit: str | None
    valid: bool | None
    accelerator: str
    """As printed."""
    product: str = Field(index=True)
    accelerators: int | None = Field(sa_type=BigInteger)
    """Of the whole system; None where the number is not given."""
    nodes: int | None = Field(sa_type=BigInteger)
    formats: str
    power: str | None
    software: str
    flags: str
    """What is odd about it in the source, separated by blanks."""
    locator: str


EVIDENCE_TABLES: tuple[type[Row], ...] = (
    EvidenceRow,
    SeriesRow,
    SampleRow,
    StageRow,
    GateRow,
    FigureRow,
    StudyRow,
    CompilationRow,
    KernelRow,
    CollectiveRow,
    CudaBuildRow,
    ResultRow,
)
"""Every table of evidence, in the order in which it is written."""
