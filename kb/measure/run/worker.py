"""What every measuring process does besides measuring: say how far it is, and say what failed."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import sys
from pathlib import Path

from kb.measure.run.failure import Failed

FAILED = 3
"""Exit code of a run whose error is in the result file."""
PARENT = "KB_MEASURING_PARENT"
"""The environment variable that tells a child which process it shall not outlive."""


def end_with_parent() -> None:
    """End this process when the one that `PARENT` names does, on Linux.

    Else a measurement would go on unseen, and load the machine for the next one. Called by a
    child right after its start.
    """
    parent = os.environ.pop(PARENT, None)
    if parent is not None and sys.platform == "linux":
        die_with_parent = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(die_with_parent, signal.SIGKILL)
        if os.getppid() != int(parent):  # it was gone before we asked
            os.kill(os.getpid(), signal.SIGKILL)


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
