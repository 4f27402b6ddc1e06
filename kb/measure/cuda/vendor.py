"""The vendor's own call for what each kernel computes: the baseline that a kernel must meet.

A kernel that is only compared with another naive kernel is compared with nothing. Matrices
here are row-major and cuBLAS counts by columns, so products are asked for transposed.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kb.finding import with_extra
from kb.measure.cuda.backend import CudaRuntime
from kb.measure.cuda.compilers import require
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import Kernel
from kb.measure.cuda.runtime import Work
from kb.measure.cuda.twins import SCALE, Sizes

_EXTRA = with_extra("cuda-vendor")
_REAL_32, _BFLOAT_16, _CHOOSE = 0, 14, -1
"""CUDA's numbers of two formats, and cuBLAS's word for its own choice of algorithm."""


_ABSENT = ("DynamicLibNotFoundError", "NotSupportedError", "FunctionNotFoundError")
"""What the loaders raise for a library that is not there, by name: the classes are private."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A vendor's call, ready to be queued."""

    called: str
    version: str
    work: Work


def baseline(runtime: CudaRuntime, kernel: Kernel, buffers: Sequence[Any]) -> Baseline | None:
    """The vendor's call over the kernel's inputs and its result, which it overwrites.

    None where the vendor has no such call. Raises `CudaFailure` when its library is not
    installed or refuses.
    """
    if kernel.vendor is None:
        return None
    return _MAKERS[kernel.vendor](runtime, buffers, kernel)


def _copy(runtime: CudaRuntime, buffers: Sequence[Any], kernel: Kernel) -> Baseline:
    x, y = buffers
    work = runtime.copy_within(y, x, kernel.twin.inputs[0].shape[0] * 4)
    return Baseline("cuMemcpyDtoDAsync", runtime.driver.text, work)


class _Blas:
    """cuBLAS with one handle, bound to the stream of each call."""

    def __init__(self, runtime: CudaRuntime) -> None:
        self.runtime = runtime
        self.library: Any = require("nvmath.bindings.cublas")
        self.handle = self._told(self.library.create)
        self.version = str(self._told(lambda: self.library.get_version(self.handle)))
        self.one, self.zero = ctypes.c_float(1), ctypes.c_float(0)

    def at(self, number: ctypes.c_float) -> int:
        """The address of a factor; cuBLAS reads it when it is called."""
        return ctypes.addressof(number)

    def work(self, name: str, *arguments: Any) -> Work:
        """What queues the call `name`."""
        call = getattr(self.library, name)

        def queue(stream: int) -> None:
            handle = int(self.runtime.stream(stream).handle)
            self._told(lambda: self.library.set_stream(self.handle, handle))
            self._told(lambda: call(self.handle, *arguments))

        return queue

    @staticmethod
    def _told(call: Callable[[], Any]) -> Any:
        try:
            return call()
        # Its own classes, and those of its loader, lie in private modules.
        except Exception as error:  # noqa: BLE001
            first = (str(error).splitlines() or [repr(error)])[0]
            absent = type(error).__name__ in _ABSENT
            kind = FailureKind.MISSING_WHEEL if absent else FailureKind.LAUNCH_FAILED
            raise CudaFailure(kind, f"cuBLAS: {first}", _EXTRA) from None


def _gemm(runtime: CudaRuntime, buffers: Sequence[Any], kernel: Kernel) -> Baseline:
    blas = _Blas(runtime)
    (m, n, k), (a, b, c) = kernel.sizes, (int(each.handle) for each in buffers)
    kind = _BFLOAT_16 if kernel.twin.inputs[0].dtype.value == "bf16" else _REAL_32
    compute = int(blas.library.ComputeType.COMPUTE_32F)
    none = int(blas.library.Operation.N)
    work = blas.work(
        "gemm_ex", none, none, n, m, k, blas.at(blas.one), b, kind, n, a, kind, k,
        blas.at(blas.zero), c, _REAL_32, n, compute, _CHOOSE,
    )  # fmt: skip
    return Baseline("cublasGemmEx", blas.version, work)


def _geam(runtime: CudaRuntime, buffers: Sequence[Any], kernel: Kernel) -> Baseline:
    """Sum of two scaled matrices: the triad as one call."""
    blas, scale = _Blas(runtime), ctypes.c_float(SCALE)
    b, c, y = (int(each.handle) for each in buffers)
    rows, columns = _folded(kernel.sizes)
    none = int(blas.library.Operation.N)
    work = blas.work(
        "sgeam", none, none, rows, columns, blas.at(blas.one), b, rows,
        ctypes.addressof(scale), c, rows, y, rows,
    )  # fmt: skip

    def queue(stream: int, _kept: ctypes.c_float = scale) -> None:
        work(stream)

    return Baseline("cublasSgeam", blas.version, queue)


def _folded(sizes: Sizes) -> tuple[int, int]:
    """An array as the matrix with the most rows up to 8192."""
    rows = next(size for size in range(min(8192, sizes[0]), 0, -1) if sizes[0] % size == 0)
    return rows, sizes[0] // rows


def _gemv(runtime: CudaRuntime, buffers: Sequence[Any], kernel: Kernel) -> Baseline:
    """Row sums as a product with a vector of ones."""
    import numpy as np

    blas = _Blas(runtime)
    (rows, columns), (x, y) = kernel.sizes, (int(each.handle) for each in buffers)
    ones = runtime.upload(np.ones(columns, dtype=np.float32))
    work = blas.work(
        "sgemv", int(blas.library.Operation.T), columns, rows, blas.at(blas.one), x, columns,
        int(ones.handle), 1, blas.at(blas.zero), y, 1,
    )  # fmt: skip

    def queue(stream: int, _kept: Any = ones) -> None:
        work(stream)

    return Baseline("cublasSgemv", blas.version, queue)


def _softmax(runtime: CudaRuntime, buffers: Sequence[Any], kernel: Kernel) -> Baseline:
    """Softmax by cuDNN over a batch of rows, its accurate variant."""
    library = _cudnn()
    handle, shape = ctypes.c_void_p(), ctypes.c_void_p()
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    rows, columns = kernel.sizes
    x, y = (ctypes.c_void_p(int(each.handle)) for each in buffers)

    def told(name: str, *arguments: Any) -> None:
        code = getattr(library, name)(*arguments)
        if code != 0:
            raise CudaFailure(FailureKind.LAUNCH_FAILED, f"{name} gave {code}.", _EXTRA)

    told("cudnnCreate", ctypes.byref(handle))
    told("cudnnCreateTensorDescriptor", ctypes.byref(shape))
    told("cudnnSetTensor4dDescriptor", shape, 0, 0, rows, columns, 1, 1)

    def queue(stream: int) -> None:
        told("cudnnSetStream", handle, ctypes.c_void_p(int(runtime.stream(stream).handle)))
        told(
            "cudnnSoftmaxForward", handle, 1, 0, ctypes.byref(one), shape, x, ctypes.byref(zero),
            shape, y,
        )  # fmt: skip

    library.cudnnGetVersion.restype = ctypes.c_size_t
    return Baseline("cudnnSoftmaxForward", str(library.cudnnGetVersion()), queue)


def _cudnn() -> ctypes.CDLL:
    wheels = [Path(each, "nvidia/cudnn/lib/libcudnn.so.9") for each in sys.path]
    names = [*(str(path) for path in wheels if path.is_file()), "libcudnn.so.9"]
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise CudaFailure(FailureKind.MISSING_WHEEL, "cuDNN: libcudnn.so.9 is not found.", _EXTRA)


_MAKERS: MappingProxyType[str, Callable[[CudaRuntime, Sequence[Any], Kernel], Baseline]] = (
    MappingProxyType(
        {
            "cuMemcpyDtoDAsync": _copy,
            "cublasGemmEx": _gemm,
            "cublasSgeam": _geam,
            "cublasSgemv": _gemv,
            "cudnnSoftmaxForward": _softmax,
        }
    )
)
"""What makes each vendor's call, by its name."""
