"""Clear syntax: whether a name or a word can belong to no other number of its sentence.

`X has 80 GB`, `X's 80 GB`, `80 GB for X`, `X (80 GB)` and a cell under its own heads are clear.
A name behind `than`, beyond another number or beside a word that speaks of something else is
only near; an error must not rest on that alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.prose.bind import Bound, Surroundings
from kb.prose.context import Mention, Sentence
from kb.prose.names import Named
from kb.prose.numbers import JUDGED, Amount
from kb.prose.subjects import (
    arrows,
    behind_each,
    bracketed,
    former_and_latter,
    in_turn,
    resumes,
    side_by_side,
)

_SHIFT = re.compile(
    r"[;—]|\s[–-]\s|\b(?:than|versus|vs|against|compared|relative|unlike|instead|rather|over|like|"
    r"as|while|whereas|but|both|theirs|others?|former|latter|next|previous|newer|older|latest|"
    r"successor|predecessor|generation|sibling|rival|competitor|here|there|from|"
    r"als|gegen|statt|gegenüber|während|que|contre|tandis|frente)\b",
    re.IGNORECASE,
)
"""What may turn from one product to another."""
_OBJECT = re.compile(
    r"\b(?:than|versus|vs\.?|against|compared (?:to|with)|relative to|unlike|over|beyond|beats?|"
    r"outruns?|matches|of|from|for|on|in|like|as|by|to|beside|besides|while|als|gegen|"
    r"gegenüber|where|von|wie|que|de|du|del|contre)\s(?:[\w'’-]+\s){0,2}\Z",
    re.IGNORECASE,
)
"""What stands before a name that something else is set against, or that ends a statement."""
_WORD = re.compile(r"[\w'’]+|[^\w\s]")
_MAY_FOLLOW = (
    "' ’ s 's ’s ( : with at has had offers holds and its only a up to just which that stops ends "
    "mit bei avec con gpu gpus card cards chip chips node board part memory bandwidth peak dense "
    "sparse hbm hbm3 hbm3e"
)
_OF_OBJECT = frozenset(_MAY_FOLLOW.split())
"""What may stand between such a name and its own number: `against the H100's 80 GB`."""
_BETWEEN = "( for on of in from at by per für bei auf pour para von beim de des du del della"
_PREPOSITIONS = frozenset(_BETWEEN.split())
_SMALL = (
    "the a an each one every single its der die das dem den le la les el nvidia amd google intel "
    "aws memory vram bandwidth dense sparse hbm hbm2e hbm3 hbm3e bf16 fp16 fp8 fp4 int8"
)
_BEHIND = _PREPOSITIONS | frozenset(_SMALL.split())
"""What may stand between a number and the name behind it that it is a number of."""
FAR = 90
"""How far a clear name may stand before its number, in letters."""
MOST_WORDS = 6
"""How many words may stand between a number and what is said of it."""


def hardware(sentence: Sentence) -> list[Named]:
    """The names of a sentence that are accelerators: no software, and no processor of a host."""
    return [n for n in sentence.names if not n.software and HOSTS.isdisjoint(n.words)]


HOSTS = frozenset({"grace", "xeon", "epyc"})
"""Processors that stand beside an accelerator; its figures are never theirs."""


def name_is_clear(bound: Bound, sentence: Sentence, around: Surroundings) -> bool:
    """Whether the name of a number is bound to it by clear syntax."""
    here = [n for n in bound.names if sentence.start <= n.start < sentence.end]
    if "alike" in bound.tags:
        return True
    if not here and around.before and resumes(sentence):
        return bound.names[:1] == tuple(hardware(around.before[0])[:1])
    if not here:
        named = {n.products for head in around.heads for n in hardware(head)}
        return bound.near and len(named) < 2 and not hardware(sentence)
    amount, name = bound.amount, here[0]
    judged = [a for a in sentence.amounts if a.kind in JUDGED]
    if len(here) > 1:
        return False
    if _in_rows(sentence, judged, amount):
        return True
    others = [n for n in hardware(sentence) if n.products != name.products]
    if any(_behind(sentence, amount, n) for n in others):
        return False
    if _behind(sentence, amount, name) or bracketed(sentence, amount) is name:
        return True
    return _before(sentence, amount, name, judged)


def _in_rows(sentence: Sentence, amounts: Sequence[Amount], amount: Amount) -> bool:
    """Whether names and numbers take turns, or stand in one order that the sentence names."""
    place = amounts.index(amount)
    if turns := in_turn(sentence.names, amounts):
        return _SHIFT.search(sentence.text, turns[place].end, amount.start) is None
    ordered = side_by_side(sentence, amounts).get(place, ())
    each = behind_each(sentence, amounts)
    mates = [a for a, n in zip(amounts, each, strict=False) if n is each[place]]
    return bool(
        (each and len({a.kind for a in mates}) == len(mates))
        or former_and_latter(sentence, amounts)
        or arrows(sentence, amounts)
        or len(ordered) == 1
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _behind(sentence: Sentence, amount: Amount, name: Named) -> bool:
    """`80 GB of memory on the X`, `80 GB (X)`."""
    if not 0 <= name.start - amount.end <= FAR:
        return False
    words = _words(sentence.text[amount.end : name.start])
    small = len(words) <= MOST_WORDS and _BEHIND.issuperset(words)
    return small and not _PREPOSITIONS.isdisjoint(words)


def _before(sentence: Sentence, amount: Amount, name: Named, judged: Sequence[Amount]) -> bool:
    """`X has 80 GB`, and the numbers of other kinds that go on behind it."""
    text = sentence.text
    gap = text[name.end : amount.start]
    if name.end > amount.start or len(gap) > FAR or _SHIFT.search(gap):
        return False
    if any(
        name.end <= n.start < amount.start and not _kind_of(n, name) for n in hardware(sentence)
    ):
        return False
    if _coordinated(sentence, name) or ("(" in gap and ")" not in gap):
        return False  # brackets around two figures of a kind set two products side by side
    if any(_behind(sentence, a, name) for a in judged if a.end <= name.start):
        return False  # the name closes what stands before it: `80 GB for X, and …`
    between = [a for a in judged if name.end <= a.start < amount.start]
    lead = text[max(sentence.start, name.start - 40) : name.start]
    if _OBJECT.search(lead):
        return not between and _OF_OBJECT.issuperset(_words(gap))
    if between and not _begins(sentence, name):
        return False  # a list may go on about the subject: `X has 141 GB, Y 80 GB, 4.8 TB/s …`
    return all(a.kind != amount.kind for a in between)


def _kind_of(family: Named, name: Named) -> bool:
    """`GB200 superchip … two Blackwell GPUs`: a family says what the named one is made of."""
    return family.family and set(name.products) <= set(family.products)


_BEGUN = re.compile(
    r"(?:[;:(|•\n]|\s[-–—])\s?(?:(?:the|an?|der|die|das|le|la)\s)?\Z", re.IGNORECASE
)


def _begins(sentence: Sentence, name: Named) -> bool:
    """Whether a statement begins with a name: the first one, or one behind a mark."""
    if all(other.start >= name.start for other in hardware(sentence)):
        return True
    return _BEGUN.search(sentence.text, max(sentence.start, name.start - 8), name.start) is not None


_JOINERS = "and or & , / und oder et y the a an"
_JOINED = frozenset(_JOINERS.split())


def _coordinated(sentence: Sentence, name: Named) -> bool:
    """Whether a name is the last of several: `X and Y are rivals: 80 GB …`."""
    before = [n for n in hardware(sentence) if n.end <= name.start]
    if not before:
        return False
    words = _words(sentence.text[before[-1].end : name.start][:FAR])
    return bool(words) and _JOINED.issuperset(words)


_BREAKS = ", ; and or but while und oder et y"
_APART = frozenset(_BREAKS.split())
_TIES = "( of in with without per for at on the each a its dense sparse peak total hbm hbm3 hbm3e"
_TIED = frozenset(_TIES.split())


def word_is_clear(mention: Mention, amount: Amount, sentence: Sentence) -> bool:
    """Whether a word stands at a number with nothing between that another could claim."""
    text = sentence.text
    if not sentence.start <= mention.start < sentence.end:
        return True  # a head holds for all of its cells
    if _leads(mention, sentence):
        return True
    if mention.start >= amount.end:
        return _TIED.issuperset(_words(text[amount.end : mention.start][:FAR]))
    if any(mention.end <= a.start < amount.start for a in sentence.amounts if a.kind in JUDGED):
        return False
    words = _words(text[mention.end : amount.start][:FAR])
    return len(words) <= MOST_WORDS and _APART.isdisjoint(words)


def _leads(mention: Mention, sentence: Sentence) -> bool:
    """`Dense BF16 per card: X 989 TFLOPS, Y 2,250 TFLOPS`: what stands before the only colon."""
    colon = sentence.text.find(": ", sentence.start, sentence.end)
    if colon < mention.end or ": " in sentence.text[colon + 1 : sentence.end]:
        return False
    return all(a.start > colon for a in sentence.amounts if a.kind in JUDGED)


_TO = frozenset({"to", "auf", "à", "a", "→"})


def changes(sentence: Sentence, amount: Amount) -> bool:
    """`int8 doubles the rate, 918 TFLOPs to 1,836`: what is said before may be of the second."""
    following = next((a for a in sentence.amounts if a.start >= amount.end), None)
    if following is None or following.kind != amount.kind:
        return False
    return sentence.text[amount.end : following.start].strip().lower() in _TO


_CLAUSE = re.compile(r"[,;]\s(?:so|but|which|while|whereas|because|hence|thus|therefore)\s|;\s")


def next_clause(sentence: Sentence, amount: Amount, mention: Mention) -> bool:
    """`32 PFLOPS, so one rack gives 45 times …`: the word begins something else."""
    return mention.start >= amount.end and bool(
        _CLAUSE.search(sentence.text, amount.end, mention.start)
    )
