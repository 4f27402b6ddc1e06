"""The words that are a number's own: those nearest to it that can be said of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.prose.context import Mention, Sentence
from kb.prose.hints import GROUPS, denominator
from kb.prose.numbers import Amount
from kb.prose.reach import nearest_format, per


def own_words(
    sentence: Sentence, words: Sequence[Mention], amount: Amount, lead: Sequence[Mention]
) -> Sequence[Mention]:
    """The words that are nearest to a number, without those that can't be said of it."""
    own = nearest_format(sentence, _of_each(sentence, words), amount)
    own = _together(sentence, per(sentence, own, amount))
    own = _of_counted(sentence, own, amount)
    if not any(m.axis == "aggregation" for m in own):
        own = [*own, *(m for m in lead if all(m.axis != o.axis for o in own))]
    return denominator(sentence, own)


def _of_each(sentence: Sentence, own: Sequence[Mention]) -> Sequence[Mention]:
    """Without the whole of which `each` names a part: `a rack of 72 GPUs with 186 GB each`."""
    parts = [m for m in own if m.axis == "each"]
    inner = [
        a.start
        for a in sentence.amounts
        if a.kind == "count" and a.label in ("device", "tensorcore", "die") and a.number > 1
    ]
    if parts and inner:  # `each chip shows up as two devices with 96 GiB each`
        return [m for m in own if m.axis != "scope" or m.start > inner[0]]
    groups = [m for m in own if m.axis == "scope" and m.value in GROUPS]
    several = any(a.kind == "count" and a.number > 1 for a in sentence.amounts)
    if not parts or not groups or not several:
        return own
    # `each board` is about the board, however many GPUs it has.
    named = {
        group
        for group in groups
        for part in parts
        if _DIRECTLY.fullmatch(sentence.text, part.end, max(part.end, group.start))
    }
    return own if named else [m for m in own if m not in groups and m.axis != "sold_as"]


def _together(sentence: Sentence, own: Sequence[Mention]) -> Sequence[Mention]:
    """Without `chips` in `its chips hold 256 GiB in all`: the number is of all of them."""
    if not any(m.axis == "aggregation" and m.value == "total" for m in own):
        return own
    text = sentence.text
    return [m for m in own if m.axis != "scope" or m.value in GROUPS or not _plural(text, m)]


def _plural(text: str, mention: Mention) -> bool:
    word = text[mention.start : mention.end].lower()
    return word in ("chips", "gpus", "cards", "accelerators")


_OF_ONE = re.compile(r"\s(?:of|at|à|von|zu(?: je)?)\s", re.IGNORECASE)


def _of_counted(sentence: Sentence, own: Sequence[Mention], amount: Amount) -> Sequence[Mention]:
    """`a board carries two GPUs of 186 GB`: the number is that of one of them."""
    for count in sentence.amounts:
        if count.kind != "count" or count.label != "accelerator" or count.number < 2:
            continue
        if _OF_ONE.fullmatch(sentence.text, count.end, max(count.end, amount.start)):
            one = Mention("scope", "gpu", count.start, count.end)
            return [one, *(m for m in own if m.axis not in ("scope", "sold_as"))]
    return own


_DIRECTLY = re.compile(r"\s(?:of the\s)?(?!(?:in|into|to|for|on|across)\s)(?:[\w-]+\s){0,2}")
