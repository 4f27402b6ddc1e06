"""The shapes of what the actions of `kb measure` that run something print with `--json`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from kb.model.evidence import Device, Environment, Evidence
from kb.model.kernels import KernelMatrix
from kb.model.study import Study
from kb.schema.outputs import VerdictOutput

Version = Literal[1]
_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class MeasureRunOutput(TypedDict):
    """`kb measure run --json`."""

    schema_version: Version
    file: str
    record: Evidence


@with_config(_CLOSED)
class MeasureStudyOutput(TypedDict):
    """`kb measure ab`, `bucket`, `retrace`, `scale` and `collectives` with `--json`."""

    schema_version: Version
    file: str
    study: Study


@with_config(_CLOSED)
class CellOutput(TypedDict):
    """One cell of a matrix: its record, or the kind of failure with its message."""

    cell: str
    file: str | None
    publishable: bool
    median_seconds: float | None
    kind: str | None
    message: str | None


@with_config(_CLOSED)
class MeasureSweepOutput(TypedDict):
    """`kb measure sweep --json`."""

    schema_version: Version
    kept: int
    """Cells that were finished before."""
    cells: list[CellOutput]


@with_config(_CLOSED)
class ComparisonOutput(VerdictOutput):
    """The verdict on the device's figure against the claim."""


@with_config(_CLOSED)
class HeldOutput(TypedDict):
    """One figure of the device beside one claim of its product."""

    figure: str
    reported: str
    reported_basis: Literal["device_reported", "usable"]
    claim: str
    published: str
    basis: str
    agreement: Literal["agrees", "differs", "other_quantity", "undetermined"]
    comparison: ComparisonOutput


@with_config(_CLOSED)
class CatalogueOutput(TypedDict):
    """What was held against the catalogue, or why nothing was."""

    why_none: str | None
    rows: list[HeldOutput]


@with_config(_CLOSED)
class MeasureDeviceOutput(TypedDict):
    """`kb measure device --json`."""

    schema_version: Version
    device: Device
    environment: Environment
    catalogue: CatalogueOutput


@with_config(_CLOSED)
class FailureOutput(TypedDict):
    """The word for what kept a run from happening, and what to do about it."""

    kind: str
    message: str
    remedy: str


@with_config(_CLOSED)
class MeasureFailureOutput(TypedDict):
    """What any of them prints instead where it ends with a failure of a known kind."""

    schema_version: Version
    failure: FailureOutput


@with_config(_CLOSED)
class WorkloadOutput(TypedDict):
    """A bundled workload."""

    id: str
    summary: str


@with_config(_CLOSED)
class MeasureListOutput(TypedDict):
    """`kb measure list --json`."""

    schema_version: Version
    workloads: list[WorkloadOutput]
    """What `kb measure run` knows."""
    compile_workloads: list[WorkloadOutput]
    """What `kb measure compile` knows."""


@with_config(_CLOSED)
class KernelOutput(TypedDict):
    """A hand-written kernel."""

    id: str
    summary: str
    architectures: list[str]
    vendor: str | None
    """The vendor's function it is measured against; null where its libraries have none."""


@with_config(_CLOSED)
class CudaListOutput(TypedDict):
    """`kb measure cuda list --json`."""

    schema_version: Version
    part: Literal["list"]
    kernels: list[KernelOutput]


@with_config(_CLOSED)
class CudaDeviceOutput(TypedDict):
    """`kb measure cuda device --json`."""

    schema_version: Version
    part: Literal["device"]
    device: str
    count: int
    architecture: str
    product: str
    driver_cuda: str
    """The newest CUDA that the driver runs."""
    toolkit_cuda: str


@with_config(_CLOSED)
class CudaCompileOutput(TypedDict):
    """`kb measure cuda compile --json`."""

    schema_version: Version
    part: Literal["compile"]
    file: str
    record: KernelMatrix


@with_config(_CLOSED)
class CudaOnCpuOutput(TypedDict):
    """One kernel at one size against its float64 reference."""

    kernel: str
    sizes: list[int]
    norm_error: float | None
    bound: float
    right: bool


@with_config(_CLOSED)
class CudaCpuOutput(TypedDict):
    """`kb measure cuda cpu --json`."""

    schema_version: Version
    part: Literal["cpu"]
    rows: list[CudaOnCpuOutput]


@with_config(_CLOSED)
class CudaPartOutput(TypedDict):
    """One interval of one kernel, or the reason why there is none."""

    kernel: str
    by: str
    boundary: str
    seconds: float | None
    note: str
    failed: bool


@with_config(_CLOSED)
class CudaCheckOutput(TypedDict):
    """`kb measure cuda check --json`."""

    schema_version: Version
    part: Literal["check"]
    files: list[str]
    rows: list[CudaPartOutput]


MeasureCudaOutput = Annotated[
    CudaListOutput | CudaDeviceOutput | CudaCompileOutput | CudaCpuOutput | CudaCheckOutput,
    Field(discriminator="part"),
]
"""`kb measure cuda … --json`, by its part."""
