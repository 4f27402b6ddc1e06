"""A hand-written kernel for the bundled FFI program, built when it is first asked for.

It stands for what a team brings along: a function in C++ behind JAX's foreign function
interface, registered for the CPU and for CUDA. The compiler only has to know the name, so a
handler that needs no CUDA toolkit is enough to see the call in a GPU's program. Nothing here
runs on a GPU.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from pathlib import Path
from typing import Any

from kb.measure.shared_library import FOR_HOST, build, host_compiler

TARGET = "kb_scale"
"""The name under which the kernel is registered."""

SOURCE = Path(__file__).with_name("stub.cc")


@functools.cache
def register() -> None:
    """Builds and registers the kernel once; raises `CheckError` without a C++ compiler."""
    jax: Any = importlib.import_module("jax")
    compiler = host_compiler("The FFI program")
    built = build(compiler, SOURCE, *FOR_HOST, "-O2", f"-I{jax.ffi.include_dir()}")
    handler = jax.ffi.pycapsule(ctypes.cdll.LoadLibrary(str(built)).KbScale)
    for platform in ("cpu", "CUDA"):
        jax.ffi.register_ffi_target(TARGET, handler, platform=platform)
