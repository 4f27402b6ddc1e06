"""Copies between host and device, from pageable and from pinned memory, each a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from kb.measure.cuda import observe, record
from kb.measure.cuda.backend import CudaRuntime
from kb.measure.cuda.kernels import KERNELS, Kernel
from kb.measure.cuda.runtime import Work
from kb.measure.cuda.timing import Job, Limits
from kb.measure.run import correctness
from kb.model.cudarun import Implementation, L2Treatment
from kb.model.evidence import Evidence
from kb.model.intervals import StepKind
from kb.qualifiers import Boundary

ELEMENTS = 2**24
"""64 MiB of float32."""


@dataclass(frozen=True, slots=True)
class _Route:
    """One direction from one kind of host memory."""

    name: str
    boundary: Boundary
    called: str
    work: Work


def measure(
    runtime: CudaRuntime, setting: record.Setting, limits: Limits, elements: int = ELEMENTS
) -> Iterator[tuple[str, Evidence]]:
    """Each route with its record; the bytes are checked after the copies.

    A copy is timed on the host's clock, until the stream is done: from pageable memory the
    driver does part of it on the host, which no event would show.
    """
    import numpy as np

    kernel = replace(KERNELS["copy-f32"], id="transfer", sizes=(elements,))
    twin = kernel.twin
    (sent,) = twin.arrays()
    back = np.empty_like(sent)
    device = runtime.upload(sent)
    pinned = runtime.pinned(sent.nbytes)
    case = observe.place(runtime, kernel, sent.astype(np.float64))
    at, to = sent.ctypes.data, back.ctypes.data
    inward, outward = Boundary.HOST_TO_DEVICE, Boundary.DEVICE_TO_HOST
    size, held = sent.nbytes, int(pinned.handle)
    routes = (
        _Route("pageable-in", inward, "cuMemcpyHtoDAsync", runtime.copy_in(device, at, size)),
        _Route("pageable-out", outward, "cuMemcpyDtoHAsync", runtime.copy_out(to, device, size)),
        _Route("pinned-out", outward, "cuMemcpyDtoHAsync", runtime.copy_out(held, device, size)),
        _Route("pinned-in", inward, "cuMemcpyHtoDAsync", runtime.copy_in(device, held, size)),
    )
    for route in routes:
        made = _route(runtime, kernel, case, route, limits)
        got = runtime.download(device, np.empty_like(sent))
        checked = correctness.judge(got, case.wanted, twin.tolerance)
        if route.name == "pageable-out":
            checked = correctness.judge(back, case.wanted, twin.tolerance)
        seen = replace(made, correctness=checked)
        yield route.name, _record(seen, kernel, setting, route)


def _route(
    runtime: CudaRuntime, kernel: Kernel, case: observe.Case, route: _Route, limits: Limits
) -> observe.Observed:
    job = Job(route.work, route.called, kind=StepKind.COPY)
    taken = observe.take(runtime, route.boundary, job, limits, L2Treatment.LEFT_WARM, 0)
    memory = route.name.split("-")[0]
    taken = replace(
        taken, includes=f"One copy of {kernel.sizes[0] * 4:,} bytes, {memory} host memory."
    )
    nothing: Any = None
    return observe.Observed(
        Implementation.VENDOR_LIBRARY, route.called, None, None, (case.placing,), nothing, (taken,)
    )


def _record(
    seen: observe.Observed, kernel: Kernel, setting: record.Setting, route: _Route
) -> Evidence:
    named = replace(kernel, id=f"transfer-{route.name}")
    return record.single(seen, named, setting, route.boundary)
