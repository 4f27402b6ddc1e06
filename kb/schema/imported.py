"""The shape of what `kb import` prints as JSON."""

from __future__ import annotations

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from kb.schema.outputs import Version

_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class LeftOutRow(TypedDict):
    """One row or file that became no result."""

    reason: str
    where: str
    note: str


@with_config(_CLOSED)
class ImportOutput(TypedDict):
    """`kb import mlperf --json`: everything read is imported or left out."""

    schema_version: Version
    id: str
    wrote: str | None
    read: int
    imported: int
    flagged: dict[str, int]
    skipped: dict[str, int]
    left_out: list[LeftOutRow]
