"""What CUDA compilers made of hand-written kernels: one record for a whole compile matrix.

Nothing ran, so there is no field for a time, a rate or a winner. Shapes only.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kb.model.artefact import digest
from kb.model.measurement import Identifier, Rows, Sha256, Shape

FAMILIES = {
    "tcgen05.mma": "fifth-generation tensor core (Blackwell)",
    "wgmma.mma_async": "warp-group matrix multiply (Hopper)",
    "mma.sync": "warp-level matrix multiply (any tensor core)",
}
"""Families of matrix instructions in PTX, and what they mean."""

CANNOT = (
    "Nothing ran. Registers and spills are the assembler's, instruction families are read from "
    "PTX; neither says that a kernel is fast, nor that its tensor-core instructions give the "
    "right result on a device."
)


class Source(Shape):
    """One source file and the lines of it that no CPU test can reach."""

    file: str
    sha256: Sha256
    untested: tuple[tuple[int, int], ...]
    """First and last line of each part that only a CUDA compiler sees."""


class Built(Shape):
    """One kernel compiled for one architecture by one compiler, or its refusal."""

    kernel: Identifier
    entry: str
    source: str
    architecture: str = Field(pattern=r"^sm_\d+[af]?$")
    compiler: Literal["nvrtc", "nvcc"]
    artefact: Literal["cubin", "ptx"]
    """A cubin runs on that architecture as it is; PTX is compiled once more by the driver."""
    artefact_for: str | None
    """Read from the artefact itself: `sm_100` from the cubin's header, `.target` from PTX."""
    artefact_sha256: Sha256 | None
    registers: int | None = Field(ge=0)
    """Of one thread; null for PTX, which has none yet."""
    stack_bytes: int | None = Field(ge=0)
    spill_store_bytes: int | None = Field(ge=0)
    spill_load_bytes: int | None = Field(ge=0)
    static_shared_bytes: int | None = Field(ge=0)
    dynamic_shared_bytes: int = Field(ge=0)
    """What the launch asks for on top."""
    threads: int = Field(ge=1)
    """Of one block."""
    matrix: dict[str, int]
    """Matrix instructions by family."""
    refusal: str | None
    """The compiler's own words; null when it compiled."""


class KernelMatrix(Shape):
    """Every bundled kernel for every architecture, as its JSON file holds it."""

    schema_version: Literal[1]
    kind: Literal["cuda_kernels"]
    """Tells this record from that of a compiled program."""
    id: Identifier
    evidence_class: Literal["compiled_not_executed"]
    created: str = Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
    command: str
    versions: dict[str, str]
    """Compilers and the packages they came from."""
    sources: Rows[Source]
    built: Rows[Built]
    content_hash: Sha256

    @property
    def spilled(self) -> tuple[Built, ...]:
        """Builds in which the assembler spilled registers to memory."""
        return tuple(b for b in self.built if b.spill_store_bytes or b.spill_load_bytes)


def hash_of(record: KernelMatrix) -> str:
    """The content hash that the record should have."""
    return digest(record.model_dump(mode="json", exclude={"content_hash"}))


def sealed(record: KernelMatrix) -> KernelMatrix:
    """The record with its content hash."""
    return record.model_copy(update={"content_hash": hash_of(record)})


def parse(text: str) -> KernelMatrix:
    """The record in the JSON `text`; raises pydantic's `ValidationError` on another shape."""
    return KernelMatrix.model_validate_json(text)
