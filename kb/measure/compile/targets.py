"""The products that can be compiled for without owning one, and how each is named.

A target is a product id with an arrangement: `tpu-v6e:2x4` is a slice, `hgx-b200:8` a board
of eight GPUs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import Literal

from kb.finding import CheckError, quoted, with_extra

Platform = Literal["tpu", "cuda"]


@dataclass(frozen=True, slots=True)
class Family:
    """How one product's compiler is reached."""

    product: str
    platform: Platform
    modules: tuple[str, ...]
    """Modules whose presence shows that the compiler is installed."""
    extra: str
    """The extra of our own package that brings them."""
    pattern: str
    example: str
    kind: str
    """The device kind that the compiler must report, so that nothing else takes the name."""
    arrangements: str
    """The arrangements that exist, in words."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The modules that are not installed."""
        return tuple(name for name in self.modules if not _installed(name))

    @property
    def remedy(self) -> str:
        """What to type when a module is missing."""
        return with_extra(self.extra)


@dataclass(frozen=True, slots=True)
class Wanted:
    """One target as a person named it."""

    family: Family
    arrangement: str

    @property
    def name(self) -> str:
        """As it is typed."""
        return f"{self.family.product}:{self.arrangement}"

    @property
    def exists(self) -> bool:
        """Whether the product comes in this arrangement; compilers take others without a word."""
        if self.family.platform == "tpu":
            return self.arrangement in SLICES
        count = int(self.arrangement)
        return count <= BOARD or count % BOARD == 0

    @property
    def topology(self) -> str:
        """The arrangement in the compiler's own words."""
        if self.family.platform == "tpu":
            return f"v6e:{self.arrangement}"
        hosts, each = _boards(int(self.arrangement))
        return f"1x{hosts}x{each}"


SLICES = ("1x1", "2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16")
"""Slices of v6e that Google sells; the catalogue cites its table as `slice-2x4-chips` etc."""

BOARD = 8
"""GPUs on one HGX B200."""

FAMILIES = MappingProxyType(
    {
        "tpu-v6e": Family(
            "tpu-v6e",
            "tpu",
            ("jax", "libtpu"),
            "aot-tpu",
            r"\d+x\d+(?:x\d+)?",
            "tpu-v6e:2x4",
            "TPU v6 lite",
            f"slices of {', '.join(SLICES)} chips",
        ),
        "hgx-b200": Family(
            "hgx-b200",
            "cuda",
            ("jax", "jax_cuda13_plugin", "jax_plugins.xla_cuda13", "nvidia.cu13"),
            "aot-cuda",
            r"[1-9]\d{0,3}",
            "hgx-b200:8",
            "NVIDIA B200",
            f"1 to {BOARD} GPUs of a board, or whole boards of {BOARD}",
        ),
    }
)
"""Every product that has a compiler in a wheel and a target description here."""


def target(text: str) -> Wanted:
    """The target that `text` names; raises `CheckError` with the spelling to use."""
    product, _, arrangement = text.partition(":")
    family = FAMILIES.get(product)
    if family is None:
        known = " or ".join(each.example for each in FAMILIES.values())
        raise CheckError(f"There is no compiler for {quoted(product)}.", f"Type --target {known}.")
    if not re.fullmatch(family.pattern, arrangement):
        raise CheckError(
            f"{text!r} names no arrangement of {product}.", f"Type --target {family.example}."
        )
    return Wanted(family, arrangement)


def _boards(count: int) -> tuple[int, int]:
    """Hosts and GPUs of each, eight to a board."""
    return (count // BOARD, BOARD) if count > BOARD else (1, count)


def _installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # a missing parent package
        return False
