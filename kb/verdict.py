"""What a comparison comes to: verdict, ratio, reasons, cautions, steps and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from kb.qualifiers import Word
from kb.quantity import Interval, Quantity

Side = Literal["left", "right"]


class VerdictKind(Word):
    """The four answers that a comparison can get."""

    COMPARABLE = "comparable", "Every axis agrees."
    AFTER_DERIVATION = "after_derivation", "Licensed steps make the axes agree."
    NOT_COMPARABLE = "not_comparable", "Some axis differs and no licence bridges it."
    UNDETERMINED = "undetermined", "A needed axis is left open by a source."


class StepKind(Word):
    """The steps that may be licensed."""

    CONVERT_UNIT = "convert_unit", "An exact conversion between units."
    DIVIDE_BY_COUNT = "divide_by_count", "From a group of accelerators to one of them."
    DIVIDE_BY_POWER = "divide_by_power", "From a throughput to one for each measured watt."
    MULTIPLY_BY_COUNT = "multiply_by_count", "From a part of an accelerator to the whole."
    BOTH_DIRECTIONS_TO_ONE = "both_directions_to_one", "Half of a sum of two equal directions."
    SPARSE_TO_DENSE = "sparse_to_dense", "From a sparse rate to the vendor's dense one."
    LINK_TO_DEVICE = "link_to_device", "From one link to all links of an accelerator."
    ASSESSED = "assessed", "An open axis settled by a sourced assessment."


@dataclass(frozen=True, slots=True)
class Reason:
    """One axis that stands in the way of a ratio."""

    axis: str
    """Name of the axis, as in `kb.qualifiers`."""
    state: Literal["differs", "open"]
    """Whether the two sides differ or a source leaves the axis open."""
    left: str
    right: str
    why: str
    """Why it matters, in one sentence."""
    settle: str = ""
    """What a source would have to state, where the axis is open."""


@dataclass(frozen=True, slots=True)
class Caution:
    """What does not forbid a comparison but travels with it to every place."""

    about: str
    """The axis or subject: `direction`, `topology`, `rounding` …"""
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """One licensed step, on one side, that brings the two sides together."""

    kind: StepKind
    side: Side
    step: str
    """What is done, with the numbers."""
    licence: str
    """What allows it: a definition, a source, a composition, an assessment."""
    factor: Fraction = Fraction(1)
    """What the side's value is multiplied by."""
    replaces: Quantity | None = None
    """A printed value that takes the place of this side's own (a printed dense row)."""
    source: str = ""
    """Id of the source that allows it, where one source does."""


@dataclass(frozen=True, slots=True)
class Conditional:
    """The ratio that would hold if the open axes had these values."""

    when: tuple[tuple[Side, str, str], ...]
    """Side, axis and value of each assumption."""
    ratio: Fraction
    interval: Interval


@dataclass(frozen=True, slots=True)
class FractionOf:
    """A reported or measured value as a share of the vendor's figure."""

    kind: Literal["reported", "achieved"]
    value: Fraction
    interval: Interval


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one comparison."""

    kind: VerdictKind
    left: str
    """What the left side is called: a claim id or a product name, with its value."""
    right: str
    ratio: Fraction | None = None
    """Left over right, after every step; None unless the verdict allows a ratio."""
    interval: Interval | None = None
    """What the printed digits allow the ratio to be."""
    reasons: tuple[Reason, ...] = ()
    cautions: tuple[Caution, ...] = ()
    derivation: tuple[Step, ...] = ()
    """Steps of an `after_derivation`; for other verdicts the steps that would be licensed."""
    conditional: tuple[Conditional, ...] = ()
    fraction: FractionOf | None = None
    use_instead: tuple[str, ...] = field(default=())
    """Ids of claims that would make the comparison possible."""

    @property
    def allows_ratio(self) -> bool:
        """Whether a ratio may be printed."""
        return self.kind in (VerdictKind.COMPARABLE, VerdictKind.AFTER_DERIVATION)
