"""Which number a word or a name belongs to: the nearest one, counted in letters and breaks.

A comma, a semicolon or `and` between them makes it farther; a number without a unit that the
word touches takes it away.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from kb.prose.context import Mention, Sentence
from kb.prose.names import Named
from kb.prose.numbers import JUDGED, Amount

_PRICES = {
    ";": 60,
    ".": 60,
    ",": 12,
    " and": 8,
    " und": 8,
    " but": 25,
    "(": 8,
    " times": 40,
    " | ": 40,
    " against": 20,
    " versus": 20,
    " vs": 20,
}
"""How much farther a word is for each break between it and the number."""
_PRICES_AFTER = _PRICES | {
    ";": 100,
    ":": 30,
    " while": 30,
    " whereas": 30,
    " against": 20,
    " than": 20,
    " versus": 30,
    " vs": 30,
    " compared": 30,
}
"""The same for a word behind the number: it may begin another statement."""
_MARKS = re.compile(
    r"[;(:]|[.,](?= )| \| "
    r"| (?:and|und|but|times|while|whereas|against|than|versus|vs|compared)(?=[ .])"
)
_FAR = 130


_PER = re.compile(r"\s?(?:per\s|/\s?)?", re.IGNORECASE)


def per(sentence: Sentence, own: Sequence[Mention], amount: Amount) -> Sequence[Mention]:
    """Behind `12 PFLOPS per chip` no other word says what the number is of."""
    start, text = amount.end, sentence.text
    for m in own:
        if m.axis == "scope" and m.start >= start and _PER.fullmatch(text, start, m.start):
            per = text[start : m.end].lower().lstrip()
            if per.startswith(("per", "/")):
                return [o for o in own if o.axis != "scope" or o is m]
    return own


def free(mentions: Sequence[Mention], sentence: Sentence) -> list[Mention]:
    """The words without those that stand at a number without a unit: `(450 each way)`."""
    bare = _bare(sentence)
    if not bare:
        return list(mentions)
    return [
        m
        for m in mentions
        if not any(
            (a.start - TOUCHING <= m.end < a.start and a.number >= FIGURE)
            or a.end < m.start <= a.end + TOUCHING
            for a in bare
        )
        or any(0 <= m.start - t.end <= TOUCHING for t in sentence.amounts if t.kind in JUDGED)
    ]


def _bare(sentence: Sentence) -> list[Amount]:
    bare = [a for a in sentence.amounts if a.kind == "bare" and a.number > 1]
    return [a for a in bare if not FIRST_YEAR <= a.number <= LAST_YEAR]


def own_number(sentence: Sentence) -> Sequence[Named]:
    """The names without those that lead a number without a unit: `A 393 TOPS, B 918`."""
    bare = {a.start for a in _bare(sentence) if a.number >= FIGURE}
    if not bare:
        return sentence.names
    return [n for n in sentence.names if bare.isdisjoint((n.end + 1, n.end + 2))]


FIGURE = 100
"""What a number without a unit must reach to be taken for a figure."""
FIRST_YEAR, LAST_YEAR = 1900, 2100
TOUCHING = 2
_TOGETHER = re.compile(r"\s?(?:/|,|\||&|-|and|or|und|oder)\s?|\s")


def nearest_format(sentence: Sentence, own: Sequence[Mention], amount: Amount) -> Sequence[Mention]:
    """Of two number formats in different places (`X in bf16 and half at int8`) the nearer one."""
    formats = sorted((m for m in own if m.axis == "precision"), key=lambda m: m.start)
    if len({m.value for m in formats}) < 2:
        return own
    groups = [[formats[0]]]
    for one, two in pairwise(formats):
        joined = _TOGETHER.fullmatch(sentence.text, one.end, two.start) is not None
        groups = [*groups[:-1], [*groups[-1], two]] if joined else [*groups, [two]]
    nearest = min(groups, key=lambda g: min(_cost(sentence.text, m, amount) for m in g))
    return [m for m in own if m.axis != "precision" or m in nearest]


def _cost(text: str, item: Mention | Named, amount: Amount) -> int:
    """How far a word is from a number, counted in characters and breaks between them."""
    if item.start >= amount.end:
        gap = text[amount.end : item.start]
        cost, prices = len(gap), _PRICES_AFTER
    else:
        gap = text[item.end : amount.start]
        cost, prices = len(gap) + 3, _PRICES
        if gap.startswith(", ") and isinstance(item, Mention):
            cost += ENDS  # it closes what stands before it: `80 PFLOPS together, 20 each`
    if len(gap) < 2 and gap not in _PRICES_AFTER:
        return cost
    return cost + sum([prices.get(mark, 0) for mark in _MARKS.findall(gap)])


T = TypeVar("T", Mention, Named)


def assigned(text: str, items: Sequence[T], targets: Sequence[Amount]) -> list[list[T]]:
    """Each word or name with the one number that it is nearest to."""
    given: list[list[T]] = [[] for _ in targets]
    for index, item in enumerate(items):
        after = next((i for i, t in enumerate(targets) if t.start >= item.start), len(targets))
        around = [i for i in (after - 1, after) if 0 <= i < len(targets)]
        limit = item.reach if index and not _owns(text, item, targets[after - 1]) else _FAR
        if text.startswith(" of", item.end) and getattr(item, "axis", "") == "each":
            around = [
                i for i in (after,) if i < len(targets)
            ] or around  # `each of its GPUs 180 GB`
        cost, best = min((_cost(text, item, targets[i]), i) for i in around)
        if cost < limit:
            given[best].append(item)
            for other in _sharing(targets, best) if item.start >= targets[best].end else ():
                given[other].append(item)
    return given


_OWNER = re.compile(r"[^.,;:()|]{1,120}\s(?:of|on|for|von|de|du)\s(?:(?:the|a|an|one|der|la)\s)?")


def _owns(text: str, item: Mention | Named, before: Amount) -> bool:
    """`900 GB/s bandwidth with both directions added of the H200`: however much it is told."""
    return (
        isinstance(item, Named)
        and before.end <= item.start
        and _OWNER.fullmatch(text, before.end, item.start) is not None
    )


ENDS = 10
"""How much farther a word is from a number behind the comma that follows the word."""


def _sharing(targets: Sequence[Amount], index: int) -> list[int]:
    """Numbers that share what stands behind this one, as in `80 and 40 TFLOPS per GPU`."""
    shared = []
    while index and targets[index - 1].inherited:
        index -= 1
        shared.append(index)
    return shared
