"""What the prose checker has to say about one stretch of text, before it becomes an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["wrong", "open", "fine", "hint"]


@dataclass(frozen=True, slots=True)
class Remark:
    """One judgement: about which stretch, how it came out, and why."""

    level: Level
    rule: str
    start: int
    end: int
    axes: tuple[str, ...] = ()
    message: str = ""
    suggestion: str = ""
    remedy: str = ""
    """What to do about it, where it isn't what one does about every remark of this level."""


RULES = {
    "unit": "wrong-unit",
    "sparsity": "wrong-sparsity",
    "precision": "wrong-precision",
    "scope": "wrong-scope",
    "direction": "wrong-direction",
    "aggregation": "wrong-aggregation",
    "interface": "wrong-interface",
    "basis": "wrong-basis",
    "engine": "wrong-engine",
    "product_identity": "wrong-product",
    "timing_boundary": "timing-without-completion",
    "layer": "framework-as-hardware",
}
"""The name of the mistake on each axis."""


def wrong(
    start: int, end: int, axes: tuple[str, ...], message: str, suggestion: str = ""
) -> Remark:
    """Something that contradicts the catalogue, or itself."""
    rule = RULES.get(axes[0] if axes else "", "wrong-number")
    return Remark("wrong", rule, start, end, axes, message, suggestion)


def unclear(start: int, end: int, axes: tuple[str, ...], question: str, remedy: str = "") -> Remark:
    """Something that can't be judged until a question is answered."""
    return Remark("open", "ambiguous-number", start, end, axes, question, remedy=remedy)


def unknown(start: int, end: int, message: str) -> Remark:
    """A figure that the catalogue doesn't have and that no known mistake makes."""
    return Remark("open", "unknown-number", start, end, ("basis",), message)


def fine(start: int, end: int, message: str = "") -> Remark:
    """Something that was checked and holds."""
    return Remark("fine", "", start, end, (), message)


def cut_off(start: int, end: int, most: str) -> Remark:
    """A text that was not read to its end, and how much of one text is read at most."""
    message = f"of one text {most} are judged at most; what stands from here on is not judged"
    return Remark("open", CUT_OFF, start, end, (), message)


CUT_OFF = "text-too-long"
