"""Device time of single calls, from a profile of the backend.

A profile nests and overlaps its events, so a call's time is the union of their intervals and
never their sum. The number of runs in the profile must be the number of calls: a profiler
that lost some gives no measurement.
"""

from __future__ import annotations

import importlib
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb.finding import CheckError
from kb.measure.run.sample import Call, Samples, Wait
from kb.model.measurement import WarmUp

CALLS = 20
INCLUDES = (
    "Time in which any operation of the compiled program ran, from the profile, as the union "
    "of their intervals; no Python, no dispatch, no gap before the first operation."
)
ON_CPU = " On this backend the operations run on threads of the host."

Span = tuple[float, float]


def profile(call: Call, wait: Wait, calls: int = CALLS) -> Samples:
    """Profiles warm calls; raises `CheckError` where the profile does not hold every one."""
    import jax

    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    options.host_tracer_level = 2
    profiler: Any = jax.profiler
    with tempfile.TemporaryDirectory(prefix="kb-profile-") as name:
        with profiler.trace(name, profiler_options=options):
            for _ in range(calls):
                wait(call())
        found = sorted(Path(name).rglob("*.xplane.pb"))
        if not found:
            raise CheckError("The profiler wrote nothing.", "Measure another boundary.")
        data: Any = importlib.import_module("jax.profiler").ProfileData.from_file(str(found[-1]))
        seconds = per_call(data, calls)
    warm_up = WarmUp(calls=0, seconds=0.0, settled=True)
    return Samples(seconds, (), warm_up, target_reached=True)


def per_call(data: Any, calls: int) -> tuple[float, ...]:
    """Seconds of each call in a profile, in the order in which they began.

    Raises `CheckError` when it holds another number of runs than `calls`.
    """
    runs: dict[tuple[str, str], list[Span]] = defaultdict(list)
    for event, stats in _operations(data):
        span = (float(event.start_ns), float(event.start_ns + event.duration_ns))
        runs[str(stats.get("program_id", "")), str(stats.get("run_id", ""))].append(span)
    programs: dict[str, list[list[Span]]] = defaultdict(list)
    for (program, _), spans in runs.items():
        programs[program].append(spans)
    fitting = [found for found in programs.values() if len(found) == calls]
    if not fitting:
        held = max((len(found) for found in programs.values()), default=0)
        raise CheckError(
            f"The profile holds {held} runs of {calls} calls, so some were lost.",
            "Measure another boundary, or profile on a quieter machine.",
        )
    # Several programs with as many runs would be odd; the longest is the one that was meant.
    best = max(fitting, key=lambda found: sum(union(spans) for spans in found))
    best.sort(key=min)
    return tuple(union(spans) / 1e9 for spans in best)


def _operations(data: Any) -> Iterable[tuple[Any, dict[str, Any]]]:
    """Events of compiled operations; of the devices where there are any, else of the host."""
    planes = list(data.planes)
    devices = [plane for plane in planes if plane.name.startswith("/device:")]
    for plane in devices or [plane for plane in planes if plane.name.startswith("/host:")]:
        for line in plane.lines:
            for event in line.events:
                stats = {key: value for key, value in event.stats if key}
                # Each operation has a twin that only marks its end.
                if "hlo_op" in stats and not event.name.startswith("end: "):
                    yield event, stats


def union(spans: Iterable[Span]) -> float:
    """Length of the union of intervals, in their unit."""
    total, reached = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total
