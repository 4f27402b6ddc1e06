"""Showing what a run found: one file a format, each from the same `Report`."""

from __future__ import annotations

import importlib
import posixpath
from collections.abc import Callable
from typing import cast

from kb.files import INSTALLED
from kb.finding import Severity
from kb.rules.result import Report

FORMATS = ("text", "json", "github", "gitlab", "sarif", "junit", "markdown")
"""Every format; `kb.report.<format>` holds its `render`."""

WITHOUT_CLOSING = frozenset({"gitlab"})
"""Formats that have no place for how a report ends."""

Render = Callable[[Report], str]


def renderer(name: str) -> Render:
    """The function that shows a report in the format `name`, one of `FORMATS`."""
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}")
    return cast("Render", importlib.import_module(f"kb.report.{name}").render)


def closing(report: Report) -> tuple[str, ...]:
    """How every format ends: what was found, what was not judged, whether all of it ran."""
    lines = [summary(report), blind_line(report), skipped_line(report)]
    if not report.rules:
        lines.append("the check is not complete: no rule ran")
    elif report.crashes:
        lines.append("the check is not complete: a rule did not run to its end")
    return tuple(line for line in lines if line)


def summary(report: Report) -> str:
    """One line: findings by severity, waivers, baseline, files and rules."""
    counts = [counted(report.count(severity), severity.value) for severity in Severity]
    found = ", ".join(count for count in counts if not count.startswith("0 ")) or "no findings"
    hidden = [f"{len(report.waived)} waived"] if report.waived else []
    hidden += [f"{len(report.known)} in the baseline"] if report.known else []
    aside = f" ({', '.join(hidden)})" if hidden else ""
    return (
        f"{found}{aside} in {counted(len(report.files), 'file')}, "
        f"checked by {counted(report.rules, 'rule')}"
    )


def blind_line(report: Report) -> str:
    """One line: what the run could not judge; empty where there is nothing."""
    blind = report.blind
    parts = [
        (blind.claims_open, "claim with an open needed axis", "claims with an open needed axis"),
        (blind.comparisons_undetermined, "undetermined comparison", "undetermined comparisons"),
        (blind.comparisons_unjudged, "unjudged comparison", "unjudged comparisons"),
        (blind.records_unparsed, "file that became no record", "files that became no record"),
        (
            blind.figures_unjudged,
            "figure of a product that is not in the catalogue or not named",
            "figures of products that are not in the catalogue or not named",
        ),
    ]
    shown = [f"{number} {one if number == 1 else many}" for number, one, many in parts if number]
    return f"not judged: {', '.join(shown)}" if shown else ""


def skipped_line(report: Report) -> str:
    """One line: the project's own rules that were not run; empty where there are none."""
    if not report.skipped:
        return ""
    number = counted(len(report.skipped), "rule")
    return f"not run: {number} of the project itself, as asked: {', '.join(report.skipped)}"


def repository_path(report: Report, path: str) -> str:
    """A path of the report as the repository around the knowledge base has it.

    Services show a finding beside the changed line only where they know its file.
    """
    if not report.prefix or is_installed(path):
        return path
    return posixpath.normpath(report.prefix + path)


def is_installed(path: str) -> bool:
    """Whether the path is of what came with the installation, in no repository."""
    return path.startswith(INSTALLED)


def counted(number: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
