"""How a report reaches the screen."""

from __future__ import annotations

import os
import sys

from kb.report import WITHOUT_CLOSING, closing, renderer
from kb.rules.result import Report


def coloured() -> bool:
    """Colours go to a terminal alone, and never where `NO_COLOR` is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def show(report: Report, name: str) -> None:
    """Print a report in the format `name`.

    How it ends (what was not judged, whether all of it ran) goes to standard error where the
    format has no place for it.
    """
    if name == "text":
        from kb.report.text import render

        sys.stdout.write(render(report, colour=coloured()))
        return
    sys.stdout.write(renderer(name)(report))
    if name in WITHOUT_CLOSING:
        print("\n".join(closing(report)), file=sys.stderr)
