"""Engineering days: three figures for a kernel, by a person, with a basis.

The tool supplies counts and sizes. It never makes up days, fills in a missing figure or
turns a range into one number.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from kb.finding import CheckError

PATTERN = "estimates: [{kernel: NAME, low: 2, likely: 5, high: 15, by: WHO, basis: WHY}]"


class Estimate(BaseModel):
    """What one person says about one kernel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kernel: str = Field(min_length=1)
    low: float = Field(ge=0)
    likely: float
    high: float
    by: str = Field(min_length=2)
    """The person who answers for it."""
    basis: str = Field(min_length=8)
    """What it rests on, such as a kernel that was ported before."""

    @model_validator(mode="after")
    def _in_order(self) -> Estimate:
        if not self.low <= self.likely <= self.high:
            raise ValueError(f"{self.kernel}: low, likely and high are not in order")
        if self.low == self.high:
            raise ValueError(f"{self.kernel}: one number is no estimate; give a range")
        return self


class Estimates(BaseModel):
    """A file of estimates."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Days:
    """Estimates held against the kernels that were counted."""

    used: tuple[Estimate, ...]
    without: tuple[str, ...]
    """Kernels that nobody estimated."""
    unknown: tuple[str, ...]
    """Estimated names that are no counted kernel."""

    @property
    def low(self) -> float:
        """Sum of the low figures."""
        return sum(each.low for each in self.used)

    @property
    def high(self) -> float:
        """Sum of the high figures: the range is wide because nothing is assumed to cancel."""
        return sum(each.high for each in self.used)

    @property
    def complete(self) -> bool:
        """Whether every counted kernel has an estimate."""
        return not self.without


def read(path: Path) -> tuple[Estimate, ...]:
    """The estimates in a YAML file; raises `CheckError` that shows the pattern."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        return Estimates.model_validate(data).estimates
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise CheckError(f"{path.name} can't be read: {error}", f"Write {PATTERN}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        text = f"{path.name}, {where}: {first['msg']}"
        raise CheckError(text, f"Write {PATTERN}") from error


def held_against(estimates: Collection[Estimate], kernels: Collection[str]) -> Days:
    """The estimates that speak of counted kernels, and what is missing on either side."""
    known = {each.kernel for each in estimates}
    return Days(
        tuple(each for each in estimates if each.kernel in kernels),
        tuple(sorted(set(kernels) - known)),
        tuple(sorted(known - set(kernels))),
    )
