"""What every measuring process does besides measuring: say how far it is, and say what failed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from kb.measure.run.failure import Failed

FAILED = 3
"""Exit code of a run whose error is in the result file."""


class Line:
    """One line of a terminal that is written over and over, and erased at the end."""

    def __init__(self, about: str) -> None:
        self.about = about

    def __call__(self, message: str) -> None:
        """Shows `message` instead of what stood there."""
        width = shutil.get_terminal_size().columns
        sys.stderr.write("\r\x1b[2K" + f"{self.about}: {message}"[: width - 1])
        sys.stderr.flush()

    def erase(self) -> None:
        """Leaves the terminal as it was."""
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


def quiet(_: str) -> None:
    """Progress that nobody watches."""


def fail(result: Path, error: Failed) -> int:
    """Writes what went wrong into `result` and gives the exit code."""
    said = {"kind": error.kind, "error": str(error), "remedy": error.remedy}
    result.write_text(json.dumps(said), encoding="utf-8")
    return FAILED
