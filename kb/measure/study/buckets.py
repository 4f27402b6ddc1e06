"""What padding costs and how many compilations it saves, over lengths as they really come.

Every policy answers the same requests in the same order with the same function. A policy
that pads to few lengths compiles seldom and computes on zeros; one that pads to none
compiles for every new length.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter_ns
from types import MappingProxyType
from typing import Any

from kb.measure.run import framework, stages
from kb.measure.run.sample import Progress
from kb.measure.study.draft import Draft, timed
from kb.model.study import Check, Figure, Series, StudyKind
from kb.qualifiers import Boundary

WIDTH = 128
SEED = 20261130
BOUND = 1e-4
"""Of the norm of the error over that of the reference, in float32 over at most 4096 rows."""

Policy = Callable[[int, int], int]
"""The padded length for a length and the longest one."""

POLICIES: MappingProxyType[str, tuple[str, Policy]] = MappingProxyType(
    {
        "exact": ("no padding", lambda length, _: length),
        "steps_of_64": ("the next multiple of 64", lambda length, _: -(-length // 64) * 64),
        "powers_of_two": (
            "the next power of two",
            lambda length, _: 1 << (length - 1).bit_length(),
        ),
        "longest": ("the longest of all", lambda _, longest: longest),
    }
)
"""How lengths are padded, with words for it."""


@dataclass
class Seen:
    """What one policy did in one pass over the requests."""

    seconds: list[float] = field(default_factory=list)
    compilations: int = 0
    building: float = 0.0
    """Seconds of tracing, lowering and compiling, by the framework's own events."""
    asked: int = 0
    computed: int = 0
    worst: float = 0.0

    @property
    def padding(self) -> float:
        """Share of the computed rows that nobody asked for."""
        return 1 - self.asked / self.computed


def lengths(count: int, longest: int, seed: int = SEED) -> list[int]:
    """A made-up stream of request lengths: many short ones, few long ones, as text has."""
    draw = random.Random(seed)  # noqa: S311 (a sample needs no secrecy)
    return [max(1, min(longest, round(draw.lognormvariate(4.2, 0.9)))) for _ in range(count)]


def study(params: dict[str, Any], progress: Progress) -> Draft:
    """Every policy over the lengths in `params`, several passes each in mixed order."""
    import jax

    asked = [int(length) for length in params["lengths"]]
    passes, order = int(params["passes"]), random.Random(SEED)  # noqa: S311 (as above)
    data = _data(max(asked))
    seen: dict[str, list[Seen]] = {name: [] for name in POLICIES}
    _pass("exact", asked[:3], data)  # the first compilation of a process is dearer than the rest
    for turn in range(passes):
        for name in order.sample(list(POLICIES), len(POLICIES)):
            progress(f"pass {turn + 1} of {passes}: {name}")
            seen[name].append(_pass(name, asked, data))
    return Draft(
        kind=StudyKind.BUCKETING,
        name="bucketing",
        subject=f"Padding {len(asked)} requests of {len(set(asked))} lengths",
        cannot="It says nothing about other lengths, programs, devices or versions: compiling "
        "and computing cost what they cost here.",
        device=jax.devices()[0],
        controlled={
            "program": "masked mean of tanh(x @ w), 128 wide, float32",
            "requests": f"the same {len(asked)} in the same order for every policy",
            "caches": "no cache on disk is used; JAX's own are cleared before every pass",
            "lengths": ", ".join(map(str, asked)),
        },
        series=[_series(name, found) for name, found in seen.items()],
        figures=[figure for name, found in seen.items() for figure in _figures(name, found)],
        checks=_checks(seen),
    )


def _data(longest: int) -> tuple[Any, Any]:
    import numpy as np

    draw = np.random.default_rng(SEED)
    rows = draw.standard_normal((longest, WIDTH)).astype(np.float32)
    return rows, (draw.standard_normal((WIDTH, WIDTH)) / WIDTH**0.5).astype(np.float32)


def masked_mean(x: Any, w: Any, length: Any) -> Any:
    """The mean over the first `length` rows of tanh(x @ w)."""
    import jax.numpy as jnp

    kept = jnp.arange(x.shape[0])[:, None] < length
    return jnp.where(kept, jnp.tanh(x @ w), 0).sum(axis=0) / length


def _pass(policy: str, asked: Sequence[int], data: tuple[Any, Any]) -> Seen:
    """One pass over all requests with empty caches."""
    import jax
    import numpy as np

    pad, (rows, weights) = POLICIES[policy][1], data
    framework.forget()
    jitted, seen = jax.jit(masked_mean), Seen()
    longest = len(rows) if policy != "longest" else max(asked)
    with stages.listen() as events:
        for length in asked:
            padded = np.zeros((pad(length, longest), WIDTH), np.float32)
            padded[:length] = rows[:length]
            start = perf_counter_ns()
            result = framework.wait(jitted(padded, weights, np.float32(length)))
            seen.seconds.append((perf_counter_ns() - start) / 1e9)
            seen.asked += length
            seen.computed += len(padded)
            seen.worst = max(seen.worst, _error(np.asarray(result), rows[:length], weights))
    seen.compilations = events.of(Boundary.COMPILE)
    seen.building = sum(events.seconds.get(name, 0.0) for name in stages.EVENT_OF.values())
    return seen


def _error(result: Any, rows: Any, weights: Any) -> float:
    """Norm of the error over that of the unpadded answer in float64."""
    import numpy as np

    wanted = np.tanh(rows.astype(np.float64) @ weights.astype(np.float64)).mean(axis=0)
    return float(np.linalg.norm(result - wanted) / np.linalg.norm(wanted))


def _series(name: str, found: Sequence[Seen]) -> Series:
    first = found[0]
    return timed(
        name,
        f"one request, padded to {POLICIES[name][0]}, compiling included where it happens",
        [second for each in found for second in each.seconds],
        Boundary.END_TO_END,
        passes=len(found),
        compilations=first.compilations,
        padding=round(first.padding, 6),
        worst_error=max(each.worst for each in found),
    )


def _figures(name: str, found: Sequence[Seen]) -> list[Figure]:
    first, said = found[0], POLICIES[name][0]
    totals = [sum(each.seconds) for each in found]
    building = [each.building for each in found]
    return [
        Figure(name=f"{name}_compilations", title=f"compilations, padded to {said}",
               value=float(first.compilations), unit="count"),
        Figure(name=f"{name}_padding", title=f"share of rows that are padding, {said}",
               value=first.padding, unit="share"),
        Figure(name=f"{name}_building", title=f"tracing, lowering and compiling, {said}",
               value=median(building), unit="s", low=min(building), high=max(building)),
        Figure(name=f"{name}_total", title=f"all requests, {said}",
               value=median(totals), unit="s", low=min(totals), high=max(totals)),
    ]  # fmt: skip


def _checks(seen: dict[str, list[Seen]]) -> list[Check]:
    worst = max(each.worst for found in seen.values() for each in found)
    counts = {name: {each.compilations for each in found} for name, found in seen.items()}
    steady = all(len(found) == 1 for found in counts.values())
    return [
        Check(name="correct", passed=worst <= BOUND,
              why=f"worst norm error {worst:.2e}, bound {BOUND:.0e}"),
        Check(name="counts_repeat", passed=steady,
              why="every pass compiled as often" if steady else "passes differ in compilations"),
    ]  # fmt: skip
