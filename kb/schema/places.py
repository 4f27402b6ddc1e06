"""The shapes of places in files, and of what can stand in place of a stretch."""

from __future__ import annotations

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

_CLOSED = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class PositionOutput(TypedDict):
    """A position in a file; counts from 1."""

    line: int
    column: int


class PlaceOutput(TypedDict):
    """A stretch of a file; lines and columns count from 1."""

    path: str
    line: int
    column: int
    end: PositionOutput


@with_config(_CLOSED)
class SuggestionOutput(TypedDict):
    """Text that can stand in place of a stretch, where the right one is certain."""

    start: PositionOutput
    end: PositionOutput
    replacement: str
