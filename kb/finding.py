"""What is wrong, where, and what to type instead: the common currency of every check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from kb.source import Place

LONGEST = 80
"""Characters of a typed name that a message repeats."""


class Severity(Enum):
    """How much a finding matters to the exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the most severe, so that sorting puts errors first."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a finding, and what is to be seen there."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A value that is not what it was."""

    what: str
    """Id of what it belongs to."""
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One questionable thing in the content of a knowledge base.

    A finding is about the user's content. A check that could not happen is no
    finding: it raises `CheckError`.
    """

    rule: str
    """Slug of the rule that says it."""
    severity: Severity
    message: str
    """One sentence with the actual values inside."""
    place: Place
    remedy: str
    """What to type instead, as an imperative."""
    label: str = ""
    """The concrete reason, shown beside the excerpt."""
    related: tuple[Label, ...] = ()
    moved: Moved | None = None
    """The value that a record relied on, and what it is now."""
    replacement: str = ""
    """Text that can stand in place of the whole stretch; empty where none is certain."""


class CheckError(Exception):
    """The check did not happen: a missing folder, a bad option, a broken installation.

    `remedy` says what to do about it.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.remedy = remedy


def quoted(text: str) -> str:
    """A name that a person typed, for a message: escaped, and cut where it is very long."""
    return repr(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def with_extra(name: str) -> str:
    """The remedy where a library of an extra is missing.

    The package is on no index, so its name alone would install nothing.
    """
    return (
        f"pip install 'CHECKOUT[{name}]', where CHECKOUT is the folder or wheel of accelerator-kb"
    )
