"""Turns what a CUDA run showed into evidence records, one for each kind of boundary.

The program is fixed by the StableHLO of the kernel's JAX twin, so a record of a kernel, of
the vendor's library and of JAX itself speak of one program.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from statistics import median
from typing import Any

from kb.measure.cuda import compilers
from kb.measure.cuda.driver import Driver
from kb.measure.cuda.kernels import Kernel, source_hash
from kb.measure.cuda.observe import Observed, Taken
from kb.measure.cuda.twins import Twin
from kb.measure.run import environment, guard
from kb.measure.run.record import UNSEALED, stem
from kb.measure.run.statistics import drift, labels, order_statistic_interval, spread
from kb.model.cudarun import CudaRun, Implementation
from kb.model.evidence import (
    Autotune,
    Cache,
    Ceiling,
    Device,
    Environment,
    Events,
    Evidence,
    Memory,
    Transfers,
    WorkloadRecord,
)
from kb.model.gates import sealed
from kb.model.identity import class_of, product_of, speaks_for
from kb.model.measurement import CacheState, Guard, Measurement, NoiseFloor
from kb.qualifiers import Boundary

NAMES = {
    Boundary.DEVICE_EVENTS: "events",
    Boundary.WARM_HOST: "host",
    Boundary.HOST_TO_DEVICE: "copy",
    Boundary.DEVICE_TO_HOST: "copy",
}
"""What the records of a run are called."""

TRANSFERS = Transfers(
    inputs_to_device="outside",
    outputs_to_host="outside",
    why="Inputs were copied and waited for before; results stayed on the device.",
)


@dataclass(frozen=True, slots=True)
class Setting:
    """What all records of one session share."""

    driver: Driver
    floors: dict[Boundary, NoiseFloor]
    command: str
    now: datetime
    ceiling: Ceiling | None = None


def records(seen: Observed, kernel: Kernel, setting: Setting) -> Iterator[Evidence]:
    """The sealed records of one run, each with the number 1."""
    groups = (
        (Boundary.DEVICE_EVENTS, (Boundary.DEVICE_EVENTS,)),
        (Boundary.WARM_HOST, (Boundary.WARM_HOST, Boundary.THROUGHPUT)),
    )
    for primary, boundaries in groups:
        taken = tuple(each for each in seen.taken if each.boundary in boundaries)
        if taken:
            yield _record(seen, kernel, setting, primary, taken)


def single(seen: Observed, kernel: Kernel, setting: Setting, boundary: Boundary) -> Evidence:
    """The sealed record of a run that has one boundary only."""
    return _record(seen, kernel, setting, boundary, seen.taken)


def _record(
    seen: Observed,
    kernel: Kernel,
    setting: Setting,
    primary: Boundary,
    taken: tuple[Taken, ...],
) -> Evidence:
    device = device_of(setting.driver)
    name = f"{kernel.id}-{_SHORT[seen.implementation]}-{NAMES[primary]}"
    made = tuple(_measurement(each, setting.floors[each.boundary]) for each in taken)
    vendor = seen.implementation is Implementation.VENDOR_LIBRARY
    return sealed(
        Evidence(
            schema_version=1,
            id=f"{stem(name, device, setting.now)}-1",
            evidence_class=class_of(device.product),
            created=setting.now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            command=setting.command,
            workload=program(kernel.twin, seen.called if vendor else _function(kernel)),
            dtypes=kernel.twin.dtypes("backend_default"),
            mesh=None,
            device=device,
            environment=fingerprint(setting.driver),
            cache=Cache(
                state=CacheState.COLD,
                persistent_dir_set=False,
                hits=0,
                misses=0,
                memory_hit=False,
                fresh_process=True,
            ),
            autotune=Autotune(applies=False, level=None, cache_dir_set=False, loaded_results=False),
            events=Events(
                traces=0,
                lowerings=0,
                compilations=0 if vendor else 1,
                compilations_during_samples=0,
            ),
            stages=seen.stages,
            measurements=made,
            guard=_guard(primary, taken, made),
            correctness=seen.correctness,
            transfers=TRANSFERS,
            memory=_memory(seen, kernel.twin),
            ceiling=setting.ceiling,
            gates=(),
            publishable=False,
            content_hash=UNSEALED,
            cuda=_run(seen, kernel, setting.driver, taken),
        )
    )


_SHORT = {
    Implementation.KERNEL: "kernel",
    Implementation.VENDOR_LIBRARY: "vendor",
}


def _function(kernel: Kernel) -> str:
    return f"kb.measure.cuda.{kernel.source}:{kernel.entry}"


def _measurement(taken: Taken, floor: NoiseFloor) -> Measurement:
    seconds = taken.sampled.seconds
    return Measurement(
        boundary=taken.boundary,
        unit="s",
        includes=taken.includes,
        calls_per_sample=taken.calls,
        samples=seconds,
        n=len(seconds),
        median=median(seconds),
        interval=order_statistic_interval(seconds),
        spread=spread(seconds),
        drift=drift(seconds),
        noise_floor=floor,
        warm_up=taken.sampled.warm_up,
        labels=labels(seconds, floor, target_reached=taken.sampled.target_reached),
    )


def _guard(primary: Boundary, taken: tuple[Taken, ...], made: tuple[Measurement, ...]) -> Guard:
    first, queued = made[0], made[1].median if len(made) > 1 else None
    judged = guard.judge(
        taken[0].sampled.watches, first.noise_floor.null_wait_seconds, first.median, queued
    )
    return judged.model_copy(update={"boundary": primary})


def _run(seen: Observed, kernel: Kernel, driver: Driver, taken: tuple[Taken, ...]) -> CudaRun:
    own = seen.loaded is not None
    geometry = kernel.geometry(kernel.sizes)
    found = {**compilers.versions()}
    if seen.library_version is not None:
        found[seen.called] = seen.library_version
    return CudaRun(
        implementation=seen.implementation,
        called=seen.called,
        source_sha256=source_hash(kernel) if own else None,
        architecture=driver.architecture,
        artefact="cubin" if own else None,
        grid=geometry.grid if own else None,
        block=geometry.block if own else None,
        shared_bytes=geometry.shared_bytes if own else 0,
        graph_launches=max(each.graph_launches for each in taken),
        l2=taken[0].l2,
        l2_bytes=taken[0].l2_bytes,
        driver_version=driver.text,
        versions=found,
        clocks=tuple(reading for each in taken for reading in each.clocks),
        clocks_missing_because=taken[0].clocks_missing_because,
        checked_samples=sum(len(each.sampled.watches) for each in taken),
        intervals=tuple(each.sampled.interval for each in taken),
    )


def _memory(seen: Observed, twin: Twin) -> Memory:
    sizes = [twin.bytes_touched, seen.correctness.elements * 4]
    return Memory(
        argument_bytes=sizes[0] - sizes[1],
        output_bytes=sizes[1],
        temporary_bytes=None,
        alias_bytes=0,
        generated_code_bytes=None if seen.loaded is None else len(seen.loaded.artefact.cubin),
        device_peak_bytes=None,
        unavailable_because="A library's workspace and the driver's own memory were not asked for.",
    )


def device_of(driver: Driver) -> Device:
    """The GPU as JAX would name it, so that records of both meet."""
    product = product_of(driver.device)
    told = speaks_for("gpu", driver.device, environment.cpu_model(), product)
    return Device(platform="gpu", kind=driver.device, product=product, count=1, speaks_for=told)


def fingerprint(driver: Driver) -> Environment:
    """Versions and settings of this process."""
    return Environment(
        python=platform.python_version(),
        jax=version("jax"),
        jaxlib=version("jaxlib"),
        backend_version=f"CUDA driver {driver.text}, toolkit {'.'.join(map(str, driver.toolkit))}",
        operating_system=platform.system() or "unknown",
        machine=platform.machine() or "unknown",
        cpu_model=environment.cpu_model(),
        usable_cpus=environment.usable_cpus(),
        load_average=None,
        flags=environment.flags(os.environ),
    )


def program(twin: Twin, function: str) -> WorkloadRecord:
    """The program, fixed by the StableHLO of its JAX twin; `function` is what ran instead."""
    return WorkloadRecord(
        id=twin.id,
        function=function,
        stablehlo_sha256=stablehlo_hash(twin),
        inputs=twin.inputs,
        seed=twin.seed,
        flops=twin.flops,
        bytes_touched=twin.bytes_touched,
    )


def stablehlo_hash(twin: Twin) -> str:
    """SHA-256 (hex) of what JAX lowers the twin to; no device is needed."""
    import jax
    import jax.numpy as jnp

    kinds = {"f32": jnp.float32, "bf16": jnp.bfloat16}
    untyped: Any = jax
    shapes = [
        untyped.ShapeDtypeStruct(array.shape, kinds[_format(array.dtype.value)])
        for array in twin.inputs
    ]
    text = untyped.jit(twin.function).trace(*shapes).lower().as_text("stablehlo")
    return hashlib.sha256(text.encode()).hexdigest()


def _format(word: str) -> str:
    return "bf16" if word == "bf16" else "f32"
