"""One whole run in this process, in the order that keeps each number what it claims.

Trace, lower and compile come first, while the process is fresh; then placing and the
first call; then warm samples; then a queue; the reference comes last, since it compiles.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

from kb.measure.run import correctness, framework, guard, stages
from kb.measure.run.sample import (
    Progress,
    Samples,
    Stopping,
    collect,
    noise_floor,
    queue,
    summarise,
)
from kb.measure.run.stages import Staged
from kb.measure.workload import Workload
from kb.model.evidence import Ceiling, Memory
from kb.model.measurement import Correctness, Guard, Measurement, NoiseFloor, Stage
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    import jax

WARM = (
    "Python call, dispatch, execution and the wait for the result; inputs were on the "
    "device and ready, the program was compiled; no copy to or from the host"
)
QUEUED = "Many calls in flight with one wait at the end, divided by the number of calls"

QUEUE_SECONDS = 0.05
QUEUE_BATCHES = 15
MOST_QUEUED = 64
MOST_HELD_BYTES = 16 * 2**20
"""Results in flight; more would time the operating system's paging."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person may choose about a run."""

    stopping: Stopping = field(default_factory=Stopping)
    ceiling: Ceiling | None = None
    """The dense peak of the product, where the caller knows the device's product."""


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one run saw, before it becomes a record."""

    device: jax.Device
    staged: Staged
    stages: tuple[Stage, ...]
    measurements: tuple[Measurement, ...]
    guard: Guard
    correctness: Correctness
    memory: Memory
    compilations_during_samples: int
    fresh_process: bool
    """Whether jax was first imported for this run."""


def observe(workload: Workload, stopping: Stopping, progress: Progress) -> Observation:
    """Runs `workload` on JAX's default device; a process that did nothing else gives cold stages.

    Raises `CheckError` for a run that can't be judged, and what JAX raises otherwise.
    """
    fresh = "jax" not in sys.modules
    import jax
    import numpy as np

    device = jax.devices()[0]
    progress("tracing, lowering and compiling")
    staged = stages.stage(workload.function, shapes(workload), first=fresh)
    host = workload.arrays()
    placed, (placing, _) = stages.timed(
        Boundary.HOST_TO_DEVICE,
        lambda: framework.wait(tuple(jax.device_put(array, device) for array in host)),
        first=fresh,
    )
    result, (first_call, _) = stages.timed(
        Boundary.FIRST_CALL, lambda: framework.wait(staged.compiled(*placed)), first=fresh
    )
    floor = _floor()
    warm, queued, compilations = _sample(staged, placed, result.nbytes, stopping, progress)
    latency = summarise(Boundary.WARM_HOST, f"{WARM}.", warm, floor)
    rate = summarise(Boundary.THROUGHPUT, f"{QUEUED}.", queued[0], floor, queued[1])
    progress("computing the float64 reference")
    return Observation(
        device=device,
        staged=staged,
        stages=(*staged.stages, placing, first_call),
        measurements=(latency, rate),
        guard=guard.judge(warm.watches, floor.null_wait_seconds, latency.median, rate.median),
        correctness=correctness.judge(
            np.asarray(result), correctness.reference(workload), workload.tolerance
        ),
        memory=memory(staged.compiled, device),
        compilations_during_samples=compilations,
        fresh_process=fresh,
    )


def shapes(workload: Workload) -> tuple[jax.ShapeDtypeStruct, ...]:
    """The abstract inputs; no device in them, so the program's hash is the same anywhere."""
    return tuple(framework.abstract(array) for array in workload.arrays())


def _floor() -> NoiseFloor:
    """The noise floor from a program that adds one to one number."""
    import jax
    import jax.numpy as jnp

    one = framework.wait(jax.device_put(jnp.float32(1)))
    null = jax.jit(lambda x: x + 1).lower(one).compile()
    return noise_floor(lambda: null(one), framework.wait)


def _sample(
    staged: Staged,
    placed: Sequence[jax.Array],
    held_bytes: int,
    stopping: Stopping,
    progress: Progress,
) -> tuple[Samples, tuple[Samples, int], int]:
    """Warm samples; queued samples with their calls per sample; compilations meanwhile.

    `held_bytes` is the size of one result.
    """
    import jax

    def call() -> object:
        return staged.compiled(*placed)

    # The guard turns "no copy inside the sample" from a hope into a checked claim.
    with stages.listen() as events, jax.transfer_guard("disallow"):
        warm = collect(call, framework.wait, stopping, progress)
        calls = queue_length(min(warm.seconds), held_bytes)
        queued = queue(call, framework.wait, calls, QUEUE_BATCHES)
    return warm, (queued, calls), events.of(Boundary.COMPILE)


def queue_length(seconds: float, held_bytes: int) -> int:
    """Calls in one queue, from the seconds and the result bytes of a single call."""
    wanted = ceil(QUEUE_SECONDS / max(seconds, 1e-9))
    return max(2, min(wanted, MOST_QUEUED, MOST_HELD_BYTES // max(held_bytes, 1)))


def memory(compiled: jax.stages.Compiled, device: jax.Device) -> Memory:
    """The compiler's plan and the device's peak in bytes; None with a reason where absent."""
    plan, counted = compiled.memory_analysis(), device.memory_stats()
    names = {
        "argument_bytes": "argument_size_in_bytes",
        "output_bytes": "output_size_in_bytes",
        "temporary_bytes": "temp_size_in_bytes",
        "alias_bytes": "alias_size_in_bytes",
        "generated_code_bytes": "generated_code_size_in_bytes",
    }
    found: dict[str, int | None] = {ours: getattr(plan, its, None) for ours, its in names.items()}
    reasons = []
    if None in found.values():
        reasons.append("the compiler gave no complete memory plan")
    peak = None if counted is None else counted.get("peak_bytes_in_use")
    if peak is None:
        reasons.append(f"the {device.platform} backend does not count its memory")
    why = "; ".join(reasons)
    return Memory(
        **found,
        device_peak_bytes=peak,
        unavailable_because=f"{why[:1].upper()}{why[1:]}." if why else None,
    )
