"""What was observed in a run: stages, samples with their summary, correctness and guard.

Every number here stands beside the boundary that says what its interval encloses. All
times are seconds of the host's monotonic clock. Shapes only: nothing is computed here.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, field_validator

from kb.qualifiers import Boundary, Word

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Identifier = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]

Row = TypeVar("Row")
Rows = Annotated[tuple[Row, ...], FailFast()]
"""Thousands of one shape, that a program wrote: the first that doesn't fit ends the reading."""

LARGEST = 10**30
"""Above every count and time of a run."""


class Shape(BaseModel):
    """Base of every part of an evidence record: frozen, strict, no unknown keys."""

    model_config = ConfigDict(
        frozen=True,
        strict=True,
        extra="forbid",
        allow_inf_nan=False,
        defer_build=True,
    )

    @field_validator("*")
    @classmethod
    def _bounded(cls, value: object) -> object:
        """Refuse a number that no run can give and that arithmetic would overflow on."""
        for number in value if isinstance(value, tuple) else (value,):
            if isinstance(number, int | float) and abs(number) > LARGEST:
                raise ValueError(f"the number is beyond ±{LARGEST:.0e}")
        return value


def positive(samples: tuple[float, ...]) -> tuple[float, ...]:
    """Refuse a sample that took no time: no rate can be had from it."""
    for place, sample in enumerate(samples, start=1):
        if sample <= 0:
            raise ValueError(f"sample {place} is {sample:g} s; a sample takes time")
    return samples


class MeshAxis(Shape):
    """One named axis of a device mesh."""

    name: str
    size: int = Field(ge=1)


class SampleLabel(Word):
    """What a reader has to know before using a set of samples."""

    TARGET_NOT_REACHED = (
        "target_not_reached",
        "Sampling ended before the median was narrow and steady.",
    )
    NOISY = "noisy", "The median absolute deviation is above 5 % of the median."
    DRIFTING = "drifting", "The last third differs from the first by more than 5 %."
    AUTOCORRELATED = "autocorrelated", "Neighbours are alike, so n overstates what is known."
    NEAR_NOISE_FLOOR = "near_noise_floor", "The median is under ten times a null call."
    BIMODAL = "bimodal", "The samples fall into two groups with a gap between them."
    OUTLIERS_KEPT = "outliers_kept", "Some samples lie beyond Tukey's fences; all are kept."


class GuardVerdict(Word):
    """Whether the clock was stopped after the work was done."""

    SYNCHRONISED = "synchronised", "Every result was ready when its clock stopped."
    DISPATCH_ONLY = "dispatch_only", "Work was still pending when a clock stopped."
    TOO_FAST = "too_fast", "A single call took far less than its share of a long queue."


class CacheState(Word):
    """What stood between the program and its compiler."""

    COLD = "cold", "The compiler ran; nothing was taken from a cache."
    PERSISTENT_HIT = "persistent_hit", "The executable was loaded from a cache on disk."
    MEMORY_HIT = "memory_hit", "The executable was already in this process; nothing compiled."
    UNKNOWN = "unknown", "The events contradict each other."


class Stage(Shape):
    """One step that happens once, with its own clock."""

    boundary: Boundary
    seconds: float = Field(ge=0)
    includes: str
    """What the interval encloses, in words."""
    listener_seconds: float | None = Field(ge=0)
    """The framework's own figure for the same step; null when it gives none."""
    first_in_process: bool


class Interval(Shape):
    """A confidence interval of a median, in the unit of what it is the median of."""

    method: Literal["order_statistic", "percentile_bootstrap"]
    level: float = Field(gt=0, lt=1)
    """The level that was asked for."""
    coverage: float = Field(gt=0, le=1)
    """The exact coverage, never below the level; for a bootstrap it is the level itself."""
    low: float
    high: float


class Spread(Shape):
    """How far the samples lie apart, in the unit of their measurement."""

    minimum: float
    first_quartile: float
    third_quartile: float
    maximum: float
    interquartile_range: float = Field(ge=0)
    relative_mad: float = Field(ge=0)
    """Median absolute deviation over the median; 0.01 is one percent."""
    outside_fences: int = Field(ge=0)
    """Samples beyond 1.5 interquartile ranges; counted, never dropped."""


class Tail(Shape):
    """A high percentile, given only where enough samples lie beyond it."""

    share: float = Field(gt=0, lt=1)
    """0.99 for the 99th percentile."""
    value: float
    """The order statistic at or above that share, in the unit of its measurement."""


class Drift(Shape):
    """Whether later samples differ from earlier ones."""

    method: Literal["theil_sen"]
    slope_per_sample: float
    first_third_median: float
    last_third_median: float
    relative_change: float
    """Last third over first third, minus one."""
    lag1_autocorrelation: float = Field(ge=-1.000001, le=1.000001)


class NoiseFloor(Shape):
    """The smallest times that this process can tell from nothing, in seconds."""

    null_call_seconds: float = Field(ge=0)
    """Median of a blocked call of a compiled program that returns one number."""
    null_wait_seconds: float = Field(ge=0)
    """Median wait for a result that is ready already."""
    clock_resolution_seconds: float = Field(ge=0)


class WarmUp(Shape):
    """Calls on the very same path before the first sample."""

    calls: int = Field(ge=0)
    seconds: float = Field(ge=0)
    settled: bool
    """Whether two neighbouring windows agreed within 5 % before time ran out."""


class Measurement(Shape):
    """All samples of one boundary and what they say together."""

    boundary: Boundary
    unit: Literal["s"]
    includes: str
    calls_per_sample: int = Field(ge=1)
    """Each sample is the time of this many calls divided by it."""
    samples: Annotated[tuple[float, ...], Field(min_length=1), AfterValidator(positive)]
    """Raw, in the order taken."""
    n: int = Field(ge=1)
    median: float
    interval: Interval | None
    """Null when there are too few samples for any interval at the level."""
    spread: Spread
    drift: Drift | None
    """Null under six samples."""
    noise_floor: NoiseFloor
    warm_up: WarmUp
    labels: tuple[SampleLabel, ...]
    tails: tuple[Tail, ...] = ()
    """High percentiles; one needs three samples beyond it."""


class QueuePoint(Shape):
    """Calls kept in flight together, with one wait at the end."""

    calls: int = Field(ge=1)
    """How many were in flight."""
    samples: Annotated[tuple[float, ...], Field(min_length=1), AfterValidator(positive)]
    """Seconds of one call, each from one queue, in the order taken."""
    median: float


class NoiseTest(Shape):
    """The same executable against itself, interleaved: what difference means nothing here."""

    first: Annotated[tuple[float, ...], Field(min_length=1), AfterValidator(positive)]
    """Seconds, one a round."""
    second: Annotated[tuple[float, ...], Field(min_length=1), AfterValidator(positive)]
    """Seconds of the same rounds, in random order within each."""
    ratio: float = Field(gt=0)
    """Median over the rounds of second over first; 1 without noise."""
    interval: Interval
    """Of that ratio."""
    smallest_effect: float = Field(ge=0)
    """The farthest end of the interval from 1: no smaller difference may be claimed."""


class Tolerance(Shape):
    """The declared bound on errors, fixed before the run."""

    formula: str
    factor: float = Field(gt=0)
    length: int = Field(ge=1)
    """How many roundings can pile up in one element; for a matmul the contraction length."""
    unit_roundoff: float = Field(gt=0)
    """Of the format in which they pile up."""
    bound: float = Field(gt=0)
    steps: int = Field(default=0, ge=0)
    """Roundings to a coarser format on the way: of stored values, inputs or results."""
    coarse_roundoff: float = Field(default=0.0, ge=0)
    """Of that coarser format; 0 where there is none."""


class Correctness(Shape):
    """The result of the timed executable against a float64 reference on the CPU."""

    reference: Literal["float64"]
    tolerance: Tolerance
    elements: int = Field(ge=1)
    max_absolute_error: float | None
    """Null when an element is not finite."""
    max_scaled_error: float | None
    """Largest error over max(|reference|, root mean square of the reference)."""
    norm_error: float | None
    """Norm of the error over the norm of the reference."""
    share_out_of_tolerance: float = Field(ge=0, le=1)
    nan_count: int = Field(ge=0)
    inf_count: int = Field(ge=0)
    passed: bool


class Guard(Shape):
    """The proof that samples were not dispatch times."""

    boundary: Boundary
    ready_at_stop: tuple[bool, ...]
    """For each sample, whether every array was ready when the clock stopped."""
    residual_wait_seconds: tuple[float, ...]
    """For each sample, one more wait after the stop."""
    residual_limit_seconds: float = Field(gt=0)
    queue_seconds_per_call: float | None
    """Time per call of a queue with one final wait; null when none was run."""
    verdict: GuardVerdict
    why: str
