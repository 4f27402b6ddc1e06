"""An evidence record: one observation with everything needed to doubt it.

A record is one file `evidence/<id>.json`, written by a machine and never by hand. This
room holds its shape; `kb.model.gates` judges it and finds out whether it was altered.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kb.model.artefact import Variant
from kb.model.base import ClaimId
from kb.model.cudarun import CudaRun
from kb.model.measurement import (
    CacheState,
    Correctness,
    Guard,
    Identifier,
    Measurement,
    MeshAxis,
    NoiseTest,
    QueuePoint,
    Sha256,
    Shape,
    Stage,
)
from kb.qualifiers import Boundary, EvidenceClass, Precision, Word

SCHEMA_VERSION = 1

OTHER = "other"
"""The product of a device that is in no catalogue."""


class GateName(Word):
    """A condition that a record meets before it may be published."""

    CORRECT = "correct", "The result is within the declared tolerance."
    SYNCHRONISED = "synchronised", "No clock stopped before the work was done."
    EVENT_COUNTS = "event_counts", "One compilation before the samples, none among them."
    CACHE_STATE_KNOWN = "cache_state_known", "It is known what came from a cache."
    ENOUGH_SAMPLES = "enough_samples", "At least 20 samples, and an interval of the median."
    STEADY = "steady", "The last third of the samples is within 10 % of the first."
    PHYSICALLY_POSSIBLE = "physically_possible", "No rate above the product's peaks."
    FINGERPRINT_COMPLETE = "fingerprint_complete", "Device, versions and program are named."


class ArrayShape(Shape):
    """One input of a program."""

    name: str
    shape: tuple[int, ...]
    dtype: Precision


class WorkloadRecord(Shape):
    """The program that ran, fixed by the hash of its StableHLO."""

    id: Identifier
    function: str
    stablehlo_sha256: Sha256
    inputs: tuple[ArrayShape, ...]
    seed: int
    flops: int | None
    """Arithmetic operations of one call, a multiply-add counted as two; null if not counted."""
    bytes_touched: int
    """Every input read once and every output written once, in bytes."""


class Dtypes(Shape):
    """The number format on each of the four roles."""

    storage: Precision
    multiply: Precision | Literal["backend_default"]
    accumulate: Precision | None
    """Null where nothing is added up."""
    output: Precision
    matmul_precision_setting: str
    """JAX's setting; `backend_default` when it is left alone."""


class Mesh(Shape):
    """How several devices are arranged and what lies where."""

    axes: tuple[MeshAxis, ...]
    input_shardings: tuple[str, ...]
    output_shardings: tuple[str, ...]


class Device(Shape):
    """The device that did the work and what it may speak for."""

    platform: str
    kind: str
    """As the driver reports it."""
    product: Identifier
    """A product id of the catalogue, or `other`."""
    count: int = Field(ge=1)
    speaks_for: str
    """The sentence that says how far the record reaches."""
    memory_bytes: int | None = None
    """Memory of one device as it reports it itself; null where it reports none."""


class Hardware(Shape):
    """State of a GPU as its driver reports it, in the units of the field's name."""

    driver: str
    name: str
    memory_bytes: int
    sm_clock_mhz: int | None
    memory_clock_mhz: int | None
    power_watts: float | None
    power_limit_watts: float | None
    temperature_celsius: int | None
    throttled_by: tuple[str, ...]
    """Why the clock is held down right now; empty where it is not."""


class CodeState(Shape):
    """The version of the measured code."""

    commit: str = Field(pattern=r"^[0-9a-f]{7,64}$")
    modified: bool
    """Whether files differ from that commit."""


class Environment(Shape):
    """The fingerprint: versions and settings, without host names or paths."""

    python: str
    jax: str
    jaxlib: str
    backend_version: str
    operating_system: str
    machine: str
    cpu_model: str
    usable_cpus: int = Field(ge=1)
    load_average: float | None
    """Of the last minute, as the run began; null where the system has none."""
    flags: dict[str, str]
    """Environment variables from a fixed list, with paths replaced by `<path>`."""
    container: str | None = None
    """The kind of container that the run was in; null where none was seen."""
    code: CodeState | None = None
    """Null where the code is in no repository."""
    hardware_before: Hardware | None = None
    """As the samples began; null where no NVIDIA driver answers."""
    hardware_after: Hardware | None = None
    """As they ended."""


class Cache(Shape):
    """Compilation caches: what was set and what was seen."""

    state: CacheState
    persistent_dir_set: bool
    hits: int = Field(ge=0)
    misses: int = Field(ge=0)
    memory_hit: bool
    fresh_process: bool
    """Whether the process was started for this one measurement."""


class Autotune(Shape):
    """Kernel choice by timing, which lies inside compilation on a GPU."""

    applies: bool
    level: str | None
    cache_dir_set: bool
    loaded_results: bool


class Events(Shape):
    """What the framework reported, counted."""

    traces: int = Field(ge=0)
    lowerings: int = Field(ge=0)
    compilations: int = Field(ge=0)
    compilations_during_samples: int = Field(ge=0)
    traces_during_samples: int = Field(default=0, ge=0)


class Transfers(Shape):
    """Whether copies lie inside the measured intervals."""

    inputs_to_device: Literal["inside", "outside"]
    outputs_to_host: Literal["inside", "outside"]
    why: str


class Memory(Shape):
    """The compiler's plan and the device's own count, in bytes."""

    argument_bytes: int | None
    output_bytes: int | None
    temporary_bytes: int | None
    alias_bytes: int | None
    generated_code_bytes: int | None
    device_peak_bytes: int | None
    unavailable_because: str | None
    """Why something above is null; null when nothing is."""


class Ceiling(Shape):
    """The dense peak that a rate of this record must not exceed."""

    claim: ClaimId
    flops_per_second: float = Field(gt=0)
    bandwidth_claim: ClaimId | None = None
    bytes_per_second: float | None = Field(default=None, gt=0)
    """Peak rate of the device memory."""
    on_chip_bytes: int | None = Field(default=None, ge=0)
    """Arrays that fit in here need not pass the device memory at every call."""


class Gate(Shape):
    """The outcome of one condition."""

    gate: GateName
    passed: bool
    why: str


class Evidence(Shape):
    """One evidence record, as its JSON file holds it."""

    schema_version: Literal[1]
    id: Identifier
    evidence_class: EvidenceClass
    created: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
    command: str
    workload: WorkloadRecord
    dtypes: Dtypes
    mesh: Mesh | None
    """Null for one device."""
    device: Device
    environment: Environment
    cache: Cache
    autotune: Autotune
    events: Events
    stages: tuple[Stage, ...]
    measurements: tuple[Measurement, ...]
    guard: Guard
    correctness: Correctness
    transfers: Transfers
    memory: Memory
    ceiling: Ceiling | None
    gates: tuple[Gate, ...]
    publishable: bool
    content_hash: Sha256
    queue_sweep: tuple[QueuePoint, ...] = ()
    """Throughput with fewer calls in flight than the measurement has."""
    noise: NoiseTest | None = None
    """Null in records of before it was taken."""
    unavailable: dict[str, str] = {}
    """Boundaries that were asked for and could not be measured, with why."""
    compiled: Variant | None = None
    """What the compiler made of the program that ran, read as compile-only evidence is."""
    cuda: CudaRun | None = None
    """Where CUDA was called directly."""

    @property
    def primary(self) -> Measurement | None:
        """The samples that the guard watched, on which the gates rest."""
        return self.measurement(self.guard.boundary)

    def measurement(self, boundary: Boundary) -> Measurement | None:
        """The samples taken at `boundary`, or None."""
        return next((m for m in self.measurements if m.boundary is boundary), None)


def parse(text: str) -> Evidence:
    """The record in the JSON `text`; raises pydantic's `ValidationError` on another shape.

    Parsing accepts a record whose hash or verdict is wrong: that is for `gates` to say.
    """
    return Evidence.model_validate_json(text)
