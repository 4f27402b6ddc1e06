"""Reading the dates of foreign records: taken as text, then parsed, never guessed silently."""

from __future__ import annotations

import datetime
import re

from kb.records.dialects.record import DayRead, Item
from kb.records.dialects.status import cleaned

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{2,5})(?!\d)")
_WORDED = re.compile(r"([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})[-\s]([A-Za-z]{3,9})[-\s](\d{4})")
_PATTERN = re.compile(r"y{2,4}[-/]m{2}[-/]d{2}|\{.*\}", re.IGNORECASE)
_NAMED = re.compile(r"(\d{4})(\d{2})(\d{2})-")


def read_day(item: Item | None, name: str) -> DayRead:
    """The day that a field names; from a file's name where there is no field."""
    slug = named_day(name)
    if item is None:
        return DayRead(None, None, slug, from_name=slug is not None)
    written = cleaned(item.value)
    if not written:
        return DayRead("", item.line, None, why="the field is empty")
    if _PATTERN.search(written):
        return DayRead(written, item.line, None, why="the pattern was left in")
    day, guess, why = _parsed(written, slug)
    if day is not None and slug is not None and day != slug and why is None:
        why = f"the file's name says {slug}"
    return DayRead(written, item.line, day, guess, why)


def named_day(name: str) -> datetime.date | None:
    """The day that a file's name begins with, as `20260421-…`."""
    match = _NAMED.match(name)
    return _day(*map(int, match.groups())) if match else None


Parsed = tuple[datetime.date | None, datetime.date | None, str | None]


def _parsed(text: str, slug: datetime.date | None) -> Parsed:
    if match := _ISO.match(text):
        year, month, day = map(int, match.groups())
        padded = len(match[2]) == len(match[3]) == 2
        return _numbers(text, year, month, day, None if padded else "month and day have two digits")
    if match := _SLASHED.match(text):
        return _slashed(match, slug)
    for pattern, month_at, day_at in ((_WORDED, 1, 2), (_DAY_FIRST, 2, 1)):
        if match := pattern.match(text):
            named = _month(match[month_at])
            if named is not None:
                return _numbers(text, int(match[3]), named, int(match[day_at]), None)
    return None, None, f"{text!r} is not a date"


def _numbers(text: str, year: int, month: int, day: int, why: str | None) -> Parsed:
    found = _day(year, month, day)
    if found is not None:
        return found, None, why
    swapped = _day(year, day, month) if month > 12 else None
    if swapped is not None:
        return None, swapped, f"{text!r} has no month {month}; day and month look swapped"
    return None, None, f"{text!r} is a day that does not exist"


def _slashed(match: re.Match[str], slug: datetime.date | None) -> Parsed:
    """Month first, as the logs that write it so; the file's name settles what is unclear."""
    month, day = int(match[1]), int(match[2])
    if len(match[3]) != 4:
        guess = slug or _day(2000 + int(match[3]) % 100, month, day)
        return None, guess, f"the year of {match[0]!r} has {len(match[3])} digits"
    year = int(match[3])
    first = _day(year, month, day)
    other = _day(year, day, month)
    return (other if slug is not None and other == slug else first or other), None, None


def _month(word: str) -> int | None:
    short = word[:3].lower()
    return MONTHS.index(short) + 1 if short in MONTHS else None


def _day(year: int, month: int, day: int) -> datetime.date | None:
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
