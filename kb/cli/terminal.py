"""Whether standard output takes colours."""

from __future__ import annotations

import os
import sys


def coloured() -> bool:
    """Colours go to a terminal alone, and never where `NO_COLOR` is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
