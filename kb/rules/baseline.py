"""Baselines: findings that a knowledge base already had when it adopted the check.

A baseline hides exactly the findings that it lists, wherever their lines move, and may
only shrink: what it lists and no longer occurs is a finding of its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from kb.finding import Finding, Severity
from kb.load.nodes import compose
from kb.rules.result import Located, Mark, Report
from kb.source import Document, Place

VERSION = 1
_FIELDS = ("rule", "path", "fingerprint")


@dataclass(frozen=True, slots=True)
class Known:
    """One finding that a baseline lists."""

    rule: str
    path: str
    fingerprint: str
    message: str = ""
    """For people who review the file; nothing is compared with it."""


@dataclass(frozen=True)
class Baseline:
    """A baseline file, read."""

    document: Document
    entries: tuple[Known, ...]


def read_baseline(text: str, path: str) -> Baseline:
    """The baseline in `text`; raises `ValueError` with the reason where it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it is no valid JSON") from None
    if not isinstance(data, dict) or "kb_baseline" not in data:
        raise ValueError("it has no field 'kb_baseline', so another program wrote it")
    if data["kb_baseline"] != VERSION:
        raise ValueError(f"it has version {data['kb_baseline']!r}, and only {VERSION} is known")
    findings = data.get("findings")
    if not isinstance(findings, list):
        raise ValueError("its field 'findings' is no list")
    entries = tuple(_known(number, item) for number, item in enumerate(findings, start=1))
    composed = compose(text, path)
    return Baseline(Document(path, text, data, composed.values, composed.keys), entries)


def _known(number: int, item: object) -> Known:
    if not isinstance(item, dict) or not all(isinstance(item.get(f), str) for f in _FIELDS):
        raise ValueError(f"finding {number} lacks one of the texts {', '.join(_FIELDS)}")
    return Known(*(item[field] for field in _FIELDS))


def baseline_text(items: Iterable[Located]) -> str:
    """The content of a baseline file that lists these findings, one a line."""
    rows = sorted(
        (
            {
                "rule": item.finding.rule,
                "path": item.mark.path,
                "fingerprint": item.fingerprint,
                "message": item.finding.message,
            }
            for item in items
        ),
        key=lambda row: (row["path"], row["rule"], row["fingerprint"]),
    )
    lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
    body = f"[\n{lines}\n  ]" if rows else "[]"
    return f'{{\n  "kb_baseline": {VERSION},\n  "findings": {body}\n}}\n'


def hide_known(report: Report, baseline: Baseline, files: Collection[str]) -> Report:
    """The report without the findings that the baseline lists, and with its stale entries.

    `files` are the paths that the whole run read: an entry of one that the report leaves
    out is not stale, and neither is one of a rule that crashed.
    """
    listed = {(known.rule, known.fingerprint) for known in baseline.entries}
    hidden = [item for item in report.findings if (item.finding.rule, item.fingerprint) in listed]
    shown = [item for item in report.findings if item not in hidden]
    seen = {(item.finding.rule, item.fingerprint) for item in hidden}
    crashed = {crash.rule for crash in report.crashes}
    elsewhere = set(files) - set(report.files)
    for index, known in enumerate(baseline.entries):
        unseen = (known.rule, known.fingerprint) not in seen
        if unseen and known.rule not in crashed and known.path not in elsewhere:
            shown.append(_stale(baseline.document, index, known))
    return replace(report, findings=tuple(shown), known=tuple(hidden))


def additions(report: Report, baseline: Baseline) -> tuple[Located, ...]:
    """Findings of the report that the baseline does not list."""
    listed = {(known.rule, known.fingerprint) for known in baseline.entries}
    return tuple(i for i in report.findings if (i.finding.rule, i.fingerprint) not in listed)


def _stale(document: Document, index: int, known: Known) -> Located:
    place = Place(document.path, ("findings", index))
    span = document.locate(place)
    finding = Finding(
        "stale-baseline-entry",
        Severity.ERROR,
        f"{known.path} no longer has this finding of '{known.rule}'",
        place,
        "run the check again with --write-baseline, which takes the entry out",
        label="nothing to hide",
    )
    mark = Mark(document.path, span, document.line(span.start.line))
    return Located(finding, mark, fingerprint=f"stale:{known.rule}:{known.fingerprint}")
