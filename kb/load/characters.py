"""Characters that no record may hold, raw or written as an escape.

Control characters drive a terminal or end a line for one reader only; marks that turn the
direction of writing show a reviewer another text than a program reads.
"""

from __future__ import annotations

import re

HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f"  # all control characters but tab and line feed
    r"\u2028\u2029"  # they end a line for YAML only: every place behind them would be wrong
    r"\u202a-\u202e\u2066-\u2069]"  # embeddings, overrides and isolates
)


def shown(character: str) -> str:
    """The character by its number: `U+202E`."""
    return f"U+{ord(character):04X}"
