"""`kb lint`: judges the numbers in any Markdown, reStructuredText or plain text."""

from __future__ import annotations

import argparse
import json
import os
import sys
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.cli.catalogue import open_corpus
from kb.cli.project import open_project
from kb.cli.readings import SUFFIXES, reading_data, tell
from kb.cli.terminal import show
from kb.corpus import Corpus
from kb.files import read_text
from kb.finding import CheckError, Finding, Severity, quoted
from kb.prose.answer import Answer, Language, answer
from kb.prose.cite import faults
from kb.prose.known import Known, known
from kb.prose.readings import readings
from kb.prose.remark import CUT_OFF, Remark
from kb.report import FORMATS
from kb.rules.result import BlindSpots, Located, Mark, Report
from kb.source import Part, Place, Position, Span, json_object

SEVERITIES = {"wrong": Severity.ERROR, "open": Severity.WARNING, "hint": Severity.NOTE}
CHECKS = 12
"""Kinds of mistakes that are looked for: one an axis, shown in the summary line."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "lint",
        help="judge the numbers in any Markdown",
        description="Finds quantities and ratios, resolves the product they speak of, and says "
        "where unit, scope, sparsity, direction, precision, basis or product don't fit the "
        "catalogue. Exit code 0: nothing wrong (open questions are warnings). 1: something is "
        "wrong. 2: nothing was read.",
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="FILE", help="files or folders")
    parser.add_argument("--stdin", action="store_true", help='JSON lines {"id", "text"}')
    parser.add_argument(
        "--readings",
        action="store_true",
        help="say how each number is read: product, qualifiers, confidence, deciding words",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def run(args: argparse.Namespace) -> int:
    """Judge files or lines; raises `CheckError` where there is nothing to read."""
    if args.stdin == bool(args.paths):
        raise CheckError("name files or folders, or --stdin", "kb lint docs/ README.md")
    corpus = open_corpus(
        args, kinds=("specs", "imports") if args.stdin else ("specs", "decisions", "evidence")
    )
    if args.stdin:
        return _stream(known(corpus.corpus), told=args.readings)
    root = open_project(args).root.resolve()
    if args.readings:
        return tell(list(_files(args.paths, root)), known(corpus.corpus), as_json=args.json)
    report = _report(args.paths, root, corpus.corpus)
    if not report.files:
        named = ", ".join(quoted(str(path)) for path in args.paths)
        raise CheckError(
            f"nothing was read: there is no .md, .rst or .txt file in {named}",
            "name such files, or a folder with some",
        )
    show(report, "json" if args.json else args.format)
    return report.exit_code


def _stream(catalogue: Known, *, told: bool) -> int:
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    failed = False
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        result = line_answer(line, number, catalogue, told=told)
        failed = failed or "error" in result or result["verdict"] == "invalid"
        # ASCII only, so that no text from a line can command a terminal.
        print(json.dumps(result, allow_nan=False), flush=True)
    return 1 if failed else 0


def line_answer(line: str, number: int, catalogue: Known, *, told: bool = False) -> dict[str, Any]:
    """The answer to one line; what can't be read gets an `error`, and the rest go on."""
    name: Any = None
    try:
        record = json_object(line)
        name = record.get("id")
        if not isinstance(record.get("text"), str):
            raise ValueError("'text' must be a text")
        if unknown := sorted(set(record) - {"id", "text"}):
            raise ValueError(f"unknown fields: {', '.join(unknown)}")
    except ValueError as error:
        return {"id": name, "line": number, "error": " ".join(str(error).split())}
    text = record["text"]
    data = {"id": name, "schema_version": 1} | answer_data(answer(text, catalogue))
    if told:
        data["readings"] = [reading_data(text, r) for r in readings(text, catalogue)]
    return data


def answer_data(found: Answer) -> dict[str, Any]:
    """An answer as plain data; offsets count characters from 0, `end` is exclusive."""
    return {"verdict": found.verdict, "findings": [_remark_data(r) for r in found.findings]}


def _remark_data(remark: Remark) -> dict[str, Any]:
    return {
        "rule": remark.rule,
        "severity": SEVERITIES[remark.level].value,
        "axis": remark.axes[0] if remark.axes else None,
        "axes": list(remark.axes),
        "message": remark.message,
        "start": remark.start,
        "end": remark.end,
        "suggestion": remark.suggestion or None,
    }


@dataclass(frozen=True)
class _File:
    """A text with what is needed to place findings in it."""

    name: str
    text: str
    starts: list[int]
    lines: list[str]

    def located(self, rule: str, severity: Severity, start: int, end: int, *words: str) -> Located:
        """A finding on a stretch; `words` are message, remedy, label and what can replace it."""
        span = Span(self._position(start), self._position(end))
        place = Place(self.name, (), Part.VALUE, span)
        line = self.lines[span.start.line - 1].rstrip("\r")
        message, remedy, label, right = words
        finding = Finding(rule, severity, message, place, remedy, label, replacement=right)
        return Located(finding, Mark(self.name, span, line))

    def _position(self, offset: int) -> Position:
        row = bisect_right(self.starts, offset) - 1
        return Position(row + 1, offset - self.starts[row] + 1)


def _report(paths: Collection[Path], root: Path, corpus: Corpus) -> Report:
    catalogue = known(corpus)
    findings: list[Located] = []
    files = []
    unjudged = 0
    for path, name in _files(paths, root):
        text, unread = read_text(path, name, path.resolve().parent)
        files.append(name)
        for finding in unread:
            span = finding.place.span or Span(Position(1, 1), Position(1, 1))
            findings.append(Located(finding, Mark(name, span, "")))
        if text is not None:
            language = SUFFIXES.get(path.suffix, "plain")
            found = answer(text, catalogue, language)
            findings += _judged(name, text, language, catalogue, found)
            unjudged += found.unjudged
    ordered = tuple(sorted(findings, key=lambda item: item.order))
    blind = BlindSpots(figures_unjudged=unjudged)
    return Report(findings=ordered, blind=blind, files=tuple(files), rules=CHECKS)


def _judged(
    name: str, text: str, language: Language, catalogue: Known, found: Answer
) -> Iterator[Located]:
    starts = [0]
    lines = text.split("\n")
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    file = _File(name, text, starts[:-1], lines)
    for remark in found.findings:
        if remark.suggestion:
            remedy = f"write {remark.suggestion}, or name what the figure is about"
        elif remark.rule == CUT_OFF:
            remedy = "split the text, and judge each part"
        elif remark.level == "open":
            remedy = remark.remedy or "say it beside the number, or name the source"
        else:
            remedy = "correct the number, or the words around it"
        label = ", ".join(remark.axes).replace("_", " ")
        severity = SEVERITIES[remark.level]
        words = remark.message, remedy, label, remark.suggestion
        yield file.located(remark.rule, severity, remark.start, remark.end, *words)
    if language == "markdown":
        for fault in faults(text, catalogue.corpus):
            yield file.located(
                fault.flaw,
                Severity.ERROR,
                fault.start,
                fault.end,
                fault.message,
                fault.remedy,
                "citation",
                fault.instead(text),
            )


def _files(paths: Collection[Path], root: Path) -> Iterator[tuple[Path, str]]:
    """Every file to read, with the name to show; folders are walked in order."""
    for path in paths:
        if path.is_symlink() and not path.exists():
            raise CheckError(
                f"{quoted(str(path))} is a link to itself or to what is not there",
                "correct the link",
            )
        if not path.exists():
            raise CheckError(f"there is no file or folder {quoted(str(path))}", "correct the path")
        if path.is_file():
            yield path, _shown(path, root)
            continue
        if not path.is_dir():
            raise CheckError(
                f"{quoted(str(path))} is neither a file nor a folder but a pipe, socket or device",
                "name a file, or send lines to kb lint --stdin",
            )
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if not f.startswith((".", "node_modules")))
            for name in sorted(names):
                if not name.startswith(".") and Path(name).suffix in SUFFIXES:
                    yield Path(folder, name), _shown(Path(folder, name), root)


def _shown(path: Path, root: Path) -> str:
    resolved = path.resolve()
    return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else str(path)
