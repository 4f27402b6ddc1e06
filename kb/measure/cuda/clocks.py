"""Clocks, temperature, power and reasons for a low clock, read between blocks of samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kb.measure.cuda.compilers import require
from kb.measure.cuda.failure import CudaFailure
from kb.measure.run import nvml
from kb.model.cudarun import ClockReading


@dataclass
class Clocks:
    """Collects readings of one GPU; says why where there are none."""

    readings: list[ClockReading] = field(default_factory=list)
    missing_because: str | None = None
    _library: Any = None
    _index: int = 0

    def start(self, bus: str) -> Clocks:
        """Opens NVIDIA's management library for the GPU at PCI address `bus`.

        An absent library is noted, not raised. The address is asked for, since the library
        counts GPUs in another order than CUDA does.
        """
        try:
            self._library = require("pynvml")
            self._library.nvmlInit()
            handle = self._library.nvmlDeviceGetHandleByPciBusId(bus.encode())
            self._index = int(self._library.nvmlDeviceGetIndex(handle))
        except CudaFailure as error:
            self.missing_because = str(error)
        # The library's errors are no concern of a measurement, whatever they are.
        except Exception as error:  # noqa: BLE001
            self.missing_because = f"NVML: {error}"
        return self

    def read(self, samples: int) -> None:
        """Adds one reading after so many samples."""
        if self.missing_because is not None:
            return
        try:
            seen = nvml.read(self._library, self._index)
        except Exception as error:  # noqa: BLE001 (as above)
            self.missing_because = f"NVML: {error}"
            return
        self.readings.append(
            ClockReading(
                after_samples=samples,
                sm_mhz=seen.sm_clock_mhz,
                memory_mhz=seen.memory_clock_mhz,
                temperature_celsius=seen.temperature_celsius,
                power_watts=seen.power_watts,
                reasons=seen.throttled_by,
            )
        )
