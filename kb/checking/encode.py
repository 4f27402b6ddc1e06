"""Results as plain data and back, for a cache that can hold nothing but data.

Whatever is read is looked at: a value of the wrong type raises `ValueError`, so a cache that
somebody else wrote is at worst ignored.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from kb.finding import Finding, Label, Moved, Severity
from kb.rules.result import BlindSpots, Located, Mark, Report, RuleNote, Waived
from kb.source import Part, Place, Position, Route, Span

Plain = Any
"""What JSON can hold."""

T = TypeVar("T")


def text(value: Plain) -> str:
    """A text."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def whole(value: Plain) -> int:
    """A whole number."""
    if type(value) is not int:
        raise ValueError(f"{value!r} is no whole number")
    return value


def listed(value: Plain, read: Callable[[Plain], T]) -> tuple[T, ...]:
    """A list, with each item read."""
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    return tuple(map(read, value))


def texts(value: Plain) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list):
        raise ValueError(f"{value!r} is no list")
    "".join(value)  # raises `TypeError` for anything else, in a tenth of the time of `listed`
    return tuple(value)


def many(values: Iterable[T], write: Callable[[T], Plain]) -> list[Plain]:
    """A list, with each item written."""
    return [write(value) for value in values]


def span_out(span: Span) -> Plain:
    """A span as four numbers."""
    return [span.start.line, span.start.column, span.end.line, span.end.column]


def span_in(data: Plain) -> Span:
    """A span from four numbers."""
    first, start, last, end = listed(data, whole)
    return Span(Position(first, start), Position(last, end))


def place_out(place: Place) -> Plain:
    """A place."""
    span = None if place.span is None else span_out(place.span)
    return [place.path, list(place.route), place.part.value, span]


def place_in(data: Plain) -> Place:
    """A place."""
    path, route, part, span = data
    return Place(text(path), _route(route), Part(part), None if span is None else span_in(span))


def _route(data: Plain) -> Route:
    return listed(data, lambda step: step if isinstance(step, str) else whole(step))


def mark_out(mark: Mark) -> Plain:
    """A marked stretch."""
    return [mark.path, span_out(mark.span), mark.line, mark.text]


def mark_in(data: Plain) -> Mark:
    """A marked stretch."""
    path, span, line, said = data
    return Mark(text(path), span_in(span), text(line), text(said))


def located_out(item: Located) -> Plain:
    """A finding with its lines."""
    found = item.finding
    return [
        [
            found.rule,
            found.severity.value,
            found.message,
            place_out(found.place),
            found.remedy,
            found.label,
            [[place_out(label.place), label.text] for label in found.related],
            found.moved and [found.moved.what, found.moved.before, found.moved.after],
            found.replacement,
        ],
        mark_out(item.mark),
        many(item.related, mark_out),
        item.fingerprint,
    ]


def located_in(data: Plain) -> Located:
    """A finding with its lines."""
    finding, mark, related, fingerprint = data
    return Located(_finding(finding), mark_in(mark), listed(related, mark_in), text(fingerprint))


def _finding(data: Plain) -> Finding:
    rule, severity, message, place, remedy, label, related, moved, replacement = data
    return Finding(
        text(rule),
        Severity(severity),
        text(message),
        place_in(place),
        text(remedy),
        text(label),
        listed(related, lambda item: Label(place_in(item[0]), text(item[1]))),
        None if moved is None else Moved(*listed(moved, text)),
        text(replacement),
    )


def report_out(report: Report) -> Plain:
    """A report of a run without crashes."""
    blind = report.blind
    return {
        "findings": many(report.findings, located_out),
        "waived": [[located_out(item.located), item.reason] for item in report.waived],
        "blind": [
            blind.claims_open,
            blind.comparisons_undetermined,
            blind.comparisons_unjudged,
            blind.records_unparsed,
        ],
        "files": list(report.files),
        "rules": report.rules,
        "skipped": list(report.skipped),
        "notes": [
            [note.slug, note.severity.value, note.message, note.help, note.ran]
            for note in report.notes
        ],
    }


def report_in(data: Plain) -> Report:
    """A report."""
    return Report(
        findings=listed(data["findings"], located_in),
        waived=listed(data["waived"], lambda item: Waived(located_in(item[0]), text(item[1]))),
        blind=BlindSpots(*listed(data["blind"], whole)),
        files=listed(data["files"], text),
        rules=whole(data["rules"]),
        skipped=listed(data["skipped"], text),
        notes=listed(data["notes"], _note),
    )


def _note(data: Plain) -> RuleNote:
    slug, severity, message, told, ran = data
    return RuleNote(text(slug), Severity(severity), text(message), text(told), ran is True)


def day_out(day: datetime.date | None) -> Plain:
    """A day, or nothing."""
    return None if day is None else day.isoformat()


def day_in(data: Plain) -> datetime.date | None:
    """A day, or nothing."""
    return None if data is None else datetime.date.fromisoformat(text(data))
