"""What a foreign record comes to, whatever dialect it is written in."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

Dialect = Literal[
    "madr3", "madr4", "typed", "nygard", "bullet", "bold", "rfc822", "kep", "log4brains"
]
Normal = Literal[
    "draft",
    "proposed",
    "accepted",
    "rejected",
    "withdrawn",
    "deferred",
    "deprecated",
    "superseded",
    "unknown",
]
LinkType = Literal["supersedes", "superseded_by", "amends", "amended_by", "see_also"]


@dataclass(frozen=True, slots=True)
class Item:
    """One field of a header, as written, with its line."""

    name: str
    """The name as written."""
    value: str
    line: int

    @property
    def key(self) -> str:
        """The name without case, with blanks, hyphens and underscores taken as equal."""
        return _key(self.name)


@lru_cache(maxsize=1024)
def _key(name: str) -> str:
    return "-".join(name.replace("_", " ").replace("-", " ").lower().split())


@dataclass(frozen=True, slots=True)
class Fault:
    """A header that can't be read as it is meant, with its line."""

    line: int
    message: str
    remedy: str


@dataclass(frozen=True)
class Header:
    """The header block of one file."""

    dialect: Dialect
    items: tuple[Item, ...]
    first_line: int
    """Where a field belongs that is missing."""
    title: str
    end_line: int
    """The last line of the header; prose begins below it."""
    faults: tuple[Fault, ...] = ()
    status: Item | None = None
    section: tuple[Item, ...] = ()
    """Lines of a Status or Links section that hold links, under the section's name."""

    def find(self, *keys: str) -> Item | None:
        """The first field with one of these names."""
        return next((self._first[key] for key in keys if key in self._first), None)

    @cached_property
    def _first(self) -> dict[str, Item]:
        return {item.key: item for item in reversed(self.items)}


@dataclass(frozen=True, slots=True)
class Status:
    """A status as written, and what it comes to."""

    as_written: str | None
    line: int | None
    normal: Normal
    guess: str | None = None
    """The word that was probably meant."""
    odd: str | None = None
    """Why the value itself is reported; None where it isn't."""
    placeholder: bool = False
    """Whether the vocabulary itself was left in."""


@dataclass(frozen=True, slots=True)
class DayRead:
    """A date as written, and the day that it is."""

    as_written: str | None
    line: int | None
    iso: datetime.date | None
    guess: datetime.date | None = None
    why: str | None = None
    """What is wrong with it; None where nothing is."""
    from_name: bool = False
    """Whether the day comes from the file's name."""


@dataclass(frozen=True, slots=True)
class Link:
    """One link to another record, by what it says and where."""

    type: LinkType
    target: str
    """Path inside the log where it leads to a record, else as written."""
    origin: str
    """`status`, the field's name, or `Status section`."""
    line: int
    found: bool | None
    """None for a target outside the log."""
    text: str = ""
    """The words of a Markdown link."""


@dataclass(frozen=True)
class Foreign:
    """One record of a log."""

    path: str
    """Relative to the folder of its log."""
    header: Header
    text: str
    """The whole file, without byte order mark and with plain line ends."""
    number: str | None
    slug: str
    status: Status
    date: DayRead
    updated: DayRead | None
    links: tuple[Link, ...] = ()
    marked: bool = False
    """Whether a byte order mark or CRLF line ends were there."""
    prose: str = ""
    """Prose that stands in a file of its own, as beside a kep.yaml."""

    @property
    def dialect(self) -> Dialect:
        """How it is written."""
        return self.header.dialect

    @property
    def title(self) -> str:
        """Its title, without a number."""
        return self.header.title
