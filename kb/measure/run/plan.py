"""One whole run in this process, in the order that keeps each number what it claims.

Importing, starting the backend, trace, lower and compile come first, while the process is
fresh; then placing and the first call; then warm samples; then the other boundaries; the
reference comes last, since it compiles.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from kb.finding import CheckError
from kb.measure.run import boundaries, compiled, correctness, framework, guard, nvml, stages
from kb.measure.run.boundaries import Bench
from kb.measure.run.device_profile import INCLUDES as PROFILED
from kb.measure.run.device_profile import ON_CPU, profile
from kb.measure.run.failure import Failed, FailureKind, of_exception
from kb.measure.run.paired import noise_test
from kb.measure.run.sample import Progress, Samples, Stopping, Wait, noise_floor, summarise
from kb.measure.run.stages import Staged
from kb.measure.workload import Workload
from kb.model.artefact import Variant
from kb.model.evidence import Ceiling, Hardware, Memory
from kb.model.measurement import (
    Correctness,
    Guard,
    GuardVerdict,
    Measurement,
    NoiseFloor,
    NoiseTest,
    QueuePoint,
    Stage,
)
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    import jax

CHOICES = (
    Boundary.THROUGHPUT,
    Boundary.HOST_TO_DEVICE,
    Boundary.DEVICE_TO_HOST,
    Boundary.END_TO_END,
    Boundary.PROFILE_DEVICE,
)
"""What may be asked for beside the stages and the warm calls, which every run has."""
USUAL = CHOICES[:-1]
"""What is measured where nothing is asked for; a profile slows what it watches."""

OFFERED_ONLY = (
    "The clock stopped before the work was done, so this is the time of enqueueing and no latency."
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a person may choose about a run."""

    stopping: Stopping = field(default_factory=Stopping)
    ceiling: Ceiling | None = None
    """The peaks of the product, where the caller knows the device's product."""
    boundaries: tuple[Boundary, ...] = USUAL


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything that one run saw, before it becomes a record."""

    workload: Workload
    device: jax.Device
    staged: Staged
    stages: tuple[Stage, ...]
    measurements: tuple[Measurement, ...]
    sweep: tuple[QueuePoint, ...]
    noise: NoiseTest
    guard: Guard
    correctness: Correctness
    memory: Memory
    variant: Variant
    hlo: str
    compilations_during_samples: int
    traces_during_samples: int
    hardware: tuple[Hardware | None, Hardware | None]
    unavailable: dict[str, str]
    """Boundaries that were asked for and could not be measured, with why."""
    fresh_process: bool
    """Whether jax was first imported for this run."""


def observe(
    made: Workload | Callable[[], Workload],
    settings: Settings,
    progress: Progress,
    *,
    spawned_ns: int | None = None,
    wait: Wait = framework.wait,
) -> Observation:
    """Runs a workload on JAX's default device; a fresh process gives cold stages.

    A workload that imports jax is given as the function that makes it. `spawned_ns` is the
    monotonic clock's reading just before this process was started; `wait` is replaced only
    to show what the guard is for. Raises `Failed` for a run that can't be judged.
    """
    fresh = "jax" not in sys.modules
    device, start = _start(fresh=fresh, spawned_ns=spawned_ns)
    workload = made if isinstance(made, Workload) else made()
    doing = f"measuring {workload.id}"
    framework.use_policy(workload.policy)
    try:
        begun = _begin(workload, device, progress, fresh=fresh)
        program, host, placed = begun.staged.compiled, begun.host, begun.placed
        bench = Bench(program, host, placed, device, settings.stopping, progress, wait)
        seen = _sample(bench, settings, begun.result)
        progress("computing the float64 reference")
        workload = workload.completed()
        checked = correctness.check(begun.result, workload)
    except Exception as error:
        raise of_exception(error, doing) from error
    staged = begun.staged
    spent = next(s.seconds for s in staged.stages if s.boundary is Boundary.COMPILE)
    variant, text = compiled.read(staged.compiled, device.platform, 1, spent)
    return Observation(
        workload=workload,
        device=device,
        staged=staged,
        stages=(*start, *staged.stages, *begun.once),
        measurements=seen.measurements,
        sweep=seen.sweep,
        noise=seen.noise,
        guard=seen.guard,
        correctness=checked,
        memory=memory(staged.compiled, device),
        variant=variant,
        hlo=text,
        compilations_during_samples=seen.events.of(Boundary.COMPILE),
        traces_during_samples=seen.events.of(Boundary.TRACE),
        hardware=seen.hardware,
        unavailable=seen.unavailable,
        fresh_process=fresh,
    )


@dataclass(frozen=True, slots=True)
class _Begun:
    """A program that is compiled, its inputs in place, and its first result."""

    staged: Staged
    host: tuple[Any, ...]
    placed: tuple[Any, ...]
    result: object
    once: tuple[Stage, ...]


def _begin(workload: Workload, device: jax.Device, progress: Progress, *, fresh: bool) -> _Begun:
    """Every step that happens once, each with its own clock; raises `Failed` without a result."""
    progress("tracing, lowering and compiling")
    host = workload.arrays()
    staged = stages.stage(workload.function, framework.abstract(host), first=fresh)
    placed, (placing, _) = stages.timed(
        Boundary.HOST_TO_DEVICE, lambda: framework.wait(framework.place(host, device)), first=fresh
    )
    result, (first_call, _) = stages.timed(
        Boundary.FIRST_CALL, lambda: framework.wait(staged.compiled(*placed)), first=fresh
    )
    if not framework.leaves(result):
        raise Failed(
            FailureKind.CALLABLE_RAISED,
            f"{workload.id} returns no array, so nothing shows that its work was done.",
            "Return an array that depends on all the work.",
        )
    return _Begun(staged, host, placed, result, (placing, first_call))


def _start(*, fresh: bool, spawned_ns: int | None) -> tuple[jax.Device, tuple[Stage, ...]]:
    """The default device and what it took to get there; raises `Failed` without one."""
    _, (importing, _) = stages.clocked(
        Boundary.FRAMEWORK_IMPORT, lambda: __import__("jax"), first=fresh
    )
    import jax

    try:
        devices, (starting, _) = stages.clocked(Boundary.BACKEND_START, jax.devices, first=fresh)
    except RuntimeError as error:
        asked = os.environ.get("JAX_PLATFORMS", "")
        raise Failed(
            FailureKind.NO_DEVICE,
            f"JAX finds no device{f' for JAX_PLATFORMS={asked}' if asked else ''}: "
            f"{str(error).splitlines()[0]}",
            "Set JAX_PLATFORMS=cpu to use the processor, or see `kb measure device`.",
        ) from error
    if not fresh or spawned_ns is None:
        return devices[0], ()
    cold = Stage(
        boundary=Boundary.PROCESS_COLD,
        seconds=(monotonic_ns() - spawned_ns) / 1e9,
        includes=stages.INCLUDES[Boundary.PROCESS_COLD],
        listener_seconds=None,
        first_in_process=True,
    )
    return devices[0], (cold, importing, starting)


@dataclass(frozen=True, slots=True)
class _Sampled:
    measurements: tuple[Measurement, ...]
    sweep: tuple[QueuePoint, ...]
    noise: NoiseTest
    guard: Guard
    events: stages.Events
    hardware: tuple[Hardware | None, Hardware | None]
    unavailable: dict[str, str]


def _sample(bench: Bench, settings: Settings, result: object) -> _Sampled:
    """Every boundary that was asked for, the warm calls first."""
    import jax

    floor, asked = _floor(), settings.boundaries
    held = sum(leaf.nbytes for leaf in framework.leaves(result))
    queued: Measurement | None = None
    sweep: tuple[QueuePoint, ...] = ()
    before = nvml.state(bench.device)
    # The guard turns "no copy inside the sample" from a hope into a checked claim.
    with stages.listen() as events, jax.transfer_guard("disallow"):
        warm = boundaries.warm(bench)
        if Boundary.THROUGHPUT in asked:
            queued, sweep = boundaries.throughput(bench, min(warm.seconds), floor, held)
        bench.progress("the same program against itself")
        noise = noise_test(bench.call, bench.wait, bench.aside.max_seconds)
    after = nvml.state(bench.device)
    latency = summarise(Boundary.WARM_HOST, boundaries.WARM, warm, floor)
    # The fastest queue: on a busy machine one long queue may be slowed by others' work.
    in_queue = None if queued is None else min(queued.median, *(p.median for p in sweep))
    verdict = guard.judge(warm.watches, floor.null_wait_seconds, latency.median, in_queue)
    if verdict.verdict is GuardVerdict.DISPATCH_ONLY:
        latency = summarise(Boundary.DISPATCH_ONLY, OFFERED_ONLY, warm, floor)
    more, missing = _others(bench, asked, floor)
    measured = (latency, *([queued] if queued else []), *more)
    return _Sampled(measured, sweep, noise, verdict, events, (before, after), missing)


def _others(
    bench: Bench, asked: tuple[Boundary, ...], floor: NoiseFloor
) -> tuple[list[Measurement], dict[str, str]]:
    """The boundaries that copy or profile, and why one could not be had."""
    found: list[Measurement] = []
    missing: dict[str, str] = {}
    copying: dict[Boundary, Callable[[Bench, NoiseFloor], Measurement]] = {
        Boundary.HOST_TO_DEVICE: boundaries.host_to_device,
        Boundary.DEVICE_TO_HOST: boundaries.device_to_host,
        Boundary.END_TO_END: boundaries.end_to_end,
    }
    found += [measure(bench, floor) for word, measure in copying.items() if word in asked]
    if Boundary.PROFILE_DEVICE in asked:
        bench.progress("profiling")
        includes = PROFILED + (ON_CPU if bench.device.platform == "cpu" else "")
        try:
            seen: Samples = profile(bench.call, bench.wait)
            found.append(summarise(Boundary.PROFILE_DEVICE, includes, seen, floor))
        except CheckError as error:
            missing[str(Boundary.PROFILE_DEVICE)] = str(error)
    return found, missing


def _floor() -> NoiseFloor:
    """The noise floor from a program that adds one to one number."""
    import jax
    import jax.numpy as jnp

    one = framework.wait(jax.device_put(jnp.float32(1)))
    null = jax.jit(lambda x: x + 1).lower(one).compile()
    return noise_floor(lambda: null(one), framework.wait)


def memory(program: Any, device: jax.Device) -> Memory:
    """The compiler's plan and the device's peak in bytes; None with a reason where absent."""
    plan, counted = program.memory_analysis(), device.memory_stats()
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
