"""Writes what a compiler said as a record, with the compiled texts compressed beside it."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime
from pathlib import Path

from kb.finding import CheckError
from kb.measure.compile.outcome import Outcome
from kb.measure.run.record import UNSEALED, Numbered, first_free
from kb.model.artefact import Artefact, Capacity, Variant, sealed


def assemble(outcome: Outcome, command: str, capacity: Capacity | None) -> Artefact | None:
    """The record of an outcome, numbered 1; None where it says nothing about the program.

    A missing wheel or a crash is no evidence: it is shown and not kept.
    """
    if outcome.program is None or outcome.target is None:
        return None
    if outcome.refusal is not None and not outcome.refusal.kind.of_program:
        return None
    now = datetime.now(UTC)
    stem = f"{outcome.program.id}-{outcome.name.replace(':', '-')}-{now:%Y%m%d}"
    return Artefact(
        schema_version=1,
        id=f"{stem}-1",
        evidence_class="compiled_not_executed",
        created=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        command=command,
        program=outcome.program,
        target=outcome.target,
        versions=outcome.versions,
        capacity=capacity,
        variants=outcome.variants if outcome.refusal is None else (),
        refusal=outcome.refusal,
        content_hash=UNSEALED,
    )


def write(record: Artefact, texts: dict[str, str], folder: Path) -> tuple[Artefact, Path]:
    """Writes `record` and its texts under the first free number; nothing is overwritten.

    Returns the record as written and its path. Raises `CheckError` when the folder can't be
    written to.
    """

    def numbered(name: str) -> Numbered[Artefact]:
        variants = tuple(_filed(each, name) for each in record.variants)
        made = sealed(record.model_copy(update={"id": name, "variants": variants}))
        held = {each.hlo.file: texts[each.name] for each in variants}
        return Numbered(made, made.model_dump_json(indent=1) + "\n", held)

    return first_free(record.id.rpartition("-")[0], folder, numbered)


LARGEST_TEXT = 256_000_000
"""Bytes of compiled text that are read; a few kilobytes can unpack to gigabytes."""
REMEDY = "restore it from git, or compile again with `kb measure compile`"


def unpack(record: Artefact, variant: Variant, folder: Path) -> str | None:
    """The compiled text that lies beside a record; None where it is not there.

    Raises `CheckError` for a file that is damaged, or that unpacks to more than any program.
    """
    path = folder / variant.hlo.file
    if not path.is_file() or not record.id:
        return None
    try:
        with gzip.open(path) as packed:
            content = packed.read(LARGEST_TEXT + 1)
        text = content.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise CheckError(f"{path} can't be unpacked: {error}", REMEDY) from None
    if len(content) > LARGEST_TEXT:
        raise CheckError(f"{path} unpacks to more than {LARGEST_TEXT:,} bytes", REMEDY)
    return text


def _filed(variant: Variant, name: str) -> Variant:
    text = variant.hlo.model_copy(update={"file": f"{name}-{variant.name}.hlo.gz"})
    return variant.model_copy(update={"hlo": text})
