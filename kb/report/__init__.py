"""Showing what a run found: one file a format, each from the same `Report`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import cast

from kb.finding import Severity
from kb.rules.result import Report

FORMATS = ("text", "json", "github")
"""Every format; `kb.report.<format>` holds its `render`."""

Render = Callable[[Report], str]


def renderer(name: str) -> Render:
    """The function that shows a report in the format `name`, one of `FORMATS`."""
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}")
    return cast("Render", importlib.import_module(f"kb.report.{name}").render)


def summary(report: Report) -> str:
    """One line: findings by severity, waivers, files and rules."""
    counts = [counted(report.count(severity), severity.value) for severity in Severity]
    found = ", ".join(count for count in counts if not count.startswith("0 ")) or "no findings"
    waived = f" ({len(report.waived)} waived)" if report.waived else ""
    return (
        f"{found}{waived} in {counted(len(report.files), 'file')}, "
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
    ]
    shown = [f"{number} {one if number == 1 else many}" for number, one, many in parts if number]
    return f"not judged: {', '.join(shown)}" if shown else ""


def counted(number: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
