"""One side of a comparison of compiled programs, from a record that ran or one that did not.

Both kinds of record hold the same compilations, read by the same code, so what a compiler
planned without a device can be set beside what it made on the day one is there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from kb.model.artefact import CANNOT, Artefact, Variant
from kb.model.evidence import Evidence
from kb.model.share import Fit, memory_verdict

Record = Artefact | Evidence

NOT_RECORDED = "not recorded"

HOLDS_NO_TIME = (
    "This is about what compilers made. It holds no time, no rate and no winner; what was "
    "measured stands in the record of the side that ran."
)


@dataclass(frozen=True, slots=True)
class Side:
    """What a record says of its compiled program."""

    id: str
    target: str
    devices: int
    """On which one call of the program runs."""
    versions: str
    jaxpr_sha256: str | None
    """None in a record that ran: it keeps the lowered program only."""
    stablehlo_sha256: str
    mesh: str
    refusal: str | None
    variants: tuple[Variant, ...]
    contraction: int | None
    """Contraction work that the traced program asks for; None where that was not counted."""
    requested: dict[str, int] | None
    """Collectives that the traced program asks for; None where they were not counted."""
    fit: Fit
    ran: bool


def side(record: Record) -> Side:
    """The record as a side; raises `ValueError` where one that ran holds no compilation."""
    return _compiled(record) if isinstance(record, Artefact) else _executed(record)


def says_not(left: Record, right: Record) -> str:
    """What a table of the two can't say."""
    both_compiled = isinstance(left, Artefact) and isinstance(right, Artefact)
    return CANNOT if both_compiled else HOLDS_NO_TIME


def _compiled(record: Artefact) -> Side:
    seen, target = record.refusal, record.target
    return Side(
        id=record.id,
        target=f"{target.product}, {target.devices} x {target.device_kind}",
        devices=target.devices,
        versions=_versions(record.versions),
        jaxpr_sha256=record.program.jaxpr_sha256,
        stablehlo_sha256=record.program.stablehlo_sha256,
        mesh=_mesh([(axis.name, axis.size) for axis in record.program.mesh]),
        refusal=None if seen is None else f"{seen.kind.replace('_', ' ')}: {seen.message}",
        variants=record.variants,
        contraction=record.program.flops.contraction,
        requested=record.program.requested_collectives,
        fit=memory_verdict(record),
        ran=False,
    )


def _executed(record: Evidence) -> Side:
    variant = record.compiled
    if variant is None:
        raise ValueError(f"{record.id} holds no compilation")
    axes = [] if record.mesh is None else [(axis.name, axis.size) for axis in record.mesh.axes]
    devices = math.prod(size for _, size in axes)
    used, made = record.device, record.environment
    versions = {"jax": made.jax, "jaxlib": made.jaxlib, "backend": made.backend_version}
    planned = f"{variant.plan.needed:,} bytes are planned on one device, and it ran there."
    return Side(
        id=record.id,
        target=f"{used.product}, {devices} x {used.kind}",
        devices=devices,
        versions=_versions(versions),
        jaxpr_sha256=None,
        stablehlo_sha256=record.workload.stablehlo_sha256,
        mesh=_mesh(axes),
        refusal=None,
        variants=(variant,),
        contraction=None,
        requested=None,
        fit=Fit("fits", planned),
        ran=True,
    )


def _versions(found: dict[str, str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(found.items()))


def _mesh(axes: list[tuple[str, int]]) -> str:
    return " x ".join(f"{name} {size}" for name, size in axes) or "one device"
