"""Numbers that nothing backs: quantities and ratios of a text that are no citation and no code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.prose.context import sentences
from kb.prose.names import NameTable, tokens_of
from kb.prose.numbers import (
    JUDGED,
    Amount,
    amounts,
    has_decimal_comma,
    has_free_digit,
    has_number,
)
from kb.prose.text import blanked, prose_of, uncited_of

BACKED = JUDGED | {"time", "ratio", "percent", "work", "energy", "token_rate", "open"}
"""Kinds of amounts that a decision must cite. Plain counts and dates are words like others."""

_FACTOR = re.compile(r"\b(?:factor|ratio)\s(?:of\s)?\Z")


def uncited(text: str, names: NameTable) -> Iterator[Amount]:
    """Every quantity and ratio of a Markdown text outside citations and code."""
    if not has_free_digit(uncited_of(text)) or not has_number(blanked(text)):
        return  # the usual case: every number is cited, so there is nothing to take apart
    prose = prose_of(text)
    for segment in prose.segments:
        for start, end in sentences(prose.plain, segment.start, segment.end):
            tokens = tokens_of(prose.plain, start, end)
            spans = [(n.start, n.end) for n in names.find(tokens, prose.plain)]
            comma = has_decimal_comma([token[0] for token in tokens])
            found = amounts(prose.plain, start, end, comma=comma, names=spans, tokens=tokens)
            for amount in found:
                ratio = amount.kind == "bare" and _FACTOR.search(
                    prose.plain, max(start, amount.start - 12), amount.start
                )
                if amount.kind in BACKED or ratio:
                    yield amount
