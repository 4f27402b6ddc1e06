"""What a run of the fuzz and fault tests has tried, for the page of figures.

With KB_LEDGER in the environment each test adds a line to that file;
`tools/robustness` draws up the page from it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path


def note(kind: str, what: str, tried: int) -> None:
    """Remember how many inputs, or faults, of a kind were tried."""
    if path := os.environ.get("KB_LEDGER"):
        with Path(path).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"kind": kind, "what": what, "tried": tried}) + "\n")
