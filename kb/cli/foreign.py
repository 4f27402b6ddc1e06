"""`kb check --decisions DIR`: judging foreign decision records, in every format of a report."""

from __future__ import annotations

from pathlib import Path

from kb.files import read_text
from kb.finding import CheckError, Finding, Severity
from kb.home import Project
from kb.records.dialects import judge_log, read_logs
from kb.records.dialects.judge import KINDS
from kb.rules.fingerprint import fingerprinted
from kb.rules.result import Located, Mark, Report, RuleNote
from kb.source import START, Place


def foreign_report(folder: Path) -> Report:
    """What is wrong with the decision records below a folder, whatever their dialect.

    Raises `CheckError` where the folder is missing or holds no record. Files that are no
    record are not counted among those that were read.
    """
    logs = read_logs(folder)
    files = [f"{log.folder}/{r.path}".lstrip("/") for log in logs for r in log.records]
    unread = {finding.place.path for log in logs for finding in log.unread}
    if not files and not unread:
        skipped = sum(len(log.skipped) for log in logs)
        raise CheckError(
            f"nothing was checked: {str(folder)!r} holds no decision record "
            f"({skipped} Markdown files were looked at)",
            "name the folder of the records",
        )
    texts = {name: _lines(folder, name) for name in files}
    found = [_located(finding, texts, folder) for log in logs for finding in judge_log(log)]
    return Report(
        findings=fingerprinted(sorted(found, key=lambda item: item.order)),
        files=tuple(sorted({*files, *unread})),
        rules=len(KINDS),
        notes=tuple(
            RuleNote(slug, Severity.ERROR, text, text, ran=False) for slug, text in KINDS.items()
        ),
        prefix="" if folder == Path() else f"{folder.as_posix()}/",
    )


def skipped_files(folder: Path) -> tuple[str, ...]:
    """Files below a folder that are no decision record: templates, indexes, other pages."""
    return tuple(
        f"{log.folder}/{name}".lstrip("/") for log in read_logs(folder) for name in log.skipped
    )


def _located(finding: Finding, texts: dict[str, list[str]], folder: Path) -> Located:
    related = tuple(_mark(label.place, texts, folder, label.text) for label in finding.related)
    return Located(finding, _mark(finding.place, texts, folder, finding.label), related)


def _mark(place: Place, texts: dict[str, list[str]], folder: Path, text: str) -> Mark:
    span = place.span or START
    lines = texts.get(place.path) or _lines(folder, place.path)
    line = lines[span.start.line - 1] if span.start.line <= len(lines) else ""
    return Mark(place.path, span, line, text)


def _lines(folder: Path, name: str) -> list[str]:
    text, _ = read_text(folder / name, name, Project(folder).root)
    return (text or "").split("\n")
