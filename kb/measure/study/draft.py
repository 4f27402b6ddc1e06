"""What a study has found before it becomes a record, and how it becomes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING

from kb.measure.run import environment
from kb.measure.run.record import UNSEALED, Numbered, first_free, stem
from kb.model.identity import class_of
from kb.model.study import Check, Figure, Pair, Series, Study, StudyKind, sealed
from kb.qualifiers import Boundary

if TYPE_CHECKING:
    from pathlib import Path

    import jax

FORCED = (
    "Its devices are processors of one host that were made to look like several, so no time in "
    "it speaks of any machine: it shows that the program runs, what it communicates and that its "
    "result is right."
)


@dataclass(frozen=True, slots=True)
class Draft:
    """What was found."""

    kind: StudyKind
    name: str
    """The first part of the id."""
    subject: str
    cannot: str
    device: jax.Device
    devices: int = 1
    functional_only: bool = False
    controlled: Mapping[str, str] = field(default_factory=dict)
    series: Sequence[Series] = ()
    figures: Sequence[Figure] = ()
    checks: Sequence[Check] = ()
    pair: Pair | None = None


def timed(
    name: str,
    title: str,
    samples: Sequence[float],
    boundary: Boundary = Boundary.WARM_HOST,
    **facts: str | float,
) -> Series:
    """A series from its raw samples in seconds; none where only facts are known."""
    return Series(
        name=name,
        title=title,
        boundary=boundary,
        unit="s",
        samples=tuple(samples),
        median=median(samples) if samples else None,
        facts=dict(facts),
    )


def assemble(draft: Draft, command: str, now: datetime) -> Study:
    """The sealed study, numbered 1; `now` is in UTC."""
    device = environment.device(draft.device, draft.devices)
    says = f"{FORCED} {draft.cannot}" if draft.functional_only else draft.cannot
    return sealed(
        Study(
            schema_version=1,
            id=f"{stem(draft.name, device, now)}-1",
            evidence_class=class_of(device.product),
            study=draft.kind,
            created=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
            command=command,
            subject=draft.subject,
            device=device,
            environment=environment.environment(draft.device),
            functional_only=draft.functional_only,
            cannot=says,
            controlled=dict(draft.controlled),
            series=tuple(draft.series),
            figures=tuple(draft.figures),
            checks=tuple(draft.checks),
            pair=draft.pair,
            content_hash=UNSEALED,
        )
    )


def write(study: Study, folder: Path) -> tuple[Study, Path]:
    """Writes the study under the first free number; raises `Failed` when that can't be done."""

    def numbered(name: str) -> Numbered[Study]:
        made = sealed(study.model_copy(update={"id": name}))
        return Numbered(made, made.model_dump_json(indent=1) + "\n")

    return first_free(study.id.rpartition("-")[0], folder, numbered)
