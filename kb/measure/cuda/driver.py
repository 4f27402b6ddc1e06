"""Finds out what the machine's driver can do, before anything is asked of it.

Without a driver, several calls of cuda.core die with an error that says nothing; so the
driver is looked for first, and each way in which it may be missing has its own failure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.finding import with_extra
from kb.measure.cuda.compilers import require
from kb.measure.cuda.failure import CudaFailure, FailureKind

_NO_DEVICE = 100
_OUT_OF_MEMORY = 2
_CHECK = "Run nvidia-smi to see whether the driver works."


@dataclass(frozen=True, slots=True)
class Driver:
    """The driver and the GPU that is used."""

    version: tuple[int, int]
    """The newest CUDA that it runs, as (13, 0)."""
    toolkit: tuple[int, int]
    """The CUDA of the NVRTC at hand."""
    device: str
    """As the driver names it."""
    architecture: str
    """With the extensions of that generation, as `sm_90a`."""
    count: int
    bus: str
    """Its PCI address, by which the management library knows it."""

    @property
    def text(self) -> str:
        """The version in words."""
        return ".".join(map(str, self.version))


def look() -> Driver:
    """The driver of this machine; raises `CudaFailure` when there is none that fits."""
    bindings: Any = require("cuda.bindings.driver")
    toolkit = _toolkit()
    _started(bindings)
    version = _version(ask(bindings, "cuDriverGetVersion"))
    if version < toolkit:
        have, need = (".".join(map(str, each)) for each in (version, toolkit))
        raise CudaFailure(
            FailureKind.DRIVER_TOO_OLD,
            f"the driver runs CUDA up to {have}, NVRTC makes code for {need}.",
            f"Update the driver, or install nvidia-cuda-nvrtc {have}.* instead.",
        )
    count = int(ask(bindings, "cuDeviceGetCount"))
    if count == 0:
        raise CudaFailure(FailureKind.NO_DEVICE, "the driver sees no GPU.", _CHECK)
    device = ask(bindings, "cuDeviceGet", 0)
    words = bindings.CUdevice_attribute
    major, minor = (
        int(ask(bindings, "cuDeviceGetAttribute", attribute, device))
        for attribute in (
            words.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
            words.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
        )
    )
    name, bus = (
        ask(bindings, call, 128, device).split(b"\0")[0].decode()
        for call in ("cuDeviceGetName", "cuDeviceGetPCIBusId")
    )
    return Driver(version, toolkit, name, architecture(major, minor), count, bus)


def architecture(major: int, minor: int) -> str:
    """The name to compile for, with the extensions that Hopper and Blackwell have."""
    return f"sm_{major}{minor}" + ("a" if major >= 9 else "")


def _version(number: int) -> tuple[int, int]:
    return number // 1000, number % 1000 // 10


def _toolkit() -> tuple[int, int]:
    library: Any = require("cuda.bindings.nvrtc")
    try:
        code, major, minor = library.nvrtcVersion()
    # What is raised without the library lies in another package.
    except RuntimeError as error:
        raise CudaFailure(
            FailureKind.MISSING_WHEEL,
            f"NVRTC is not installed: {str(error).splitlines()[0]}",
            with_extra("cuda"),
        ) from None
    if int(code) != 0:
        raise CudaFailure(FailureKind.MISSING_WHEEL, f"NVRTC gave {code.name}.", _CHECK)
    return int(major), int(minor)


def _started(bindings: Any) -> None:
    try:
        (code,) = bindings.cuInit(0)
    # Raised by the loader when libcuda.so is nowhere.
    except RuntimeError as error:
        raise CudaFailure(
            FailureKind.NO_DRIVER,
            "this machine has no NVIDIA driver (libcuda.so.1 is not found).",
            "Run this on a machine with an NVIDIA GPU and its driver.",
        ) from error
    if int(code) == _NO_DEVICE:
        raise CudaFailure(FailureKind.NO_DEVICE, "the driver sees no GPU.", _CHECK)
    if int(code) != 0:
        raise CudaFailure(FailureKind.NO_DRIVER, f"the driver did not start: {code.name}.", _CHECK)


def ask(bindings: Any, name: str, *arguments: Any) -> Any:
    """Calls the driver; its one result, or None. Raises `CudaFailure` for an error code."""
    code, *rest = getattr(bindings, name)(*arguments)
    if int(code) != 0:
        raise failed(int(code), code.name, name)
    return rest[0] if rest else None


def failed(code: int, word: str, during: str) -> CudaFailure:
    """A driver's error as a failure."""
    if code == _OUT_OF_MEMORY:
        return CudaFailure(
            FailureKind.OUT_OF_MEMORY,
            f"{during} gave {word}.",
            "End what else holds the GPU's memory, or take another kernel.",
        )
    return CudaFailure(FailureKind.LAUNCH_FAILED, f"{during} gave {word}.", _CHECK)
