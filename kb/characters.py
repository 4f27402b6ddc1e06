"""Characters that no record may hold, raw or written as an escape.

Control characters drive a terminal or end a line for one reader only; marks that turn the
direction of writing show a reviewer another text than a program reads.
"""

from __future__ import annotations

import re
import unicodedata

from kb.finding import Finding, Severity
from kb.source import Part, Place, Span

_CONTROL = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # all control characters but tab and line feed
    r"\u2028\u2029"  # they end a line for YAML only: every place behind them would be wrong
)
CONTROL = re.compile(f"[{_CONTROL}]")
"""What no text file holds."""
HIDDEN = re.compile(rf"[{_CONTROL}\u202a-\u202e\u2066-\u2069]")
"""The same, and the embeddings, overrides and isolates that prose of others may need."""


def width(text: str) -> int:
    """Columns of a terminal that a text takes: two for a wide character, none for a mark.

    By the East Asian width of each character in the Unicode database (UAX 11).
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def padded(text: str, columns: int) -> str:
    """The text with blanks behind it, up to so many columns."""
    return text + " " * (columns - width(text))


def shown(character: str) -> str:
    """The character by its number: `U+202E`."""
    return f"U+{ord(character):04X}"


def hidden_character(character: str, path: str, span: Span) -> Finding:
    """The finding for a hidden character at `span`."""
    message = f"the text holds the character {shown(character)}"
    remedy = "remove it; nobody sees it, and a terminal or a reader may obey it"
    place = Place(path, (), Part.VALUE, span)
    return Finding("hidden-character", Severity.ERROR, message, place, remedy)
