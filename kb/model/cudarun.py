"""How a kernel ran when CUDA was called directly: launch, cache, clocks and intervals."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from kb.model.intervals import TimedInterval, judge
from kb.model.measurement import Shape
from kb.qualifiers import Boundary, Word

Size = tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]


class Implementation(Word):
    """Who wrote the code that ran."""

    KERNEL = "kernel", "A kernel of our own, launched directly."
    VENDOR_LIBRARY = "vendor_library", "A call into a library of the vendor."

    @property
    def brings_its_code(self) -> bool:
        """Whether nothing is compiled for a run."""
        return self is Implementation.VENDOR_LIBRARY


class L2Treatment(Word):
    """What the second-level cache held when a sample began."""

    FLUSHED = "flushed", "Overwritten before each sample, outside the interval."
    ROTATED = "rotated", "Each launch uses other buffers, together larger than the cache."
    LEFT_WARM = "left_warm", "Left as the sample before it left it."


class ClockReading(Shape):
    """What the driver said between two blocks of samples."""

    after_samples: int = Field(ge=0)
    sm_mhz: int | None
    memory_mhz: int | None
    temperature_celsius: int | None
    power_watts: float | None
    reasons: tuple[str, ...]
    """Why the clock was below its highest; empty when nothing held it back."""


class CudaRun(Shape):
    """The part of an evidence record that only a CUDA run has."""

    implementation: Implementation
    called: str
    """The kernel's entry, or the library's function."""
    source_sha256: str | None
    architecture: str
    artefact: Literal["cubin", "ptx"] | None
    """What was loaded; null where a library brings its own code."""
    grid: Size | None
    block: Size | None
    shared_bytes: int = Field(ge=0)
    graph_launches: int = Field(ge=0)
    """Launches in the CUDA graph that one sample replays; 0 where none is used."""
    l2: L2Treatment
    l2_bytes: int = Field(ge=0)
    """Written by the flush, or held by the buffers that take turns."""
    driver_version: str
    versions: dict[str, str]
    clocks: tuple[ClockReading, ...]
    clocks_missing_because: str | None
    checked_samples: int = Field(ge=0)
    """Samples after which launch and execution errors were asked for before the time was kept."""
    intervals: tuple[TimedInterval, ...]
    """One for each measured boundary."""


def refusal(run: CudaRun, measured: dict[Boundary, int]) -> str | None:
    """Why times of `run` can't be believed, or None; `measured` counts samples by boundary."""
    kept = {interval.boundary: interval for interval in run.intervals}
    for boundary in measured:
        if boundary not in kept:
            return f"The record does not say which steps lie in the {boundary.value} interval."
    for interval in run.intervals:
        verdict = judge(interval)
        if not verdict.encloses:
            return f"{interval.boundary.value}: {verdict.why}"
    total = sum(measured.values())
    if run.checked_samples != total:
        return f"Errors were asked for after {run.checked_samples} of {total} samples."
    return None
