"""Trace, lower and compile, each with its own clock and the framework's as a second opinion.

An interval may be short because something was cached. Only the events tell: a lowering
and compilation during which no compile event fired found its executable in memory.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, TypeVar

from kb.measure.compile.redact import redacted
from kb.measure.run.framework import leave_out_places
from kb.model.evidence import Cache
from kb.model.measurement import CacheState, Stage
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    import jax

T = TypeVar("T")

EVENT_OF = {
    Boundary.TRACE: "/jax/core/compile/jaxpr_trace_duration",
    Boundary.LOWER: "/jax/core/compile/jaxpr_to_mlir_module_duration",
    Boundary.COMPILE: "/jax/core/compile/backend_compile_duration",
}
"""JAX's own name for each step; the last one also fires when a disk cache is read."""

HIT = "/jax/compilation_cache/cache_hits"
MISS = "/jax/compilation_cache/cache_misses"

INCLUDES = {
    Boundary.PROCESS_COLD: "From starting the process to the first answer of a device: the "
    "interpreter, this program, importing the framework and starting its backend.",
    Boundary.FRAMEWORK_IMPORT: "Importing jax.",
    Boundary.BACKEND_START: "From the first question for devices to the answer.",
    Boundary.TRACE: "Running the Python function on abstract values.",
    Boundary.LOWER: "Turning the trace into StableHLO.",
    Boundary.COMPILE: "Optimising StableHLO and generating code, or loading it from a cache.",
    Boundary.HOST_TO_DEVICE: "Copying all inputs to the device, until they are ready there.",
    Boundary.FIRST_CALL: "The first execution with inputs ready, until its result is ready.",
}


@dataclass
class Events:
    """What JAX reported while it was listened to; grows during `listen`."""

    seconds: dict[str, float] = field(default_factory=dict)
    """Sum of the durations by event name."""
    counts: Counter[str] = field(default_factory=Counter)

    def of(self, boundary: Boundary) -> int:
        """How often the step of `boundary` was reported."""
        return self.counts[EVENT_OF[boundary]]


@contextmanager
def listen() -> Iterator[Events]:
    """Collects JAX's monitoring events of this process while the block runs."""
    from jax import monitoring

    events = Events()

    def on_duration(event: str, duration_secs: float, **kwargs: str | int) -> None:  # noqa: ARG001
        events.counts[event] += 1
        events.seconds[event] = events.seconds.get(event, 0.0) + duration_secs

    def on_event(event: str, **kwargs: str | int) -> None:  # noqa: ARG001
        events.counts[event] += 1

    monitoring.register_event_duration_secs_listener(on_duration)
    monitoring.register_event_listener(on_event)
    try:
        yield events
    finally:
        monitoring.unregister_event_duration_listener(on_duration)
        monitoring.unregister_event_listener(on_event)


@dataclass(frozen=True, slots=True)
class Staged:
    """A compiled program and how it came about."""

    compiled: jax.stages.Compiled
    stages: tuple[Stage, ...]
    stablehlo_sha256: str
    events: Events

    @property
    def memory_hit(self) -> bool:
        """Whether lowering and compiling found everything in this process's memory."""
        return self.events.of(Boundary.COMPILE) == 0


def stage(function: Callable[..., object], shapes: Sequence[Any], *, first: bool) -> Staged:
    """Traces, lowers and compiles `function` for `shapes` on the default device.

    `first` says that nothing was compiled in this process before. Raises what JAX raises
    when the function or the shapes don't fit.
    """
    import jax

    leave_out_places()
    jitted = jax.jit(function)
    traced, trace = timed(Boundary.TRACE, lambda: jitted.trace(*shapes), first=first)
    lowered, lower = timed(Boundary.LOWER, traced.lower, first=first)
    compiled, compile_ = timed(Boundary.COMPILE, lowered.compile, first=first)
    # Hashing comes last: printing the module is no part of any stage.
    text = redacted(lowered.as_text("stablehlo"))
    digest = hashlib.sha256(text.encode()).hexdigest()
    parts = (trace, lower, compile_)
    return Staged(compiled, tuple(part for part, _ in parts), digest, merged(e for _, e in parts))


def timed(
    boundary: Boundary, work: Callable[[], T], *, first: bool
) -> tuple[T, tuple[Stage, Events]]:
    """The result of `work`, its stage, and the events that fired inside."""
    with listen() as events:
        return clocked(boundary, work, first=first, events=events)


def clocked(
    boundary: Boundary, work: Callable[[], T], *, first: bool, events: Events | None = None
) -> tuple[T, tuple[Stage, Events]]:
    """The same without listening, which would import jax."""
    events = Events() if events is None else events
    start = perf_counter_ns()
    result = work()
    seconds = (perf_counter_ns() - start) / 1e9
    seen = events.seconds.get(EVENT_OF.get(boundary, ""))
    made = Stage(
        boundary=boundary,
        seconds=seconds,
        includes=_includes(boundary, events),
        listener_seconds=seen,
        first_in_process=first,
    )
    return result, (made, events)


def _includes(boundary: Boundary, events: Events) -> str:
    """What the interval enclosed, given what fired in it."""
    if boundary is not Boundary.COMPILE:
        return INCLUDES[boundary]
    if not events.of(boundary):
        return "A look-up in this process's memory; nothing was compiled."
    if events.counts[HIT]:
        return "Loading the executable from a cache on disk."
    return INCLUDES[boundary]


def merged(parts: Iterable[Events]) -> Events:
    """All events of `parts` added up."""
    total = Events()
    for part in parts:
        total.counts.update(part.counts)
        for name, seconds in part.seconds.items():
            total.seconds[name] = total.seconds.get(name, 0.0) + seconds
    return total


def cache_of(events: Events, *, persistent_dir_set: bool, fresh_process: bool) -> Cache:
    """What the events of lowering and compiling say about caches."""
    hits, misses = events.counts[HIT], events.counts[MISS]
    memory_hit = events.of(Boundary.COMPILE) == 0
    if memory_hit:
        # A disk hit reports a compile event, so both at once is no known state.
        state = CacheState.UNKNOWN if hits else CacheState.MEMORY_HIT
    elif hits:
        state = CacheState.PERSISTENT_HIT if not misses else CacheState.UNKNOWN
    else:
        state = CacheState.COLD
    return Cache(
        state=state,
        persistent_dir_set=persistent_dir_set,
        hits=hits,
        misses=misses,
        memory_hit=memory_hit,
        fresh_process=fresh_process,
    )
