"""What a compiled record says in numbers: shares as brackets, and whether memory suffices.

Pure arithmetic on one record. A share lies between its smallest and its largest value over
the variants; nothing is averaged and no variant is preferred.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from kb.model.artefact import Artefact, Kernel, RefusalKind, Variant
from kb.qualifiers import Basis

Group = Literal["generated", "library", "hand_written"]

GROUPS: tuple[Group, ...] = ("generated", "library", "hand_written")
"""The coarse classes that both products share."""

NO_WORK = "none to share"
"""What stands for a share where there is no work of that kind."""


class Compiled(Protocol):
    """A record that holds compilations of one program, whether it ran or not."""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The compilations."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a compiled program fits one device."""

    word: Literal["fits", "does_not_fit", "undetermined"]
    why: str


def flops(kernel: Kernel) -> int:
    """Contraction work; nothing where it can't be seen."""
    return kernel.flops or 0


def touched(kernel: Kernel) -> int:
    """Bytes read and written."""
    return kernel.bytes


def shares(
    record: Compiled, group: Group, weight: Callable[[Kernel], int] = flops
) -> tuple[float, float]:
    """The smallest and the largest share of `group` over the variants."""
    found = [share(variant, group, weight) for variant in record.variants]
    return (min(found), max(found)) if found else (0.0, 0.0)


def share(variant: Variant, group: Group, weight: Callable[[Kernel], int] = flops) -> float:
    """The share of `group` in one variant, from 0 to 1; 0 where there is no such work."""
    total = sum(weight(each) for each in variant.kernels)
    part = sum(weight(each) for each in variant.kernels if each.kernel_class.group == group)
    return part / total if total else 0.0


def share_text(record: Compiled, group: Group, weight: Callable[[Kernel], int] = flops) -> str:
    """A share as a reader sees it: one figure or a range, or that there is no such work."""
    if not any(weight(each) for variant in record.variants for each in variant.kernels):
        return NO_WORK
    low, high = shares(record, group, weight)
    return f"{low:.1%}" if low == high else f"{low:.1%} to {high:.1%}"


def uncounted(record: Artefact) -> tuple[str, ...]:
    """Kernels whose work can't be seen, so that a share by FLOPs leaves them out."""
    names = (k.name for variant in record.variants for k in variant.kernels if k.flops is None)
    return tuple(dict.fromkeys(names))


def hand_written(record: Artefact) -> tuple[tuple[str, str, int], ...]:
    """Hand-written kernels: target, digest of the configuration, and call sites."""
    sites: dict[tuple[str, str], int] = {}
    for variant in record.variants[:1]:
        for each in variant.kernels:
            if each.kernel_class.group == "hand_written":
                key = (each.kind, each.config_sha256 or "")
                sites[key] = sites.get(key, 0) + 1
    return tuple((target, digest, count) for (target, digest), count in sorted(sites.items()))


def memory_verdict(record: Artefact) -> Fit:
    """The memory plan of the largest variant against what a program may use.

    The TPU compiler refuses by itself what does not fit; XLA for a GPU refuses nothing, so
    its plan is held against the claim and against the target's own description.
    """
    if record.refusal is not None and record.refusal.kind is not RefusalKind.OUT_OF_MEMORY:
        return Fit("undetermined", "The compiler rejects it, so there is no memory plan.")
    if record.refusal is not None:
        limit = record.refusal.limit_bytes
        told = f" Its limit is {limit:,} bytes." if limit else ""
        return Fit("does_not_fit", f"The compiler refuses it.{told}")
    needed = max((variant.plan.needed for variant in record.variants), default=0)
    limits: list[tuple[str, int, bool]] = []
    if record.target.memory_bytes:
        limits.append(("the compiler's figure", record.target.memory_bytes, True))
    if record.capacity:
        usable = record.capacity.basis in (Basis.USABLE, Basis.DEVICE_REPORTED)
        limits.append((record.capacity.claim, record.capacity.bytes, usable))
    if not limits:
        return Fit("undetermined", f"{needed:,} bytes are planned; no capacity is known.")
    name, smallest, _ = min(limits, key=lambda limit: limit[1])
    text = f"{needed:,} bytes are planned on one device, {name} is {smallest:,}."
    if needed > smallest:
        return Fit("does_not_fit", text)
    if any(usable for _, _, usable in limits):
        return Fit("fits", text)
    return Fit("undetermined", f"{text} An advertised capacity is not all usable.")
