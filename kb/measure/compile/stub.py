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
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from kb.finding import CheckError

TARGET = "kb_scale"
"""The name under which the kernel is registered."""

SOURCE = Path(__file__).with_name("stub.cc")


@functools.cache
def register() -> None:
    """Builds and registers the kernel once; raises `CheckError` without a C++ compiler."""
    jax: Any = importlib.import_module("jax")
    tool = shutil.which("g++") or shutil.which("c++")
    if tool is None:
        raise CheckError("The FFI program needs a C++ compiler.", "apt-get install g++")
    # The library stays loaded, so its folder must outlive this call.
    built = Path(tempfile.mkdtemp(prefix="kb-ffi-"), "stub.so")
    done = subprocess.run(
        [tool, "-std=c++17", "-O2", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}",
         str(SOURCE), "-o", str(built)],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise CheckError(
            f"The FFI kernel does not build: {done.stderr.strip().splitlines()[0]}",
            "Install a C++17 compiler that fits the installed jaxlib.",
        )
    handler = jax.ffi.pycapsule(ctypes.cdll.LoadLibrary(str(built)).KbScale)
    for platform in ("cpu", "CUDA"):
        jax.ffi.register_ffi_target(TARGET, handler, platform=platform)
