"""Turns an observation into an evidence record, and writes records without overwriting.

A record is written whole or not at all, and two writers never share a name: the second
one takes the next number.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

from kb.measure.run import environment, framework, surroundings
from kb.measure.run.failure import Failed, FailureKind
from kb.measure.run.plan import Observation, Settings
from kb.measure.run.stages import cache_of
from kb.measure.workload import Workload
from kb.model.evidence import (
    OTHER,
    Device,
    Events,
    Evidence,
    Transfers,
    WorkloadRecord,
)
from kb.model.gates import sealed
from kb.model.identity import class_of
from kb.qualifiers import Boundary
from kb.writing import draft_of

T = TypeVar("T")

MOST_RECORDS_A_DAY = 9999
UNSEALED = "0" * 64
"""Stands in for the hash until the record has its name."""

TRANSFERS = Transfers(
    inputs_to_device="outside",
    outputs_to_host="outside",
    why="Inputs were placed and ready before, results stayed on the device; "
    "JAX's transfer guard was set to refuse implicit copies among the samples.",
)
"""How `plan.observe` treats copies, in every run."""


def assemble(seen: Observation, settings: Settings, command: str, now: datetime) -> Evidence:
    """The sealed record of one observation, numbered 1; `now` is in UTC."""
    device, workload = environment.device(seen.device), seen.workload
    record = Evidence(
        schema_version=1,
        id=f"{stem(workload.id, device, now)}-1",
        evidence_class=class_of(device.product),
        created=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=command,
        workload=_program(workload, seen.staged.stablehlo_sha256),
        dtypes=workload.dtypes(
            framework.setting("jax_default_matmul_precision") or "backend_default"
        ),
        mesh=None,
        device=device,
        environment=surroundings.complete(environment.environment(seen.device), seen),
        cache=cache_of(
            seen.staged.events,
            persistent_dir_set=bool(framework.setting("jax_compilation_cache_dir")),
            fresh_process=seen.fresh_process,
        ),
        autotune=environment.autotune(device.platform, os.environ.get("XLA_FLAGS", "")),
        events=_events(seen),
        stages=seen.stages,
        measurements=seen.measurements,
        guard=seen.guard,
        correctness=seen.correctness,
        transfers=TRANSFERS,
        memory=seen.memory,
        ceiling=settings.ceiling,
        gates=(),
        publishable=False,
        content_hash=UNSEALED,
        queue_sweep=seen.sweep,
        noise=seen.noise,
        unavailable=seen.unavailable,
        compiled=seen.variant,
    )
    return sealed(record)


def _events(seen: Observation) -> Events:
    counted = seen.staged.events
    return Events(
        traces=counted.of(Boundary.TRACE),
        lowerings=counted.of(Boundary.LOWER),
        compilations=counted.of(Boundary.COMPILE),
        compilations_during_samples=seen.compilations_during_samples,
        traces_during_samples=seen.traces_during_samples,
    )


def _program(workload: Workload, digest: str) -> WorkloadRecord:
    return WorkloadRecord(
        id=workload.id,
        function=f"{workload.function.__module__}.{workload.function.__qualname__}",
        stablehlo_sha256=digest,
        inputs=workload.inputs,
        seed=workload.seed,
        flops=workload.flops,
        bytes_touched=workload.bytes_touched,
    )


def stem(workload: str, device: Device, now: datetime) -> str:
    """An id without its number: workload, product or platform, and second.

    With the second in it, a record of one folder never takes the id of one in another.
    """
    where = device.platform if device.product == OTHER else device.product
    return f"{workload}-{where}-{now:%Y%m%d-%H%M%S}"


def write(record: Evidence, folder: Path, hlo: str = "") -> tuple[Evidence, Path]:
    """Writes `record` to `<folder>/<id>.json` under the first free number, and its `hlo`.

    Returns the record as written, whose id and hash carry that number, and its path.
    Raises `Failed` when the folder can't be written to.
    """
    packed = hlo if record.compiled is not None else ""

    def numbered(name: str) -> Numbered[Evidence]:
        made = record.model_copy(update={"id": name})
        if made.compiled is not None and packed:
            named = made.compiled.hlo.model_copy(update={"file": f"{name}.hlo.gz"})
            seen = made.compiled.model_copy(update={"hlo": named})
            made = made.model_copy(update={"compiled": seen})
        made = sealed(made)
        return Numbered(made, text(made), {f"{name}.hlo.gz": packed} if packed else {})

    return first_free(record.id.rpartition("-")[0], folder, numbered)


@dataclass(frozen=True, slots=True)
class Numbered(Generic[T]):
    """A record under an id of its own, with all that its files hold."""

    record: T
    content: str
    texts: Mapping[str, str] = field(default_factory=dict)
    """Compiled texts by the names of their files, which lie compressed beside the record."""


def first_free(base: str, folder: Path, numbered: Callable[[str], Numbered[T]]) -> tuple[T, Path]:
    """Publishes what `numbered` makes of the first id of `base` that is free in `folder`.

    Raises `Failed` when the folder can't be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, MOST_RECORDS_A_DAY + 1):
            path = folder / f"{base}-{number}.json"
            if not path.exists():
                made = numbered(path.stem)
                if _published(path, made):
                    return made.record, path
    except OSError as error:
        raise Failed(
            FailureKind.NOT_WRITTEN,
            f"The record can't be written to {folder}: {error.strerror}.",
            "Make room there, or give a folder that can be written to with --out.",
        ) from error
    raise Failed(
        FailureKind.NOT_WRITTEN,
        f"{folder} holds {MOST_RECORDS_A_DAY} records of {base}.",
        "Give another --out folder.",
    )


def _published(path: Path, made: Numbered[T]) -> bool:
    """Makes the record and its texts appear; False, and nothing of it left, on a taken name.

    The texts come first, so that no record ever names a text that is not there.
    """
    laid: list[Path] = []
    try:
        for name, content in made.texts.items():
            # Equal text gives equal bytes.
            if not publish(path.with_name(name), gzip.compress(content.encode(), 9, mtime=0)):
                return False
            laid.append(path.with_name(name))
        if publish(path, made.content.encode()):
            laid.clear()
            return True
        return False
    finally:
        for text_of_none in laid:
            text_of_none.unlink(missing_ok=True)


def text(record: Evidence) -> str:
    """The record as the text of its file: indented JSON with a line end."""
    return record.model_dump_json(indent=2, exclude_defaults=True) + "\n"


def publish(path: Path, content: bytes) -> bool:
    """Makes `path` appear with all of `content` at once; False when it exists already.

    The content is on disk before the name appears, and linking fails on a taken name where
    renaming would overwrite it.
    """
    part = draft_of(path)
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(part, path)
    except FileExistsError:
        return False
    finally:
        part.unlink(missing_ok=True)
    return True


def now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)
