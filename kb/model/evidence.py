"""An evidence record: one observation with everything needed to doubt it.

A record is one file `evidence/<id>.json`, written by a machine and never by hand. This
room holds its shape; `kb.model.gates` judges it and finds out whether it was altered.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from kb.model.base import ClaimId
from kb.model.measurement import (
    CacheState,
    Correctness,
    Guard,
    Measurement,
    Shape,
    Stage,
)
from kb.qualifiers import Boundary, EvidenceClass, Precision, Word

SCHEMA_VERSION = 1

OTHER = "other"
"""The product of a device that is in no catalogue."""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]


class GateName(Word):
    """A condition that a record meets before it may be published."""

    CORRECT = "correct", "The result is within the declared tolerance."
    SYNCHRONISED = "synchronised", "No clock stopped before the work was done."
    EVENT_COUNTS = "event_counts", "One compilation before the samples, none among them."
    CACHE_STATE_KNOWN = "cache_state_known", "It is known what came from a cache."
    ENOUGH_SAMPLES = "enough_samples", "At least 20 samples, and an interval of the median."
    STEADY = "steady", "The last third of the samples is within 10 % of the first."
    PHYSICALLY_POSSIBLE = "physically_possible", "No rate above the product's dense peak."
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


class MeshAxis(Shape):
    """One named axis of a device mesh."""

    name: str
    size: int = Field(ge=1)


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

    def measurement(self, boundary: Boundary) -> Measurement | None:
        """The samples taken at `boundary`, or None."""
        return next((m for m in self.measurements if m.boundary is boundary), None)


def parse(text: str) -> Evidence:
    """The record in the JSON `text`; raises pydantic's `ValidationError` on another shape.

    Parsing accepts a record whose hash or verdict is wrong: that is for `gates` to say.
    """
    return Evidence.model_validate_json(text)
