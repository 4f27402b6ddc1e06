"""Every kernel for every architecture by every compiler at hand, as one record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from kb.measure.compile import ptx
from kb.measure.cuda import compilers
from kb.measure.cuda.compilers import Artefact
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import KERNELS, Kernel, source_files
from kb.measure.cuda.untested import of_file
from kb.measure.run.record import UNSEALED, Numbered, first_free
from kb.model.kernels import Built, KernelMatrix, Source, sealed

Compiler = Callable[[Kernel, str], Artefact]


def matrix(
    architectures: Sequence[str], command: str, now: datetime, say: Callable[[str], None]
) -> KernelMatrix:
    """Compiles every kernel for every architecture; `now` is in UTC.

    A kernel that is not written for an architecture is tried all the same, and what the
    compiler says is kept. Raises `CudaFailure` when no compiler is there, when an
    architecture is unknown, or when a kernel fails where it is meant to compile.
    """
    tools: dict[str, Compiler] = {"nvrtc": compilers.nvrtc}
    if compilers.find_nvcc() is not None:
        tools["nvcc"] = compilers.nvcc
    built: list[Built] = []
    for architecture in architectures:
        for kernel in KERNELS.values():
            say(f"{kernel.id} for {architecture}")
            for name, tool in tools.items():
                built += _rows(kernel, architecture, name, tool)
    return sealed(
        KernelMatrix(
            schema_version=1,
            kind="cuda_kernels",
            id=f"cuda-kernels-{now:%Y%m%d}-1",
            evidence_class="compiled_not_executed",
            created=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            command=command,
            versions=compilers.versions(),
            sources=tuple(_source(path) for path in source_files()),
            built=tuple(built),
            content_hash=UNSEALED,
        )
    )


def _source(path: Path) -> Source:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return Source(file=path.name, sha256=digest, untested=of_file(path))


def _rows(kernel: Kernel, architecture: str, name: str, tool: Compiler) -> Iterator[Built]:
    """The cubin and the PTX of one compiler, or its refusal."""
    try:
        made = tool(kernel, architecture)
    except CudaFailure as failure:
        expected = failure.kind is FailureKind.COMPILATION_FAILED
        if not expected or kernel.runs_on(architecture):
            raise
        yield _row(kernel, architecture, name, refusal=str(failure))
        return
    if kernel.entry not in (sizes := ptx.assembled(made.log)):
        raise CudaFailure(
            FailureKind.COMPILATION_FAILED,
            f"{name} says nothing about {kernel.entry}.",
            "See whether the entry's name fits the source.",
        )
    families = ptx.matrix_instructions(made.ptx).get(kernel.entry, {})
    yield _row(kernel, architecture, name, made=made, size=sizes[kernel.entry], matrix=families)
    yield _row(kernel, architecture, name, made=made, matrix=families)


def _row(
    kernel: Kernel,
    architecture: str,
    name: str,
    *,
    made: Artefact | None = None,
    size: ptx.Assembled | None = None,
    matrix: dict[str, int] | None = None,
    refusal: str | None = None,
) -> Built:
    geometry = kernel.geometry(kernel.sizes)
    content = None if made is None else (made.ptx.encode() if size is None else made.cubin)
    target = (
        None if made is None else (ptx.architecture(made.ptx) if size is None else made.processor)
    )
    return Built.model_validate(
        {
            "kernel": kernel.id,
            "entry": kernel.entry,
            "source": kernel.source,
            "architecture": architecture,
            "compiler": name,
            "artefact": "cubin" if size is not None or made is None else "ptx",
            "artefact_for": target,
            "artefact_sha256": content and hashlib.sha256(content).hexdigest(),
            "registers": size and size.registers,
            "stack_bytes": size and size.stack_bytes,
            "spill_store_bytes": size and size.spill_store_bytes,
            "spill_load_bytes": size and size.spill_load_bytes,
            "static_shared_bytes": size and size.shared_bytes,
            "dynamic_shared_bytes": geometry.shared_bytes,
            "threads": geometry.block[0] * geometry.block[1] * geometry.block[2],
            "matrix": matrix or {},
            "refusal": refusal,
        }
    )


def write(record: KernelMatrix, folder: Path) -> tuple[KernelMatrix, Path]:
    """Writes the record under the first free number of its day; returns it with its path.

    Raises `CheckError` when the folder can't be written to.
    """

    def numbered(name: str) -> Numbered[KernelMatrix]:
        made = sealed(record.model_copy(update={"id": name}))
        return Numbered(made, made.model_dump_json(indent=1) + "\n")

    return first_free(record.id.rpartition("-")[0], folder, numbered)
