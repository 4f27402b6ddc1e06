"""What in source code binds it to one vendor, as a closed list of words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kb.qualifiers import Word

Group = Literal["hand_written", "library", "tooling"]


class Mark(Word):
    """One kind of vendor-bound thing in a source tree."""

    CUDA_KERNEL = "cuda_kernel", "A `__global__` function in CUDA C++."
    FFI_TARGET = "ffi_target", "A foreign function called from JAX by its name."
    PALLAS = "pallas", "A kernel in JAX's kernel language; one source, tuned for each backend."
    TRITON = "triton", "A kernel in Triton."
    CUPY_RAW = "cupy_raw", "A kernel that CuPy compiles from text or from Python."
    NUMBA_CUDA = "numba_cuda", "A kernel compiled by Numba for CUDA."
    INLINE_PTX = "inline_ptx", "Assembly of one GPU family inside other code."
    VENDOR_CALL = "vendor_call", "A direct call into cuBLAS, cuDNN, NCCL and the like."
    PROFILING = "profiling", "Nsight, nsys, ncu, NVTX."
    DEVICE_TOOL = "device_tool", "nvidia-smi or NVML."
    VARIABLE = "variable", "A variable or flag that only CUDA, NCCL or XLA for GPUs reads."
    CONTAINER = "container", "A container image with CUDA in it, or a scheduler's GPU resource."
    DRIVER_PIN = "driver_pin", "A pinned driver, CUDA toolkit or wheel for CUDA."
    BUILD = "build", "nvcc or a GPU architecture in a build."

    @property
    def group(self) -> Group:
        """Whether it is a kernel to rewrite, a library to replace or an assumption to drop."""
        if self in _KERNELS:
            return "hand_written"
        return "library" if self is Mark.VENDOR_CALL else "tooling"


_KERNELS = frozenset(
    {
        Mark.CUDA_KERNEL,
        Mark.FFI_TARGET,
        Mark.PALLAS,
        Mark.TRITON,
        Mark.CUPY_RAW,
        Mark.NUMBA_CUDA,
        Mark.INLINE_PTX,
    }
)


VARIABLE = re.compile(
    r"\b(CUDA_VISIBLE_DEVICES|CUDA_LAUNCH_BLOCKING|NVIDIA_VISIBLE_DEVICES|NCCL_[A-Z_]+|xla_gpu_\w+)"
)
"""Names that only one vendor's software reads."""


@dataclass(frozen=True, slots=True)
class Found:
    """One place in a source tree."""

    mark: Mark
    name: str
    """The kernel or tool that is named there."""
    path: str
    line: int
    lines: int = 0
    """Length of the kernel's own source, where it is known."""
    gradient: bool | None = None
    """Whether a rule for differentiation is in the same file; None where that has no meaning."""
    sharding: bool | None = None
    """Whether a rule for partitioning is in the same file."""
