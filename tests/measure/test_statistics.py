"""The statistics against brute force over every outcome."""

from itertools import product
from statistics import median, quantiles

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.measure.run.statistics import (
    bimodal,
    drift,
    labels,
    order_statistic_interval,
    quantile,
    relative_half_width,
    settled,
    spread,
    tails,
)
from kb.model.measurement import NoiseFloor, SampleLabel

TIMES = st.floats(min_value=1e-7, max_value=1e3)
FLOOR = NoiseFloor(null_call_seconds=1e-6, null_wait_seconds=1e-6, clock_resolution_seconds=1e-9)


def coverage(n: int, rank: int) -> float:
    """Share of all 2^n ways to fall around the median that [rank-th, rank-th last] covers."""
    ways = list(product((0, 1), repeat=n))
    return sum(rank <= sum(way) <= n - rank for way in ways) / len(ways)


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
def test_interval_is_the_narrowest_that_covers_enough(n: int, level: float) -> None:
    samples = [float(i) for i in range(n)]
    enough = [rank for rank in range(1, n // 2 + 1) if coverage(n, rank) >= level]
    interval = order_statistic_interval(samples, level)
    if not enough:
        assert interval is None
        return
    assert interval is not None
    best = max(enough)
    assert (interval.low, interval.high) == (samples[best - 1], samples[n - best])
    assert interval.coverage == pytest.approx(coverage(n, best))


@given(st.lists(TIMES, min_size=6, max_size=60))
def test_interval_holds_the_median_whatever_the_order(samples: list[float]) -> None:
    interval = order_statistic_interval(samples)
    assert interval is not None
    assert interval.low <= median(samples) <= interval.high
    assert interval.coverage >= 0.95
    assert order_statistic_interval(sorted(samples, reverse=True)) == interval


def test_interval_of_many_samples_is_exact_and_quick() -> None:
    interval = order_statistic_interval([float(i) for i in range(500)])
    assert interval is not None
    assert 0.95 <= interval.coverage < 0.96


@given(st.lists(TIMES, min_size=2, max_size=40))
def test_quantiles_agree_with_the_standard_library(samples: list[float]) -> None:
    cuts = quantiles(samples, n=4, method="inclusive")
    ours = [quantile(samples, share) for share in (0.25, 0.5, 0.75)]
    assert ours == pytest.approx(cuts)


@given(st.lists(TIMES, min_size=1, max_size=40))
def test_spread_is_in_order_and_scales_with_the_samples(samples: list[float]) -> None:
    seen = spread(samples)
    middle = [seen.minimum, seen.first_quartile, seen.third_quartile, seen.maximum]
    assert middle == pytest.approx(sorted(middle))
    double = spread([2 * sample for sample in samples])
    assert double.relative_mad == pytest.approx(seen.relative_mad)
    assert double.interquartile_range == pytest.approx(2 * seen.interquartile_range)


def test_an_outlier_is_counted_and_kept() -> None:
    seen = spread([1.0, 1.1, 0.9, 1.05, 0.95, 9.0])
    assert (seen.outside_fences, seen.maximum) == (1, 9.0)


@given(st.floats(-0.01, 0.01), st.integers(6, 40))
def test_a_line_drifts_by_its_slope(slope: float, n: int) -> None:
    seen = drift([1 + slope * i for i in range(n)])
    assert seen is not None
    assert seen.slope_per_sample == pytest.approx(slope, abs=1e-12)
    assert seen.relative_change * slope >= 0


def test_equal_samples_neither_drift_nor_correlate() -> None:
    seen = drift([2.0] * 30)
    assert seen is not None
    assert (seen.slope_per_sample, seen.relative_change, seen.lag1_autocorrelation) == (0, 0, 0)


def test_too_few_samples_say_nothing() -> None:
    assert drift([1.0] * 5) is None
    assert order_statistic_interval([1.0] * 5) is None
    assert relative_half_width([1.0] * 5) is None


@pytest.mark.parametrize(
    ("n", "given"),
    [(29, {}), (30, {0.9: 27.0}), (59, {0.9: 54.0}), (60, {0.9: 54.0, 0.95: 57.0}),
     (299, {0.9: 270.0, 0.95: 285.0}), (300, {0.9: 270.0, 0.95: 285.0, 0.99: 297.0})],
)  # fmt: skip
def test_a_tail_is_a_sample_and_needs_three_beyond_it(n: int, given: dict[float, float]) -> None:
    samples = [float(i) for i in range(n, 0, -1)]
    assert {tail.share: tail.value for tail in tails(samples)} == given


@given(st.lists(TIMES, min_size=30, max_size=400))
def test_a_tail_leaves_its_share_below(samples: list[float]) -> None:
    for tail in tails(samples):
        below = sum(sample <= tail.value for sample in samples)
        assert below >= tail.share * len(samples) - 1e-6
        assert sum(sample < tail.value for sample in samples) < tail.share * len(samples)


def test_two_groups_are_seen_and_one_with_a_tail_is_not() -> None:
    low, high = [1 + 0.001 * i for i in range(20)], [1.3 + 0.001 * i for i in range(20)]
    assert bimodal(low + high)
    assert bimodal(low + high[:4]), "a group of a sixth"
    assert not bimodal(low + high[:1]), "one sample is an outlier, no group"
    assert not bimodal(low[:10] + high[:9]), "too few samples"
    assert not bimodal([1 + 0.01 * i for i in range(40)]), "no gap"
    assert not bimodal([1.0] * 20 + [1.01] * 20), "a clock's step of one per cent"
    assert not bimodal([1 + 0.05 * (1.2**i) for i in range(40)]), "one long tail"


def test_labels_name_what_a_reader_must_know() -> None:
    rising = [1 + 0.02 * i for i in range(30)]
    seen = labels(rising, FLOOR, target_reached=False)
    assert {SampleLabel.DRIFTING, SampleLabel.AUTOCORRELATED} <= set(seen)
    assert SampleLabel.TARGET_NOT_REACHED in seen
    assert labels([5e-6] * 30, FLOOR, target_reached=True) == (SampleLabel.NEAR_NOISE_FLOOR,)


def test_sampling_goes_on_while_the_median_is_wide_or_moving() -> None:
    assert settled([1.0] * 20, 0.01)
    assert not settled([1.0] * 5, 0.01)
    assert not settled([1.0, 2.0] * 20, 0.01)
    # Narrow by the interval alone, since both halves are flat.
    assert not settled([1.0] * 40 + [1.2] * 60 + [1.0, 1.2], 0.2)
