"""What an NVIDIA driver says about a GPU right now; nothing where no driver answers."""

from __future__ import annotations

import importlib
from typing import Any

from kb.model.evidence import Hardware

REASONS = {
    "ClocksEventReasonSwPowerCap": "power cap",
    "ClocksEventReasonHwSlowdown": "hardware slowdown",
    "ClocksEventReasonSwThermalSlowdown": "software thermal slowdown",
    "ClocksThrottleReasonHwThermalSlowdown": "hardware thermal slowdown",
    "ClocksThrottleReasonHwPowerBrakeSlowdown": "power brake",
    "ClocksEventReasonApplicationsClocksSetting": "application clocks",
    "ClocksEventReasonSyncBoost": "sync boost",
}
"""Reasons that hold a clock down, by NVML's names; idling is none of them."""


def state(device: Any) -> Hardware | None:
    """The state of the GPU that JAX calls `device`; None for other devices and without NVML."""
    if getattr(device, "platform", "") not in ("gpu", "cuda"):
        return None
    try:
        library = importlib.import_module("pynvml")
        library.nvmlInit()
    # Without a driver NVML raises its own error, without the package Python does.
    except Exception:  # noqa: BLE001
        return None
    try:
        return read(library, int(getattr(device, "local_hardware_id", 0) or 0))
    finally:
        library.nvmlShutdown()


def read(library: Any, index: int) -> Hardware:
    """One GPU as `library` (pynvml) describes it; a figure that it refuses is null."""
    handle = library.nvmlDeviceGetHandleByIndex(index)

    def ask(name: str, *rest: Any) -> Any:
        try:
            return getattr(library, name)(handle, *rest)
        except (library.NVMLError, AttributeError):
            return None

    drawn, most = ask("nvmlDeviceGetPowerUsage"), ask("nvmlDeviceGetEnforcedPowerLimit")
    held = ask("nvmlDeviceGetCurrentClocksEventReasons")
    if held is None:
        held = ask("nvmlDeviceGetCurrentClocksThrottleReasons") or 0
    known = ((getattr(library, f"nvml{name}", 0), said) for name, said in REASONS.items())
    return Hardware(
        driver=_text(library.nvmlSystemGetDriverVersion()),
        name=_text(library.nvmlDeviceGetName(handle)),
        memory_bytes=int(library.nvmlDeviceGetMemoryInfo(handle).total),
        sm_clock_mhz=ask("nvmlDeviceGetClockInfo", getattr(library, "NVML_CLOCK_SM", 1)),
        memory_clock_mhz=ask("nvmlDeviceGetClockInfo", getattr(library, "NVML_CLOCK_MEM", 2)),
        power_watts=None if drawn is None else drawn / 1000,
        power_limit_watts=None if most is None else most / 1000,
        temperature_celsius=ask(
            "nvmlDeviceGetTemperature", getattr(library, "NVML_TEMPERATURE_GPU", 0)
        ),
        throttled_by=tuple(said for bit, said in known if bit and held & bit),
    )


def _text(value: Any) -> str:
    """Older versions of the package answer in bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)
