"""A capacity and the rate beside it: `32 GB of HBM at 1,638 GB/s` speaks of one memory.

The rate takes over what is said of the capacity. After `at` it can be of nothing else; after a
comma or `with` it may still be of a link, so there the memory is only the likelier reading.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.prose.context import Mention, Sentence
from kb.prose.numbers import Amount

REACH = 60
"""How far the rate may stand behind the capacity."""

_WORD = re.compile(r"\w+|[^\w\s]")
_AT = frozenset({"at", "@", "bei"})
_SIGNS = ", ( / · • + ; – — -"
_JOINERS = "with and mit und et con delivering offering"
_MEMORY = "memory vram ram speicher mémoire memoria capacity of de total gpu per each chip"
_LEADS = ") ~ up to about around some a bandwidth it that which reads runs running"
_BESIDE = frozenset((*_SIGNS.split(), *_JOINERS.split()))
_ALL = _AT | _BESIDE | {*_MEMORY.split(), *_LEADS.split()}
_OTHER = frozenset({"interface", "link", "memory", "aggregation"})
_HAS = re.compile(
    r"\b(?:offers?|has|have|carr(?:y|ies)|packs?|provides?|brings?|features?|sports?|boasts?|holds?|"
    r"comes? with|ships? with|with)\s(?:up to |only |just )?\Z",
    re.IGNORECASE,
)


def inherited(
    sentence: Sentence,
    targets: Sequence[Amount],
    index: int,
    own: Sequence[Mention],
    words: Sequence[Sequence[Mention]],
) -> Sequence[Mention]:
    """The words of a rate, and those of the capacity before it where `at` joins the two."""
    if not _follows(targets, index) or any(m.axis in _OTHER for m in own):
        return own
    before, amount = targets[index - 1], targets[index]
    if not _joined(sentence, before, amount) & _AT:
        return own
    told = [m for m in words[index - 1] if m.axis in ("interface", "memory", "scope")]
    if any(m.axis == "interface" and m.value != "hbm" for m in told):
        return own
    mine = {m.axis for m in own}
    return [*own, *(m for m in told if m.axis not in mine)]


def paired(
    sentence: Sentence, targets: Sequence[Amount], index: int, beside: Sequence[Sentence]
) -> frozenset[str]:
    """Whether a rate stands beside a capacity, in the sentence or in the cell before."""
    amount = targets[index]
    if amount.kind != "information_rate":
        return frozenset()
    if _follows(targets, index):
        joined = _joined(sentence, targets[index - 1], amount)
        return frozenset({"paired"}) if joined else frozenset()
    cell = any(a.kind == "information" for other in beside for a in other.amounts)
    return frozenset({"paired"}) if cell else frozenset()


def _joined(sentence: Sentence, left: Amount, right: Amount) -> frozenset[str]:
    """The words that join two numbers; empty where other words stand between them as well."""
    words = _WORD.findall(sentence.text[left.end : right.start].casefold())
    if any(word not in _ALL and not word.startswith(("hbm", "gddr")) for word in words):
        return frozenset()
    return frozenset(words) & (_AT | _BESIDE)


def _follows(targets: Sequence[Amount], index: int) -> bool:
    return (
        index > 0
        and targets[index].kind == "information_rate"
        and targets[index - 1].kind == "information"
        and targets[index].start - targets[index - 1].end < REACH
    )


_WITH_NAME = re.compile(
    r"(?:\sof\s(?:[\w-]+\s?){1,2})?,\s(?:(?:a|an|one|the|each|every|single)\s)*", re.IGNORECASE
)


def has_it(sentence: Sentence, amount: Amount) -> bool:
    """Whether a product is said to have it: `MI300X offers 192 GB`, `with 192 GB, one MI300X`."""
    start = max(sentence.start, amount.start - 30)
    named = _WITH_NAME.match(sentence.text, amount.end, sentence.end)
    if named and sentence.text[start : amount.start].strip().lower() == "with":
        near = (n.start - named.end() for n in sentence.names if not n.software)
        return any(0 <= gap < 4 for gap in near)
    verb = _HAS.search(sentence.text, start, amount.start)
    return verb is not None and any(
        0 <= verb.start() - name.end < 4 and not name.software for name in sentence.names
    )
