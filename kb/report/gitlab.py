"""The report as GitLab reads it: a list of code quality issues.

The format has no room for a summary, and an issue that nobody can solve is none: it goes
to the log of the job. A check that is not complete is an issue: a short list would look clean.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from kb.finding import Severity
from kb.report import closing, repository_path
from kb.report.text import safe
from kb.rules.result import Located, Report

_LEVELS = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render(report: Report) -> str:
    """One issue a finding, then one for each rule that failed, or for there being none."""
    return json.dumps(list(_issues(report)), indent=2) + "\n"


def _issues(report: Report) -> Iterator[dict[str, Any]]:
    for item in report.findings:
        path, line = repository_path(report, item.mark.path), item.mark.span.start.line
        yield _issue(
            item.finding.rule,
            _description(item),
            item.fingerprint,
            _LEVELS[item.finding.severity],
            (path, line),
        )
    # Whatever keeps rules from running is no fault of a content file.
    top = (repository_path(report, "pyproject.toml"), 1)
    for crash in report.crashes:
        text = f"rule failed: {crash.rule}: {crash.reason}; fix: {crash.remedy}"
        yield _issue("rule-failed", text, _hash(f"rule-failed {crash.rule}"), "blocker", top)
    if not report.rules:
        yield _issue("no-rule-ran", closing(report)[-1], _hash("no-rule-ran"), "blocker", top)


def _issue(
    check: str, text: str, fingerprint: str, severity: str, at: tuple[str, int]
) -> dict[str, Any]:
    path, line = at
    return {
        "description": safe(text),
        "check_name": safe(check),
        "fingerprint": fingerprint,
        "severity": severity,
        "location": {"path": safe(path), "lines": {"begin": line}},
    }


def _description(item: Located) -> str:
    remedy = item.finding.remedy
    return f"{item.finding.message}; fix: {remedy}" if remedy else item.finding.message


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
