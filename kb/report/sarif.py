"""The report as SARIF 2.1.0, the format of code scanning services.

Every rule that ran is listed with its help. What a waiver or a baseline hides is listed
too, as suppressed, so that a service can tell a silenced finding from a repaired one.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote

from kb.finding import Severity
from kb.report import closing, is_installed, repository_path
from kb.rules.result import Located, Mark, Report, RuleNote

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
FINGERPRINT = "kbFinding/v1"
ROOT = "%SRCROOT%"

_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(report: Report) -> str:
    """The report as one SARIF log with one run; ASCII only."""
    return json.dumps(data(report), indent=2) + "\n"


def data(report: Report) -> dict[str, Any]:
    """The SARIF log as plain data."""
    found = {item.finding.rule for item in (*report.findings, *report.known)}
    found |= {item.located.finding.rule for item in report.waived}
    notes = [note for note in report.notes if note.ran or note.slug in found]
    index = {note.slug: number for number, note in enumerate(notes)}
    driver = {"name": "kb", "rules": [_rule(note) for note in notes], **_version()}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {ROOT: {"description": {"text": "Root of the repository."}}},
        "invocations": [_invocation(report)],
        "results": list(_results(report, index)),
        "properties": {"summary": list(closing(report)), "blindSpots": asdict(report.blind)},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _version() -> dict[str, str]:
    try:
        return {"version": version("accelerator-kb")}
    except PackageNotFoundError:
        return {}


def _rule(note: RuleNote) -> dict[str, Any]:
    return {
        "id": note.slug,
        "shortDescription": {"text": note.message},
        "help": {"text": note.help, "markdown": note.help},
        "defaultConfiguration": {"level": _LEVELS[note.severity]},
    }


def _invocation(report: Report) -> dict[str, Any]:
    """Whether the check was complete, what failed, and what was not judged."""
    notifications = [
        {
            "level": "error",
            "message": _message(f"rule failed: {c.rule}: {c.reason}; fix: {c.remedy}"),
        }
        for c in report.crashes
    ]
    notifications += [{"level": "note", "message": _message(line)} for line in closing(report)]
    return {
        "executionSuccessful": report.exit_code != 2,
        "exitCode": report.exit_code,
        "toolExecutionNotifications": notifications,
    }


def _results(report: Report, index: dict[str, int]) -> Iterator[dict[str, Any]]:
    for item in report.findings:
        yield _result(report, item, index)
    for waived in report.waived:
        silenced = {"kind": "inSource", "justification": waived.reason}
        yield {**_result(report, waived.located, index), "suppressions": [silenced]}
    for item in report.known:
        silenced = {"kind": "external", "justification": "listed in the baseline"}
        yield {**_result(report, item, index), "suppressions": [silenced]}


def _result(report: Report, item: Located, index: dict[str, int]) -> dict[str, Any]:
    finding = item.finding
    text = f"{finding.message}\nfix: {finding.remedy}" if finding.remedy else finding.message
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": _message(text),
        "locations": [_location(report, item.mark)],
        "partialFingerprints": {FINGERPRINT: item.fingerprint},
    }
    if finding.rule in index:
        result["ruleIndex"] = index[finding.rule]
    if finding.replacement and (place := _location(report, item.mark)):
        result["fixes"] = [_fix(place["physicalLocation"], finding.replacement)]
    if item.related:
        result["relatedLocations"] = [
            {"id": number, "message": _message(mark.text), **_location(report, mark)}
            for number, mark in enumerate(item.related, start=1)
        ]
    return result


def _fix(place: dict[str, Any], replacement: str) -> dict[str, Any]:
    """A change that a service can apply: the marked stretch, and the text in its place."""
    changed = {"deletedRegion": place["region"], "insertedContent": {"text": replacement}}
    return {
        "artifactChanges": [
            {"artifactLocation": place["artifactLocation"], "replacements": [changed]}
        ]
    }


def _message(text: str) -> dict[str, str]:
    """A message in which no value of a file becomes a link or a placeholder."""
    return {"text": _LINK.sub(r"\\[", text.replace("{", "{{").replace("}", "}}"))}


def _location(report: Report, mark: Mark) -> dict[str, Any]:
    if is_installed(mark.path):
        return {}  # in no repository, so no service could show it
    start, end = mark.span.start, mark.span.end
    # A file name may hold bytes that are no text; an address has a spelling for each byte.
    uri = quote(os.fsencode(repository_path(report, mark.path)))
    region = {"startLine": start.line, "startColumn": start.column}
    region |= {"endLine": end.line, "endColumn": end.column}
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": ROOT},
            "region": region,
        }
    }
