"""Two programs in turns: each round runs both in random order and gives one ratio.

Whatever slows the machine for a while slows both sides of a round, so the ratio of a round
says more than the ratio of two medians taken one after the other.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

from kb.measure.run.guard import Watch
from kb.measure.run.sample import Call, Wait, one
from kb.model.measurement import Interval, NoiseTest

LEVEL = 0.95
RESAMPLES = 2000
SEED = 20261130
FIRST_LOOK = 100
"""Rounds before the first look at the interval; each later look comes after as many again as
there were, so that few looks tempt to stop on a good one."""

Enough = Callable[[Sequence[Sequence[float]]], bool]
"""Whether the times so far, one sequence a side, say what was asked."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """The raw times of each side, in seconds, one a round."""

    times: tuple[tuple[float, ...], ...]
    watches: tuple[tuple[Watch, ...], ...]
    """By round, then by side."""

    @property
    def first(self) -> tuple[float, ...]:
        """The first side."""
        return self.times[0]

    @property
    def second(self) -> tuple[float, ...]:
        """The second side."""
        return self.times[1]

    @property
    def ratios(self) -> tuple[float, ...]:
        """Second over first, by round."""
        return tuple(b / a for a, b in zip(self.first, self.second, strict=True))


def interleave(
    sides: Sequence[Call],
    wait: Wait,
    *,
    fewest: int,
    most: int,
    max_seconds: float,
    enough: Enough = lambda _: False,
    seed: int = SEED,
) -> Rounds:
    """Rounds of all sides, each in random order, until enough is known or time is up."""
    order = random.Random(seed)  # noqa: S311 (an order needs no secrecy)
    begun = perf_counter()
    times: list[list[float]] = [[] for _ in sides]
    watches: list[tuple[Watch, ...]] = []
    look = FIRST_LOOK
    while len(watches) < most:
        done = len(watches)
        if done >= fewest and perf_counter() - begun > max_seconds:
            break
        if done == look:
            look *= 2
            if enough(times):
                break
        seen: dict[int, Watch] = {}
        for side in order.sample(range(len(sides)), len(sides)):
            seconds, seen[side] = one(sides[side], wait)
            times[side].append(seconds)
        watches.append(tuple(seen[side] for side in range(len(sides))))
    return Rounds(tuple(map(tuple, times)), tuple(watches))


def ratio_interval(ratios: Sequence[float], level: float = LEVEL) -> Interval:
    """The percentile bootstrap interval of the median ratio; needs two ratios at least.

    Rounds are drawn as pairs, with a fixed seed, so that equal samples give an equal
    interval. Many equal ratios are fine, which the bias-corrected kind is not.
    """
    import numpy as np
    from scipy.stats import bootstrap

    if len(set(ratios)) == 1:  # scipy warns of a distribution without width
        low = high = ratios[0]
    else:
        found = bootstrap(
            (np.asarray(ratios),), np.median, n_resamples=RESAMPLES, confidence_level=level,
            method="percentile", rng=np.random.default_rng(SEED),
        ).confidence_interval  # fmt: skip
        low, high = float(found.low), float(found.high)
    return Interval(method="percentile_bootstrap", level=level, coverage=level, low=low, high=high)


def noise_test(call: Call, wait: Wait, max_seconds: float) -> NoiseTest:
    """The same call on both sides, twenty rounds at least and a hundred at most."""
    seen = interleave((call, call), wait, fewest=20, most=100, max_seconds=max_seconds)
    interval = ratio_interval(seen.ratios)
    return NoiseTest(
        first=seen.first,
        second=seen.second,
        ratio=median(seen.ratios),
        interval=interval,
        smallest_effect=max(abs(interval.low - 1), abs(interval.high - 1)),
    )
