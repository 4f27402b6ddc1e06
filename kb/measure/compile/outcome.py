"""What comes back from a compiling process: a program, or a refusal with a remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.finding import with_extra
from kb.measure.run.environment import without_paths
from kb.model.artefact import Program, Refusal, RefusalKind, Target, Variant

PHASE = "phase"
"""File in which the compiling process notes what it is about, for the case that it dies."""

TRACING = "tracing"

_LIMIT = re.compile(r"exceeds available HBM \(([\d.]+)([KMGT])\)")
_SIZES = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer for one target."""

    name: str
    """The target as it was typed."""
    versions: dict[str, str] = field(default_factory=dict)
    program: Program | None = None
    target: Target | None = None
    variants: tuple[Variant, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    """Optimised HLO by the name of its variant."""
    refusal: Refusal | None = None


class Refused(Exception):  # noqa: N818 - a refusal is an answer, no error
    """A target's refusal on its way out of a deep call."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def refused(kind: RefusalKind, message: str, remedy: str) -> Refused:
    """A refusal to raise, its message cleaned of paths."""
    return Refused(Refusal(kind=kind, message=said(message), remedy=remedy))


def said(message: str) -> str:
    """The first lines of a compiler's message without paths, and not too long."""
    lines = [line.strip() for line in message.strip().splitlines()]
    kept = [line for line in lines if line and not line.startswith(("/", "Suspected", "<"))]
    text = " ".join(without_paths(line) for line in kept[:3]) or "no message"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def compiler_limit(message: str) -> int | None:
    """The memory limit that a compiler's refusal names, in bytes."""
    found = _LIMIT.search(message)
    return None if found is None else round(float(found[1]) * _SIZES[found[2]])


def compile_refusal(error: Exception) -> Refused:
    """A compiler's exception as a typed refusal."""
    text = str(error)
    if "RESOURCE_EXHAUSTED" in text:
        remedy = "Split the program over more devices, or make its temporaries smaller."
        refusal = refused(RefusalKind.OUT_OF_MEMORY, text, remedy).refusal
        return Refused(refusal.model_copy(update={"limit_bytes": compiler_limit(text)}))
    if "libdevice" in text or "ptxas" in text or "cuDNN not found" in text:
        return refused(RefusalKind.MISSING_WHEEL, text, with_extra("aot-cuda"))
    if "lockfile" in text:
        return busy(text)
    if "Custom emitter" in text or "No FFI handler" in text or "custom call" in text.lower():
        remedy = (
            "The call is hand-written for another device: write it for this one, or give the "
            "program a path of plain JAX operations."
        )
        return refused(RefusalKind.REJECTED, text, remedy)
    return refused(RefusalKind.REJECTED, text, "See whether the program compiles on a CPU.")


def busy(text: str) -> Refused:
    """The refusal of a compiler that another process holds."""
    remedy = "Wait until the other process has ended; libtpu allows one at a time."
    return refused(RefusalKind.COMPILER_BUSY, text, remedy)
