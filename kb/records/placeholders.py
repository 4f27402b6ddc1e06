"""Texts that a draft begins with in place of an answer; none of them is one."""

from __future__ import annotations

import re

from kb.spans import without_code

PLACEHOLDERS = {
    "next_measurement": "name it before this becomes a hypothesis",
    "quality_target": "what the result must still be good for",
    "confirmation": "what would show a breach",
    "decision-makers": "nobody yet",
}
"""What `kb new decision` writes, by the field."""

_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s.*)?$", re.MULTILINE)


def answered(field: str, text: str | None) -> bool:
    """Whether a field holds more than what its draft began with."""
    plain = " ".join((text or "").split()).strip(" .…").casefold()
    return plain not in ("", PLACEHOLDERS[field])


def untouched(body: str) -> bool:
    """Whether a prose has headings and not a word below any of them."""
    if _HEADING.search(without_code(body)) is None:
        return False
    return not _HEADING.sub("", body).strip()
