"""The file that an import writes, and choosing a part of what was read."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection

from kb.finding import CheckError
from kb.mlperf.take import Chosen, Taken
from kb.model.result import Import, PublishedResult, SkipReason, Tally, flag_counts, hash_of

FIELDS = (
    "benchmark",
    "scenario",
    "product",
    "submitter",
    "division",
    "suite",
    "availability",
    "entry",
    "version",
)
"""What `--only` chooses by."""


def selection(only: Collection[str]) -> Chosen:
    """Whether a result fits every `field=value`; several values of one field are alternatives.

    Raises `CheckError` for a field that results don't have.
    """
    wanted: dict[str, set[str]] = {}
    for item in only:
        name, mark, value = item.partition("=")
        if not mark or name not in FIELDS or not value:
            raise CheckError(
                f"--only {item!r} chooses by no field of a result",
                f"write FIELD=VALUE with one of {', '.join(FIELDS)}",
            )
        wanted.setdefault(name, set()).update(part.casefold() for part in value.split(","))
    return lambda result: all(_value(result, n).casefold() in v for n, v in wanted.items())


def _value(result: PublishedResult, name: str) -> str:
    return result.accelerators.product if name == "product" else str(getattr(result, name))


def imported(
    taken: Taken, name: str, source: str, command: str, now: datetime.datetime, retrieved: str
) -> Import:
    """The record of one import, sealed with its content hash."""
    skipped = Counter(item.reason for item in taken.skipped)
    if taken.not_selected:
        skipped[SkipReason.NOT_SELECTED] = taken.not_selected
    tally = Tally(
        read=taken.read,
        imported=len(taken.results),
        flagged=flag_counts(taken.results),
        skipped={reason.value: skipped[reason] for reason in SkipReason if skipped[reason]},
    )
    record = Import(
        schema_version=1,
        id=name,
        evidence_class="imported",
        created=now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        retrieved=retrieved,
        command=command,
        publisher="MLCommons",
        source=source or taken.name,
        source_sha256=taken.sha256,
        tally=tally,
        skipped=taken.skipped,
        results=taken.results,
        content_hash="0" * 64,
    )
    return record.model_copy(update={"content_hash": hash_of(record)})
