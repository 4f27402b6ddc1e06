"""Builds a kernel's source for the CPU and runs it: blocks and threads become loops.

What is tested so: arithmetic, indices, edges and barriers of the very source that the CUDA
compilers see. What is not: the lines that only a GPU has, timing, and memory order.
"""

from __future__ import annotations

import ctypes
import functools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import FOLDER, KERNELS, Geometry, Kernel
from kb.measure.cuda.twins import Sizes
from kb.measure.shared_library import FOR_HOST, BuildError, build, host_compiler

if TYPE_CHECKING:
    import numpy as np

MARGIN = 4096
"""Bytes around each array that a kernel must neither need nor change."""

_FILL = 0xFF
"""As a float32 or bfloat16 this is NaN, so reading it shows in the result."""

_TYPES: dict[str, Any] = {"I": ctypes.c_uint32, "Q": ctypes.c_uint64, "f": ctypes.c_float}


@functools.cache
def library(source: str, *options: str) -> ctypes.CDLL:
    """The host build of one source with all of its kernels; built once a process.

    `options` go to g++. Raises `CheckError` without a C++ compiler or when it fails.
    """
    compiler = host_compiler("Running kernels on the CPU")
    exported = "".join(f"KB_EXPORT({k.entry})\n" for k in KERNELS.values() if k.source == source)
    # The library stays loaded, so its folder must outlive this call.
    host = Path(tempfile.mkdtemp(prefix="kb-host-"), "host.cc")
    host.write_text(f'#include "{source}"\n{exported}', encoding="utf-8")
    checked = ("-O1", "-DKB_HOST", "-Wall", "-Werror", "-Wno-unknown-pragmas")
    try:
        built = build(compiler, host, *FOR_HOST, *checked, *options, f"-I{FOLDER}")
    except BuildError as error:
        raise CudaFailure(FailureKind.COMPILATION_FAILED, str(error), error.remedy) from None
    return ctypes.CDLL(str(built))


def run(
    kernel: Kernel, sizes: Sizes, inputs: tuple[np.ndarray, ...], *, backwards: bool = False
) -> np.ndarray:
    """The kernel's result at `sizes`, its threads taking turns forwards or backwards.

    Raises `CudaFailure` for a deadlock, and for a write outside the arrays.
    """
    import numpy as np

    twin = kernel.twin_of(sizes)
    output = np.empty(twin.output.shape, dtype=np.float32)
    held = [_Guarded(array) for array in (*inputs, output)]
    built = library(kernel.source)
    code = launch(
        built,
        kernel,
        kernel.geometry(sizes),
        [each.pointer for each in held],
        sizes,
        backwards=backwards,
    )
    if code:
        raise CudaFailure(
            FailureKind.DEADLOCK,
            f"some threads of a block of {kernel.id} wait at a barrier that others never reach.",
            "Move the barrier to where every thread of the block comes by.",
        )
    for name, each in zip([*(i.name for i in twin.inputs), "the result"], held, strict=True):
        if not each.intact():
            raise CudaFailure(
                FailureKind.WRONG_RESULT,
                f"{kernel.id} at {sizes} writes beyond {name}.",
                "Check every index against the sizes before the write.",
            )
    result: np.ndarray = held[-1].values()
    return result


def launch(
    built: ctypes.CDLL,
    kernel: Kernel,
    geometry: Geometry,
    pointers: list[int],
    sizes: Sizes,
    *,
    backwards: bool,
) -> int:
    """Calls the host build as the driver would: one address for each argument."""
    arguments: list[Any] = [ctypes.c_void_p(pointer) for pointer in pointers]
    arguments += [_TYPES[kind](value) for kind, value in kernel.scalars(sizes)]
    addresses = (ctypes.c_void_p * len(arguments))(
        *(ctypes.addressof(argument) for argument in arguments)
    )
    size = (ctypes.c_uint32 * 6)(*geometry.grid, *geometry.block)
    code: int = built[f"kb_run_{kernel.entry}"](size, addresses, ctypes.c_int(backwards))
    return code


class _Guarded:
    """An array between two margins of NaN bytes."""

    def __init__(self, array: np.ndarray) -> None:
        import numpy as np

        self.like = array
        self.size = array.nbytes
        raw = np.full(self.size + 2 * MARGIN + 16, _FILL, dtype=np.uint8)
        skip = -(raw.ctypes.data + MARGIN) % 16  # kernels may read four elements at a time
        self.raw = raw[skip:]
        self.raw[MARGIN : MARGIN + self.size] = np.ascontiguousarray(array).view(np.uint8).ravel()

    @property
    def pointer(self) -> int:
        return int(self.raw.ctypes.data) + MARGIN

    def intact(self) -> bool:
        around = (self.raw[:MARGIN], self.raw[MARGIN + self.size :])
        return all(bool((side == _FILL).all()) for side in around)

    def values(self) -> np.ndarray:
        inside = self.raw[MARGIN : MARGIN + self.size].copy()
        shaped: np.ndarray = inside.view(self.like.dtype).reshape(self.like.shape)
        return shaped
