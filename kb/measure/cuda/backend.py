"""A real GPU through cuda.core: memory, streams, events, launches and graphs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.measure.cuda.compilers import Artefact, nvrtc, require
from kb.measure.cuda.driver import Driver, ask, failed, look
from kb.measure.cuda.failure import CudaFailure, FailureKind
from kb.measure.cuda.kernels import Geometry, Kernel
from kb.measure.cuda.kernels import require as require_architecture
from kb.measure.cuda.runtime import Work
from kb.measure.cuda.twins import Sizes

if TYPE_CHECKING:
    import numpy as np

_SCALARS: dict[str, Any] = {"I": ctypes.c_uint32, "Q": ctypes.c_uint64, "f": ctypes.c_float}

FLUSH_FACTOR = 2
"""A flush writes this many times the second-level cache."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A kernel on the device."""

    kernel: Kernel
    entry: Any
    """As cuda.core hands it out."""
    artefact: Artefact


class CudaRuntime:
    """The first GPU of the machine; raises `CudaFailure` when it can't be used."""

    def __init__(self) -> None:
        self.driver: Driver = look()
        self._core: Any = require("cuda.core")
        self._bindings: Any = require("cuda.bindings.driver")
        self.device: Any = self._core.Device(0)
        self.device.set_current()
        self._events: dict[str, Any] = {}
        self._streams: dict[int, Any] = {}
        self._flush: Any = None

    def stream(self, number: int) -> Any:
        """The stream of that number, made when it is first asked for."""
        if number not in self._streams:
            self._streams[number] = self._told("making a stream", self.device.create_stream)
        return self._streams[number]

    def _event(self, name: str) -> Any:
        if name not in self._events:
            # Without the option an event keeps no time, and the difference is refused late.
            timed = self._core.EventOptions(timing_enabled=True)
            self._events[name] = self._told(
                "making an event", lambda: self.device.create_event(timed)
            )
        return self._events[name]

    def record(self, event: str, stream: int) -> None:
        """Queues an event that keeps the time."""
        made = self._event(event)
        self._told("recording an event", lambda: self.stream(stream).record(made))

    def wait(self, event: str, stream: int) -> None:
        """Lets the stream wait for the event."""
        self._told("waiting in a stream", lambda: self.stream(stream).wait(self._event(event)))

    def is_done(self, event: str) -> bool:
        """Whether the event has happened."""
        return bool(self._told("asking an event", lambda: self._event(event).is_done, late=True))

    def synchronise_event(self, event: str) -> None:
        """Waits for the event."""
        self._told("waiting for an event", self._event(event).sync, late=True)

    def synchronise_stream(self, stream: int) -> None:
        """Waits for all of the stream."""
        self._told("waiting for a stream", self.stream(stream).sync, late=True)

    def elapsed(self, start: str, stop: str) -> float:
        """Seconds between two events."""
        milliseconds = self._told(
            "reading two events", lambda: self._event(stop) - self._event(start), late=True
        )
        return float(milliseconds) / 1e3

    def load(self, kernel: Kernel) -> Loaded:
        """Compiles `kernel` for this GPU and loads it."""
        require_architecture(kernel, self.driver.architecture)
        artefact = nvrtc(kernel, self.driver.architecture)
        code = self._core.ObjectCode.from_cubin(artefact.cubin, name=kernel.source)
        entry = self._told("loading a kernel", lambda: code.get_kernel(kernel.entry))
        return Loaded(kernel, entry, artefact)

    def work(self, loaded: Loaded, buffers: Sequence[Any], sizes: Sizes) -> Work:
        """What queues one launch of a loaded kernel over its inputs and its result."""
        geometry: Geometry = loaded.kernel.geometry(sizes)
        config = self._core.LaunchConfig(
            grid=geometry.grid, block=geometry.block, shmem_size=geometry.shared_bytes
        )
        scalars = [_SCALARS[kind](value) for kind, value in loaded.kernel.scalars(sizes)]

        def launch(stream: int) -> None:
            self._told(
                f"launching {loaded.kernel.entry}",
                lambda: self._core.launch(
                    self.stream(stream), config, loaded.entry, *buffers, *scalars
                ),
            )

        return launch

    def graph(self, queue: Callable[[Any], None], calls: int) -> Work:
        """A graph that holds `calls` launches; `queue` puts one into a graph builder."""

        def build() -> Any:
            builder = self.device.create_graph_builder().begin_building()
            for _ in range(calls):
                queue(builder)
            return builder.end_building().complete()

        built = self._told("building a graph", build)
        return lambda stream: self._told(
            "launching a graph", lambda: built.launch(self.stream(stream))
        )

    def graph_of(self, loaded: Loaded, buffers: Sequence[Any], sizes: Sizes, calls: int) -> Work:
        """A graph of `calls` launches of one kernel."""
        geometry = loaded.kernel.geometry(sizes)
        config = self._core.LaunchConfig(
            grid=geometry.grid, block=geometry.block, shmem_size=geometry.shared_bytes
        )
        scalars = [_SCALARS[kind](value) for kind, value in loaded.kernel.scalars(sizes)]
        return self.graph(
            lambda builder: self._core.launch(builder, config, loaded.entry, *buffers, *scalars),
            calls,
        )

    def empty(self, size: int) -> Any:
        """Device memory of `size` bytes."""
        made = self._told(
            f"allocating {size:,} bytes",
            lambda: self.device.allocate(size, stream=self.stream(1)),
        )
        self.synchronise_stream(1)
        return made

    def upload(self, array: np.ndarray) -> Any:
        """A copy of `array` on the device."""
        made = self.empty(array.nbytes)
        self.copy_in(made, array.ctypes.data, array.nbytes)(1)
        self.synchronise_stream(1)
        return made

    def download(self, buffer: Any, like: np.ndarray) -> np.ndarray:
        """The device's bytes as an array of the shape and type of `like`."""
        self.copy_out(like.ctypes.data, buffer, like.nbytes)(1)
        self.synchronise_stream(1)
        return like

    def copy_in(self, buffer: Any, address: int, size: int) -> Work:
        """Queues a copy from the host."""
        return self._driver_call("cuMemcpyHtoDAsync", buffer.handle, address, size)

    def copy_out(self, address: int, buffer: Any, size: int) -> Work:
        """Queues a copy to the host."""
        return self._driver_call("cuMemcpyDtoHAsync", address, buffer.handle, size)

    def copy_within(self, to: Any, buffer: Any, size: int) -> Work:
        """Queues a copy on the device: the driver's own, a yardstick for ours."""
        return self._driver_call("cuMemcpyDtoDAsync", to.handle, buffer.handle, size)

    def pinned(self, size: int) -> Any:
        """Host memory that the device can copy from by itself."""
        resource = self._core.LegacyPinnedMemoryResource()
        return self._told("allocating pinned memory", lambda: resource.allocate(size))

    def flush(self) -> tuple[Work, int]:
        """What overwrites the second-level cache, and how many bytes it writes."""
        size = FLUSH_FACTOR * self.l2_bytes
        if self._flush is None:
            self._flush = self.empty(size)
        return self._driver_call("cuMemsetD8Async", self._flush.handle, 0, size), size

    @property
    def l2_bytes(self) -> int:
        """The size of the second-level cache."""
        word = self._bindings.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE
        return int(ask(self._bindings, "cuDeviceGetAttribute", word, 0))

    def _driver_call(self, name: str, *arguments: Any) -> Work:
        def queue(stream: int) -> None:
            ask(self._bindings, name, *arguments, self.stream(stream).handle)

        return queue

    def _told(self, during: str, call: Callable[[], Any], *, late: bool = False) -> Any:
        """The result of `call`; what it raises becomes a failure.

        `late` says that the call only waits: its error belongs to work queued before.
        """
        try:
            return call()
        except CudaFailure:
            raise
        # cuda.core's own class lies in a private module; without a driver it may even be lost.
        except Exception as error:  # noqa: BLE001
            word = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            if "OUT_OF_MEMORY" in word:
                raise failed(2, word, during) from None
            kind = FailureKind.ASYNCHRONOUS_ERROR if late else FailureKind.LAUNCH_FAILED
            raise CudaFailure(
                kind,
                f"{during}: {word}",
                "Run the kernel under compute-sanitizer; no sample of this run is kept.",
            ) from None
