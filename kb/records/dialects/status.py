"""Reading a foreign status: the word as written, what it comes to, and what is odd about it."""

from __future__ import annotations

import difflib
import re

from kb.records.dialects.record import Item, Normal, Status

WORDS: dict[str, Normal] = {
    "accepted": "accepted",
    "approved": "accepted",
    "implementable": "accepted",
    "implemented": "accepted",
    "active": "accepted",
    "final": "accepted",
    "provisional": "proposed",
    "proposed": "proposed",
    "in review": "proposed",
    "under review": "proposed",
    "ready for review": "proposed",
    "review": "proposed",
    "reviewed": "proposed",
    "draft": "draft",
    "rejected": "rejected",
    "withdrawn": "withdrawn",
    "deferred": "deferred",
    "on hold": "deferred",
    "superseded": "superseded",
    "superceded": "superseded",
    "replaced": "superseded",
    "retired": "deprecated",
    "removed": "deprecated",
    "moot": "deprecated",
    "deprecated": "deprecated",
    "amended-in-part": "accepted",
    "superseded-in-part": "accepted",
    "extended-in-part": "accepted",
}
"""Status words met in public logs, by what they come to."""

HOME_MADE = {
    "review": "a minority spelling of 'in review'",
    "ready for review": "a minority spelling of 'in review'",
    "reviewed": "neither open nor decided",
    "on hold": "outside the usual vocabulary; 'deferred' is the usual word",
    "retired": "outside the usual vocabulary; 'deprecated' or 'superseded by' is meant",
    "removed": "outside the usual vocabulary; 'deprecated' is the usual word",
    "moot": "outside the usual vocabulary; 'deprecated' is the usual word",
    "amended-in-part": "a partial change; the record itself is still accepted",
    "superseded-in-part": "a partial change; the record itself is still accepted",
    "extended-in-part": "a partial change; the record itself is still accepted",
}
"""Known words that are worth a warning, and why."""

_COMMENT = re.compile(r"<!--.*?-->")
_BREAK = re.compile(r"(?:\s*<br\s*/?>)+\s*$", re.IGNORECASE)
_TICKED = re.compile(r"\[[xX]\]\s*([A-Za-z][A-Za-z -]*)")


def cleaned(value: str) -> str:
    """A value without HTML comments, trailing line breaks, outer quotes and blanks."""
    bare = _BREAK.sub("", _COMMENT.sub("", value)).strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"":
        bare = bare[1:-1].strip()
    return bare


def read_status(item: Item | None) -> Status:
    """What a status field says; an unknown word is never taken for accepted."""
    written = cleaned(item.value) if item else ""
    if item is None or not written:
        return Status(None, None, "unknown")
    plain = written.strip("*_ ").split(" · ")[0].strip("*_ ")
    if "|" in plain or (plain.startswith("{") and plain.endswith("}")) or "[ ]" in plain:
        ticked = _TICKED.search(plain)
        guess = _known(ticked[1].strip()) if ticked else None
        why = "the whole vocabulary stands in the field"
        return Status(written, item.line, "unknown", guess, why, placeholder=True)
    word = next(
        (w for w in sorted(WORDS, key=len, reverse=True) if _begins(plain.lower(), w)), None
    )
    if word is None:
        guess = _known(re.split(r"[\s,;(]", plain)[0])
        return Status(written, item.line, "unknown", guess, f"{plain!r} is in no vocabulary")
    normal, odd = _judged(word, plain[len(word) :].strip(), plain)
    return Status(written, item.line, normal, None, odd)


def _judged(word: str, rest: str, plain: str) -> tuple[Normal, str | None]:
    by = re.match(r"(?:by|in)\b", rest, re.IGNORECASE)
    if word == "retired" and by:
        return "superseded", "the successor stands under another word than 'superseded by'"
    if word in HOME_MADE:
        return WORDS[word], HOME_MADE[word]
    if rest.startswith(";"):
        return WORDS[word], "two values stand in one field"
    if rest and not by and not rest.startswith(("[", ",")):
        return WORDS[word], f"a remark stands in the value: {plain!r}"
    return WORDS[word], None


def _begins(text: str, word: str) -> bool:
    return text.startswith(word) and not text[len(word) : len(word) + 1].isalnum()


def _known(word: str) -> str | None:
    """The known word that looks most like one."""
    near = difflib.get_close_matches(word.lower(), WORDS, n=1, cutoff=0.7)
    return near[0] if near else None
