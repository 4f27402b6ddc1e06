"""The report in Markdown, for the summary of a CI job: suspect decisions first, then findings.

Text from files is escaped to entities, so that a value is neither a link nor a mention.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kb.finding import Moved
from kb.report import closing, repository_path
from kb.report.text import safe
from kb.rules.result import Located, Report

MOST = 200
"""Findings that are listed; a summary of a job may have a megabyte at most."""
_ACTIVE = re.compile(r"[\\`*_\[\]#!|@~<>&$]|:(?=//)|(?<=www)\.")


def render(report: Report) -> str:
    """The whole report as Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield "## kb check"
    yield ""
    yield from (f"{_plain(line)}  " for line in closing(report))
    moved = [(item, item.finding.moved) for item in report.findings if item.finding.moved]
    if moved:
        yield from _table(
            "Decisions that rest on a value that moved",
            ("decision", "value", "before", "now", "what to do"),
            (_moved(report, item, value) for item, value in moved),
        )
    others = [item for item in report.findings if item.finding.moved is None]
    others.sort(key=lambda item: item.finding.severity.rank)
    if others:
        yield from _table(
            "Findings",
            ("where", "rule", "what", "fix"),
            (_finding(report, item) for item in others[:MOST]),
        )
    if len(others) > MOST:
        yield f"\n{len(others) - MOST} more are not listed; run `kb check`."
    if report.crashes:
        yield from _table(
            "Rules that failed",
            ("rule", "why", "fix"),
            ((crash.rule, crash.reason, crash.remedy) for crash in report.crashes),
        )


def _table(title: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield from ("", f"### {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}")
    for row in rows:
        yield f"| {' | '.join(map(_plain, row))} |"


def _moved(report: Report, item: Located, moved: Moved) -> tuple[str, ...]:
    return _where(report, item), moved.what, moved.before, moved.after, item.finding.remedy


def _finding(report: Report, item: Located) -> tuple[str, ...]:
    finding = item.finding
    rule = f"{finding.severity.value}: {finding.rule}"
    return _where(report, item), rule, finding.message, finding.remedy


def _where(report: Report, item: Located) -> str:
    return f"{repository_path(report, item.mark.path)}:{item.mark.span.start.line}"


def _plain(text: str) -> str:
    return _ACTIVE.sub(lambda match: f"&#{ord(match[0])};", safe(text))
