"""The report for programs: one JSON object, with the version of its shape."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from kb.finding import Severity
from kb.report import closing
from kb.rules.result import Located, Mark, Report

SCHEMA_VERSION = 1


def render(report: Report) -> str:
    """The report as JSON text; ASCII only, so that no terminal or log can be tricked."""
    return json.dumps(data(report), indent=2) + "\n"


def data(report: Report) -> dict[str, Any]:
    """The report as plain data. Columns count characters from 1; `end` is exclusive.

    Paths are relative to the knowledge base; `path_prefix` leads there from the repository.
    """
    counts: dict[str, int] = {s.value: report.count(s) for s in Severity}
    return {
        "schema_version": SCHEMA_VERSION,
        "exit_code": report.exit_code,
        "path_prefix": report.prefix,
        "findings": [_finding(item) for item in report.findings],
        "waived": [{"reason": item.reason, **_finding(item.located)} for item in report.waived],
        "baseline": [_finding(item) for item in report.known],
        "crashes": [asdict(crash) for crash in report.crashes],
        "counts": {
            **counts,
            "waived": len(report.waived),
            "baseline": len(report.known),
            "files": len(report.files),
            "rules": report.rules,
        },
        "blind_spots": asdict(report.blind),
        "skipped_rules": list(report.skipped),
        "summary": list(closing(report)),
    }


def _finding(item: Located) -> dict[str, Any]:
    finding = item.finding
    return {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "fingerprint": item.fingerprint,
        **_place(item.mark),
        "message": finding.message,
        "label": finding.label,
        "remedy": finding.remedy,
        "suggestion": _suggestion(item),
        "moved": asdict(finding.moved) if finding.moved else None,
        "related": [{**_place(mark), "text": mark.text} for mark in item.related],
    }


def _suggestion(item: Located) -> dict[str, Any] | None:
    """What can stand in place of the marked stretch, where the right text is certain."""
    if not item.finding.replacement:
        return None
    span = item.mark.span
    return {
        "start": {"line": span.start.line, "column": span.start.column},
        "end": {"line": span.end.line, "column": span.end.column},
        "replacement": item.finding.replacement,
    }


def _place(mark: Mark) -> dict[str, Any]:
    start, end = mark.span.start, mark.span.end
    return {
        "path": mark.path,
        "line": start.line,
        "column": start.column,
        "end": {"line": end.line, "column": end.column},
    }
