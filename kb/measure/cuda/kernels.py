"""The bundled kernels: plain data about each source, its launch, twin and baselines.

A kernel's workload is the JAX function that computes the same thing, its inputs, its
float64 reference and its tolerance; the vendor's call for it stands beside it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from kb.finding import CheckError, quoted
from kb.measure.cuda import twins
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.twins import SCALE, Sizes, Twin

FOLDER = Path(__file__).parent

ARCHITECTURES = ("sm_90a", "sm_100a", "sm_103a")
"""Hopper (H100, H200), Blackwell B200 and Blackwell B300, each with its own extensions."""

HOPPER, BLACKWELL = ("sm_90a",), ("sm_100a", "sm_103a")

Family = Literal["tcgen05.mma", "wgmma.mma_async", "mma.sync"]


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a kernel is launched."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0
    """Dynamic shared memory of a block."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """One entry of one source, with everything that a run of it needs."""

    id: str
    summary: str
    entry: str
    source: str
    twin_of: Callable[[Sizes], Twin]
    """What it computes at a size: the JAX function, inputs, reference and tolerance."""
    sizes: Sizes
    """The size that is measured."""
    architectures: tuple[str, ...]
    geometry: Callable[[Sizes], Geometry]
    scalars: Callable[[Sizes], tuple[tuple[str, float], ...]]
    """What follows the pointers, as (type, value); types as in `struct`: `I`, `Q`, `f`."""
    vendor: str | None
    """The vendor's function for it; None where its libraries have no such call."""
    family: Family | None = None
    """The matrix instructions that the compiled kernel must hold."""

    @property
    def twin(self) -> Twin:
        """The workload at the size that is measured."""
        return self.twin_of(self.sizes)

    @property
    def path(self) -> Path:
        """The source file."""
        return FOLDER / self.source

    def runs_on(self, architecture: str) -> bool:
        """Whether the source is written for `architecture`."""
        return architecture in self.architectures


def source_files() -> tuple[Path, ...]:
    """Every CUDA source and every header that a kernel includes, in a fixed order."""
    return tuple(sorted([*FOLDER.glob("*.cu"), *_headers()]))


def _headers() -> list[Path]:
    """The headers that reach a GPU: neither the CPU build's nor the FFI handlers'."""
    return sorted(p for p in FOLDER.glob("*.h") if p.name not in ("host.h", "ffi_shape.h"))


def source_hash(kernel: Kernel) -> str:
    """SHA-256 (hex) over the kernel's source and every header, whichever it includes."""
    digest = hashlib.sha256()
    for path in (kernel.path, *_headers()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _stream(sizes: Sizes) -> Geometry:
    """Four elements a thread, at most 32 blocks for each of some hundred processors."""
    (n,) = sizes
    return Geometry((max(1, min(ceil(n / 1024), 4096)), 1, 1), (256, 1, 1))


def _rows(sizes: Sizes) -> Geometry:
    rows, _ = sizes
    return Geometry((rows, 1, 1), (256, 1, 1))


def _tiles(threads: int, down: int, shared: int = 0) -> Callable[[Sizes], Geometry]:
    def geometry(sizes: Sizes) -> Geometry:
        m, n, _ = sizes
        return Geometry((ceil(n / 64), ceil(m / down), 1), (threads, 1, 1), shared)

    return geometry


def _length(sizes: Sizes) -> tuple[tuple[str, float], ...]:
    return (("Q", sizes[0]),)


def _triad(sizes: Sizes) -> tuple[tuple[str, float], ...]:
    return (("f", SCALE), ("Q", sizes[0]))


def _columns(sizes: Sizes) -> tuple[tuple[str, float], ...]:
    return (("I", sizes[1]),)


def _mnk(sizes: Sizes) -> tuple[tuple[str, float], ...]:
    return tuple(("I", size) for size in sizes)


STREAM, ROWS, PRODUCT, PRODUCT_16 = (2**26,), (8192, 4096), (2048,) * 3, (4096,) * 3

_ALL = (
    Kernel("copy-f32", "Copies an array.", "copy_f32", "bandwidth.cu",
           twins.copy_of, STREAM, ARCHITECTURES, _stream, _length, "cuMemcpyDtoDAsync"),
    Kernel("triad-f32", "Adds three times one array to another.", "triad_f32", "bandwidth.cu",
           twins.triad_of, STREAM, ARCHITECTURES, _stream, _triad, "cublasSgeam"),
    Kernel("chain-f32", "Eight elementwise steps in one pass.", "chain_f32", "chain.cu",
           twins.chain_of, STREAM, ARCHITECTURES, _stream, _length, None),
    Kernel("row-sum-f32", "Sums each row of a matrix.", "row_sum_f32", "rows.cu",
           twins.row_sum_of, ROWS, ARCHITECTURES, _rows, _columns, "cublasSgemv"),
    Kernel("softmax-f32", "Softmax over each row of a matrix.", "softmax_f32", "rows.cu",
           twins.softmax_of, ROWS, ARCHITECTURES, _rows, _columns,
           "cudnnSoftmaxForward"),
    Kernel("matmul-f32", "Product of float32 matrices in tiles, without tensor cores.",
           "matmul_f32", "matmul_f32.cu",
           twins.matmul_f32_of, PRODUCT, ARCHITECTURES, _tiles(256, 64), _mnk,
           "cublasGemmEx"),
    Kernel("matmul-bf16-mma", "Product of bfloat16 matrices, one warp at a time.",
           "matmul_bf16_mma", "matmul_bf16_mma.cu",
           twins.matmul_bf16_of, PRODUCT_16, ARCHITECTURES, _tiles(128, 64), _mnk,
           "cublasGemmEx", "mma.sync"),
    Kernel("matmul-bf16-wgmma", "Product of bfloat16 matrices by groups of four warps.",
           "matmul_bf16_wgmma", "matmul_bf16_wgmma.cu",
           twins.matmul_bf16_of, PRODUCT_16, HOPPER, _tiles(128, 64, 16 * 1024), _mnk,
           "cublasGemmEx", "wgmma.mma_async"),
    Kernel("matmul-bf16-tcgen05", "Product of bfloat16 matrices in tensor memory.",
           "matmul_bf16_tcgen05", "matmul_bf16_tcgen05.cu",
           twins.matmul_bf16_of, PRODUCT_16, BLACKWELL, _tiles(128, 128, 24 * 1024), _mnk,
           "cublasGemmEx", "tcgen05.mma"),
)  # fmt: skip

KERNELS = MappingProxyType({kernel.id: kernel for kernel in _ALL})
"""Every bundled kernel by id."""


def find(name: str) -> Kernel:
    """The kernel called `name`; raises `CheckError` that lists the names there are."""
    if name in KERNELS:
        return KERNELS[name]
    raise CheckError(f"There is no kernel {quoted(name)}.", f"Type one of {', '.join(KERNELS)}.")


def require(kernel: Kernel, architecture: str) -> None:
    """Raises `CudaFailure` when `kernel` isn't written for `architecture`."""
    if not kernel.runs_on(architecture):
        raise CudaFailure(
            FailureKind.NOT_FOR_ARCHITECTURE,
            f"{kernel.id} is written for {', '.join(kernel.architectures)}, not {architecture}.",
            f"Take one of {', '.join(k.id for k in _ALL if k.runs_on(architecture))}.",
        )
