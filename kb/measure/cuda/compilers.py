"""Compiles a kernel by NVRTC and by nvcc, neither of which needs a driver.

NVRTC goes through cuda.core, as it does on a machine with a GPU; only its PTX is asked of
the bindings, since cuda.core asks the driver first whether it could load it.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kb.finding import with_extra
from kb.measure.compile.outcome import said
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import FOLDER, Kernel

STANDARD = "c++17"
_KNOWN = re.compile(r"sm_(\d+)[af]?")
_EXTRA = with_extra("cuda")
_ERROR = re.compile(r"error\s*:")


@dataclass(frozen=True, slots=True)
class Artefact:
    """What one compiler gave for one kernel and architecture."""

    cubin: bytes
    ptx: str
    log: str
    """The assembler's report, as `ptxas -v` prints it."""

    @property
    def processor(self) -> str:
        """The architecture in the cubin's own header, as `sm_100`; it names no extension."""
        return f"sm_{struct.unpack_from('<I', self.cubin, 48)[0] >> 8 & 0xFF}"


def nvrtc(kernel: Kernel, architecture: str) -> Artefact:
    """Compiles `kernel` by NVRTC; raises `CudaFailure` when it can't."""
    core: Any = require("cuda.core")
    library: Any = require("cuda.bindings.nvrtc")
    _known(architecture, supported(library))
    options = core.ProgramOptions(
        name=kernel.source,
        arch=architecture,
        std=STANDARD,
        include_path=[str(FOLDER)],
        ptxas_options=["-v"],
    )
    text, log = kernel.path.read_text(encoding="utf-8"), io.StringIO()
    try:
        code = core.Program(text, "c++", options).compile("cubin", logs=log).code
    # The class of the exception lies in a private module.
    except Exception as error:  # noqa: BLE001
        raise _rejected(kernel, architecture, str(error)) from None
    return Artefact(bytes(code), _nvrtc_ptx(library, kernel, architecture), log.getvalue())


def _nvrtc_ptx(library: Any, kernel: Kernel, architecture: str) -> str:
    def call(name: str, *arguments: Any) -> Any:
        code, *rest = getattr(library, name)(*arguments)
        if int(code) != 0:
            raise _rejected(kernel, architecture, f"{name} gave {code.name}")
        return rest[0] if rest else None

    text = kernel.path.read_bytes()
    program = call("nvrtcCreateProgram", text, kernel.source.encode(), 0, [], [])
    # A virtual architecture: a real one would be assembled a second time.
    asked = architecture.replace("sm_", "compute_")
    given = [f"--gpu-architecture={asked}", f"--std={STANDARD}", f"-I{FOLDER}"]
    call("nvrtcCompileProgram", program, len(given), [word.encode() for word in given])
    ptx = b" " * call("nvrtcGetPTXSize", program)
    call("nvrtcGetPTX", program, ptx)
    call("nvrtcDestroyProgram", program)
    decoded: str = ptx.decode()
    return decoded.rstrip("\0 ")


def supported(library: Any) -> tuple[int, ...]:
    """The processor numbers that the installed NVRTC compiles for."""
    code, found = library.nvrtcGetSupportedArchs()
    return tuple(found) if int(code) == 0 else ()


def _known(architecture: str, numbers: tuple[int, ...]) -> None:
    found = _KNOWN.fullmatch(architecture)
    if found is None or (numbers and int(found[1]) not in numbers):
        names = ", ".join(f"sm_{number}" for number in numbers)
        raise CudaFailure(
            FailureKind.UNKNOWN_ARCHITECTURE,
            f"NVRTC does not know {architecture!r}; it knows {names}.",
            "Name one of these, or install a newer nvidia-cuda-nvrtc.",
        )


def nvcc(kernel: Kernel, architecture: str) -> Artefact:
    """Compiles `kernel` by nvcc; raises `CudaFailure` when it can't or isn't there."""
    tool = find_nvcc()
    if tool is None:
        raise CudaFailure(
            FailureKind.MISSING_WHEEL,
            "nvcc is not installed.",
            with_extra("aot-cuda"),
        )
    with tempfile.TemporaryDirectory(prefix="kb-nvcc-") as folder:
        cubin, ptx = Path(folder, "kernel.cubin"), Path(folder, "kernel.ptx")
        asked = architecture.replace("sm_", "compute_")
        # What nvcc does itself, in two steps, since both texts are wanted.
        asked = architecture.replace("sm_", "compute_")
        front = [f"-std={STANDARD}", f"-arch={asked}", "-ptx", str(kernel.path), "-o", str(ptx)]
        back = [f"-arch={architecture}", "-v", str(ptx), "-o", str(cubin)]
        _told(kernel, architecture, [str(tool), *front])
        report = _told(kernel, architecture, [_ptxas(tool), *back])
        return Artefact(cubin.read_bytes(), ptx.read_text(encoding="utf-8"), report)


def _told(kernel: Kernel, architecture: str, command: list[str]) -> str:
    """What a compiler says besides its result; raises `CudaFailure` when it refuses."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise _rejected(kernel, architecture, done.stderr)
    return done.stderr


def _ptxas(nvcc_: Path) -> str:
    """The assembler that belongs to this nvcc."""
    beside = nvcc_.resolve().with_name("ptxas")
    return str(beside) if beside.is_file() else shutil.which("ptxas") or "ptxas"


def find_nvcc() -> Path | None:
    """The nvcc of the installed wheels, else from CUDA_HOME or the search path; None without."""
    wheels = [Path(each, "nvidia/cu13/bin/nvcc") for each in sys.path]
    home = os.environ.get("CUDA_HOME")
    named = [*wheels, *([Path(home, "bin/nvcc")] if home else [])]
    found = next((path for path in named if path.is_file()), None) or shutil.which("nvcc")
    return None if found is None else Path(found)


def nvcc_version() -> str | None:
    """What nvcc calls itself, as `13.0.88`; None without nvcc."""
    tool = find_nvcc()
    if tool is None:
        return None
    told = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"V([\d.]+)", told.stdout)
    return found[1] if found else None


def versions() -> dict[str, str]:
    """The compilers and packages at hand, by name; what is absent is left out."""
    found = {}
    for package in ("cuda-core", "cuda-bindings", "nvidia-cuda-nvrtc"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    by_nvcc = nvcc_version()
    return found if by_nvcc is None else {**found, "nvcc": by_nvcc}


def require(name: str) -> Any:
    """The module `name`; raises `CudaFailure` with what to install when it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise CudaFailure(
            FailureKind.MISSING_WHEEL, f"{name} is not installed ({error.name}).", _EXTRA
        ) from None


def _rejected(kernel: Kernel, architecture: str, text: str) -> CudaFailure:
    """The first of the compiler's errors as a failure; without paths."""
    lines = [line.strip() for line in text.splitlines()]
    errors = [line for line in lines if _ERROR.search(line)] or lines[:1]
    first = errors[0][errors[0].find("error") :] if errors else "no message"
    return CudaFailure(
        FailureKind.COMPILATION_FAILED,
        f"{kernel.id} for {architecture}: {said(first)}",
        f"Compile it for one of {', '.join(kernel.architectures)}.",
    )
