"""Builds a C++ or CUDA source into a shared library with the compiler that is here."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from kb.finding import CheckError

OPTIONS = ("-std=c++17", "-shared")
"""What every build shares; `-fPIC` is spelt otherwise for nvcc."""

FOR_HOST = (*OPTIONS, "-fPIC")
"""For g++ and its kin."""


class BuildError(CheckError):
    """The compiler is here and rejects the source; says its first line that names an error."""


def host_compiler(purpose: str) -> str:
    """The path of the C++ compiler; raises `CheckError` that names `purpose` without one."""
    tool = shutil.which("g++") or shutil.which("c++")
    if tool is None:
        raise CheckError(f"{purpose} needs a C++ compiler.", "apt-get install g++")
    return tool


def build(compiler: str, source: Path, *options: str, out: Path | None = None) -> Path:
    """The library of one source, in a folder of its own unless `out` says where.

    Includes are sought beside the source too. Raises `BuildError`.
    """
    # A loaded library must not vanish, so the folder outlives this call.
    out = out or Path(tempfile.mkdtemp(prefix="kb-library-"), source.with_suffix(".so").name)
    command = [compiler, *options, str(source), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        named = [line for line in lines if "error" in line.lower()]
        first = (named or lines or ["it says nothing"])[0].strip()
        raise BuildError(
            f"{source.name} does not build: {first}",
            "Install a C++17 compiler (g++ 8 or newer) that fits the installed jaxlib.",
        )
    return out
