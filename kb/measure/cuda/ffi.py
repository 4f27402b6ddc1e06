"""The softmax kernel called from JAX: shapes, types, stream, ownership, and the rules around it.

XLA owns both buffers and the stream; the handler only launches. Batches and shards of rows
have rules here, and so does the gradient; the bare call has none, and JAX says so by name.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import os
from pathlib import Path
from typing import Any

from kb.finding import CheckError, with_extra
from kb.measure.compile import untyped
from kb.measure.cuda.compilers import find_nvcc
from kb.measure.cuda.kernels import ARCHITECTURES, FOLDER
from kb.measure.shared_library import FOR_HOST, OPTIONS, build, host_compiler

TARGET = "kb_softmax"
"""The name under which the kernel is registered."""

LIBRARY = "KB_FFI_LIBRARY"
"""Environment variable with a CUDA build made elsewhere, for machines without nvcc."""


def build_host() -> Path:
    """The handler for the CPU, built by g++; raises `CheckError` when it can't be."""
    compiler = host_compiler("The FFI handler for the CPU")
    options = (*FOR_HOST, "-O2", "-DKB_HOST", "-Wno-unknown-pragmas", *_includes())
    return build(compiler, FOLDER / "ffi_host.cc", *options)


def build_device(out: Path | None = None) -> Path:
    """The handler for CUDA with machine code for every architecture, built by nvcc.

    Needs no GPU. Raises `CheckError` when it can't be built.
    """
    tool = find_nvcc()
    if tool is None:
        raise CheckError("The FFI handler for CUDA needs nvcc.", with_extra("aot-cuda"))
    codes = [
        word
        for architecture in ARCHITECTURES
        for word in (
            "-gencode",
            f"arch={architecture.replace('sm', 'compute')},code={architecture}",
        )
    ]
    options = (*OPTIONS, "-O2", "-Xcompiler", "-fPIC", "-x", "cu", *codes, *_includes())
    libraries = tool.resolve().parents[1] / "lib"
    return build(str(tool), FOLDER / "ffi_device.cc", f"-L{libraries}", *options, out=out)


def _includes() -> tuple[str, str]:
    jax: Any = importlib.import_module("jax")
    return f"-I{jax.ffi.include_dir()}", f"-I{FOLDER}"


@functools.cache
def register(platform: str) -> Path:
    """Builds and registers the handler for `cpu` or `CUDA` once; returns the library."""
    jax: Any = importlib.import_module("jax")
    if platform == "cpu":
        path = build_host()
    else:
        given = os.environ.get(LIBRARY)
        path = Path(given) if given else build_device()
    try:
        library = ctypes.cdll.LoadLibrary(str(path))
    except OSError as error:
        raise CheckError(f"The FFI library does not load: {error}", "Build it again.") from None
    handler = jax.ffi.pycapsule(library.KbSoftmax)
    jax.ffi.register_ffi_target(TARGET, handler, platform=platform)
    return path


def bare_softmax(x: Any) -> Any:
    """Softmax over the last axis by the kernel, with no rule for gradients.

    Takes float32 arrays of one dimension or more; raises `CheckError` for others. Under
    `vmap` the new axis only adds rows.
    """
    jax: Any = importlib.import_module("jax")
    if x.ndim < 1 or str(x.dtype) != "float32":
        raise CheckError(
            f"The kernel takes float32 rows, not {x.dtype} of {x.ndim} dimensions.",
            "Convert with x.astype(jax.numpy.float32) and give it a last axis.",
        )
    call = jax.ffi.ffi_call(TARGET, untyped.shape(x.shape, x.dtype), vmap_method="broadcast_all")
    return call(x)


@functools.cache
def _differentiable() -> Any:
    jax: Any = importlib.import_module("jax")

    def forward(x: Any) -> Any:
        y = bare_softmax(x)
        return y, y

    def backward(y: Any, given: Any) -> Any:
        return (y * (given - (y * given).sum(axis=-1, keepdims=True)),)

    softmax = jax.custom_vjp(bare_softmax)
    softmax.defvjp(forward, backward)
    return softmax


def softmax(x: Any) -> Any:
    """Softmax over the last axis by the kernel, with the gradient in plain JAX."""
    return _differentiable()(x)


def sharded_softmax(x: Any, mesh: Any, axes: tuple[str | None, ...]) -> Any:
    """Softmax of an array whose dimensions lie on `axes` of `mesh`, without moving a row.

    Each device runs the kernel on its own rows. Raises `CheckError` when a row itself is
    split, since the kernel sees whole rows only.
    """
    jax: Any = importlib.import_module("jax")
    if len(axes) == x.ndim and axes[-1] is not None:
        raise CheckError(
            f"The rows are split over {axes[-1]!r}, and the kernel needs whole rows.",
            "Gather the last axis first, or split another one.",
        )
    spec = untyped.spec(*axes)
    # The check of what is replicated doesn't know the call, and nothing is replicated here.
    run = jax.shard_map(softmax, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False)
    return run(x)


def program(x: Any) -> Any:
    """A step before and after the kernel, to be compiled for a GPU that is not there."""
    register("CUDA")
    return softmax(x * 2) + 1
