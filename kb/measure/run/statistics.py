"""What a list of samples says: location, interval, spread and drift, by standard library.

Robust throughout: medians and order statistics, no normality, no sample dropped.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import ceil, comb
from statistics import fmean, median

from kb.model.measurement import Drift, Interval, NoiseFloor, SampleLabel, Spread, Tail

LEVEL = 0.95
FEWEST_FOR_DRIFT = 6
FEWEST_FOR_MODES = 20
TAILS = (0.90, 0.95, 0.99)
BEYOND = 3
"""Samples that must lie beyond a percentile before it is given."""


def quantile(samples: Sequence[float], share: float) -> float:
    """The `share` quantile (0 to 1) by linear interpolation between order statistics."""
    ordered = sorted(samples)
    where = share * (len(ordered) - 1)
    below = int(where)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (where - below)


def order_statistic_interval(samples: Sequence[float], level: float = LEVEL) -> Interval | None:
    """The narrowest symmetric pair of order statistics around the median.

    Its coverage is exact for independent samples of any continuous distribution: the
    number of samples under the true median is binomial with one half. None when even
    the extremes cover less than `level`, as with under six samples at 95 %.
    """
    ordered, n = sorted(samples), len(samples)
    missed, tail, covered = 0, 0, 0.0
    for rank in range(n // 2):
        tail += comb(n, rank)
        # Taking the rank-th from both ends misses the median with twice this tail.
        coverage = 1 - 2 * tail / 2**n
        if coverage < level:
            break
        missed, covered = rank + 1, coverage
    if missed == 0:
        return None
    return Interval(
        method="order_statistic",
        level=level,
        coverage=covered,
        low=ordered[missed - 1],
        high=ordered[n - missed],
    )


def relative_half_width(samples: Sequence[float], level: float = LEVEL) -> float | None:
    """Half the interval's width over the median; None without an interval or a median."""
    interval, middle = order_statistic_interval(samples, level), median(samples)
    if interval is None or middle <= 0:
        return None
    return (interval.high - interval.low) / 2 / middle


def spread(samples: Sequence[float]) -> Spread:
    """Extremes, quartiles and relative median absolute deviation, in the samples' unit."""
    low, high, middle = quantile(samples, 0.25), quantile(samples, 0.75), median(samples)
    deviation = median([abs(sample - middle) for sample in samples])
    fence = 1.5 * (high - low)
    return Spread(
        minimum=min(samples),
        first_quartile=low,
        third_quartile=high,
        maximum=max(samples),
        interquartile_range=high - low,
        relative_mad=deviation / middle if middle > 0 else 0.0,
        outside_fences=sum(not low - fence <= sample <= high + fence for sample in samples),
    )


def tails(samples: Sequence[float]) -> tuple[Tail, ...]:
    """The high percentiles that the number of samples allows, each an order statistic."""
    ordered, n = sorted(samples), len(samples)
    # The tiny term keeps 0.9 * 30, which is 27.000000000000004 in floats, at rank 27.
    ranks = ((share, ceil(share * n - 1e-9)) for share in TAILS)
    return tuple(
        Tail(share=share, value=ordered[rank - 1]) for share, rank in ranks if n - rank >= BEYOND
    )


def bimodal(samples: Sequence[float]) -> bool:
    """Whether the samples fall into two groups with a real gap between them.

    Each group holds a tenth of them at least, and the gap is wider than the middle half of
    either group and than 2 % of the median. Under twenty samples nothing is said.
    """
    ordered, n = sorted(samples), len(samples)
    if n < FEWEST_FOR_MODES:
        return False
    few = ceil(n / 10)
    cut = max(range(few, n - few + 1), key=lambda i: ordered[i] - ordered[i - 1])
    gap = ordered[cut] - ordered[cut - 1]
    widths = [
        quantile(part, 0.75) - quantile(part, 0.25) for part in (ordered[:cut], ordered[cut:])
    ]
    return gap > max(*widths, 0.02 * median(ordered))


def drift(samples: Sequence[float]) -> Drift | None:
    """The trend over the order of the samples; None under six of them."""
    n = len(samples)
    if n < FEWEST_FOR_DRIFT:
        return None
    slopes = [
        (samples[later] - samples[earlier]) / (later - earlier)
        for earlier in range(n)
        for later in range(earlier + 1, n)
    ]
    first, last = thirds(samples)
    return Drift(
        method="theil_sen",
        slope_per_sample=median(slopes),
        first_third_median=first,
        last_third_median=last,
        relative_change=last / first - 1 if first > 0 else 0.0,
        lag1_autocorrelation=_autocorrelation(samples),
    )


def thirds(samples: Sequence[float]) -> tuple[float, float]:
    """Median of the first and of the last third of at least three samples."""
    third = len(samples) // 3
    return median(samples[:third]), median(samples[-third:])


def settled(samples: Sequence[float], half_width: float, change: float = 0.05) -> bool:
    """Whether the median is known within `half_width` and the thirds differ by under `change`.

    Both are shares of the median. A narrow interval around a moving median says little.
    """
    width = relative_half_width(samples)
    if width is None or width > half_width:
        return False
    first, last = thirds(samples)
    return abs(last - first) <= change * first


def _autocorrelation(samples: Sequence[float]) -> float:
    """Correlation of each rank with the next one; ranks, so that one spike can't rule it."""
    ordered = sorted(samples)
    # Equal samples share the middle of their ranks; a coarse clock gives many of them.
    ranks = [(bisect_left(ordered, x) + bisect_right(ordered, x)) / 2 for x in samples]
    mean = fmean(ranks)
    centred = [rank - mean for rank in ranks]
    total = sum(value * value for value in centred)
    products = (a * b for a, b in pairwise(centred))
    return sum(products) / total if total > 0 else 0.0


def labels(
    samples: Sequence[float], floor: NoiseFloor, *, target_reached: bool
) -> tuple[SampleLabel, ...]:
    """What a reader must know about the samples, in the order of the enumeration."""
    seen, trend = spread(samples), drift(samples)
    applies = {
        SampleLabel.TARGET_NOT_REACHED: not target_reached,
        SampleLabel.NOISY: seen.relative_mad > 0.05,
        SampleLabel.DRIFTING: trend is not None and abs(trend.relative_change) > 0.05,
        # Two standard errors of an uncorrelated series.
        SampleLabel.AUTOCORRELATED: trend is not None
        and trend.lag1_autocorrelation > 2 / len(samples) ** 0.5,
        SampleLabel.NEAR_NOISE_FLOOR: median(samples) < 10 * floor.null_call_seconds,
        SampleLabel.BIMODAL: bimodal(samples),
        SampleLabel.OUTLIERS_KEPT: seen.outside_fences > 0,
    }
    return tuple(label for label in SampleLabel if applies[label])
