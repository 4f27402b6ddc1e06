"""The report as GitHub annotations: one workflow command a finding.

A command is one line that begins with `::`. Text from files is escaped, so that a value
can neither end its command nor begin another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kb.finding import Severity
from kb.report import closing, repository_path
from kb.report.text import safe
from kb.rules.result import Located, Report

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report) -> str:
    """One annotation a finding or failed rule, then the summary for the log."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    # A step shows ten annotations of a kind and drops the rest, so the worst come first.
    for item in sorted(report.findings, key=lambda one: one.finding.severity.rank):
        yield _annotation(report, item)
    for crash in report.crashes:
        text = [f"{crash.rule}: {crash.reason}", f"fix: {crash.remedy}"]
        yield f"::error title={_property('rule failed')}::{_message(text)}"
    yield from closing(report)


def _annotation(report: Report, item: Located) -> str:
    finding, start = item.finding, item.mark.span.start
    text = [finding.message]
    for mark in item.related:
        path = repository_path(report, mark.path)
        text.append(f"{path}:{mark.span.start.line}: related: {mark.text}")
    text += [f"fix: {finding.remedy}"] if finding.remedy else []
    # Only the start: spans that end on a later line, or past the file, are shown badly.
    properties = {
        "file": repository_path(report, item.mark.path),
        "line": str(start.line),
        "col": str(start.column),
        "title": finding.rule,
    }
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {shown}::{_message(text)}"


def _message(lines: Iterable[str]) -> str:
    # Each line of ours is one line of the log, whatever a value holds.
    return "%0A".join(safe(line).replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return _message([text]).replace(":", "%3A").replace(",", "%2C")
