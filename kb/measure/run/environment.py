"""The fingerprint of a run: device, versions, settings, and no host name or path.

Which product a device is comes from `kb.model.identity`, by its exact name. Another name is
`other`, and a record from such a device speaks for that device only.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from kb.model.evidence import Autotune, Device, Environment
from kb.model.identity import product_of, speaks_for

if TYPE_CHECKING:
    import jax

FLAGS = (
    "CUDA_VISIBLE_DEVICES",
    "JAX_DEFAULT_MATMUL_PRECISION",
    "JAX_ENABLE_X64",
    "JAX_PLATFORMS",
    "LIBTPU_INIT_ARGS",
    "NVIDIA_TF32_OVERRIDE",
    "OMP_NUM_THREADS",
    "TPU_ACCELERATOR_TYPE",
    "XLA_FLAGS",
    "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "XLA_PYTHON_CLIENT_PREALLOCATE",
)
"""The only environment variables that a record may hold."""

_PATH = re.compile(r"(?<![^\s=:,])(?:~|\.{0,2}/|[A-Za-z]:\\)?[^\s=,]*[/\\][^\s,]*")


def without_paths(value: str) -> str:
    """`value` with everything that holds a slash or backslash replaced by `<path>`."""
    return _PATH.sub("<path>", value)


def flags(variables: Mapping[str, str]) -> dict[str, str]:
    """The listed variables that are set, cleaned of paths, by name."""
    return {name: without_paths(variables[name]) for name in FLAGS if name in variables}


def device(used: jax.Device, count: int = 1) -> Device:
    """The identity of the device that does the work."""
    product = product_of(used.device_kind)
    return Device(
        platform=used.platform,
        kind=used.device_kind,
        product=product,
        count=count,
        speaks_for=speaks_for(used.platform, used.device_kind, cpu_model(), product),
        memory_bytes=reported_memory(used),
    )


def reported_memory(used: jax.Device) -> int | None:
    """Bytes that the backend lets programs use on `used`; None where it does not count."""
    counted = used.memory_stats()
    return None if counted is None else counted.get("bytes_limit")


def environment(used: jax.Device) -> Environment:
    """Versions and settings of this process, which uses the device `used`."""
    return Environment(
        python=platform.python_version(),
        jax=version("jax"),
        jaxlib=version("jaxlib"),
        backend_version=without_paths(" ".join(used.client.platform_version.split())),
        operating_system=platform.system() or "unknown",
        machine=platform.machine() or "unknown",
        cpu_model=cpu_model(),
        usable_cpus=usable_cpus(),
        load_average=_load_average(),
        flags=flags(os.environ),
    )


def cpu_model() -> str:
    """The processor's name as the system gives it; `unknown` when it gives none."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name" and value.strip():
            return value.strip()
    return platform.processor() or "unknown"


def usable_cpus() -> int:
    """Processors that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load_average() -> float | None:
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


def autotune(backend: str, xla_flags: str) -> Autotune:
    """The three settings of kernel choice by timing, from the text of `XLA_FLAGS`."""
    pairs = (part.lstrip("-").partition("=") for part in xla_flags.split())
    given = {name: value for name, _, value in pairs}
    return Autotune(
        applies=backend == "gpu",
        level=given.get("xla_gpu_autotune_level"),
        cache_dir_set=bool(given.get("xla_gpu_per_fusion_autotune_cache_dir")),
        loaded_results=bool(given.get("xla_gpu_load_autotune_results_from")),
    )
