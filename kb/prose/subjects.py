"""Which product name a number is about: subjects, objects of a comparison, names in turn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

from kb.prose.context import Mention, Sentence
from kb.prose.names import Named
from kb.prose.numbers import JUDGED, Amount


class Stretch(Protocol):
    """A part of a text."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends."""


_COMPARED = re.compile(
    r"\b(?:twice|double|doubles|half|times|than"
    r"|over(?!\s(?:the\s|its\s)?(?:ICI|NVLink|PCIe|NVSwitch|network|fabric|Infinity|Ethernet|link))"
    r"|versus|vs|against|compared|relative|"
    r"doppelt|gegen|up from|down from|contre|frente)\b|[x×%]",
    re.IGNORECASE,
)


_THAN = re.compile(
    r"\b(?:than|over|versus|vs\.?|against|compared (?:to|with)|relative to|als)\s"
    r"(?:[\w'’-]+\s){0,3}\Z|\b(?:of|as|von)\s(?:(?:the|a|an|its|der|die|das|NVIDIA|AMD)\s)*\Z",
    re.IGNORECASE,
)


def compared(text: str, left: Stretch, right: Stretch) -> bool:
    """Whether a word of comparison stands between two parts of a sentence."""
    return _COMPARED.search(text, left.end, right.start) is not None


def in_turn(names: Sequence[Named], amounts: Sequence[Stretch]) -> list[Named]:
    """The name of each number where name and number take turns: `A 80 GB, B: 180 GB`."""
    if len(names) != len(amounts) or len(names) < 2:
        return []
    ordered = all(name.end <= amount.start for name, amount in zip(names, amounts, strict=True))
    closed = all(amount.end <= name.start for amount, name in zip(amounts, names[1:], strict=False))
    software = any(name.software for name in names)
    return list(names) if ordered and closed and not software else []


_NEXT = re.compile(r"(?:'s|’s|s)?\s?,\s(?:(?:and|plus|while|but|und|with|at)\s|\Z)")
"""What begins a statement that is again about the subject: `six times that of A, and 7 TB/s`."""


def is_object(sentence: Sentence, name: Named, amounts: Sequence[Stretch]) -> bool:
    """Whether a name is what something is compared with: `A has 800 GB/s, twice that of B`."""
    before = [a for a in amounts if a.end <= name.start]
    behind = [a for a in amounts if a.start >= name.end]
    if not before or name.software:
        return False
    if behind and _NEXT.match(sentence.text, name.end, behind[0].start) is None:
        return False
    if not compared(sentence.text, before[-1], name):
        return False
    subject = any(n.end <= before[0].start and not n.software for n in sentence.names)
    lead = sentence.text[max(sentence.start, name.start - 50) : name.start]
    return subject or _THAN.search(lead) is not None


def own_names(text: str, names: Sequence[Named], amount: Stretch) -> tuple[Named, ...]:
    """The names of a number; a nearest one that the catalogue doesn't hold stands alone."""
    if len(names) < 2 or all(name.products or name.software for name in names):
        return tuple(names)

    def distance(name: Named) -> int:
        gap = (amount.end, name.start) if name.start >= amount.end else (name.end, amount.start)
        words = text[slice(*gap)]
        return len(words) + 30 * sum(
            words.count(mark) for mark in (";", ":", " against ", " than ")
        )

    nearest = min(names, key=distance)
    return tuple(names) if nearest.products or nearest.software else (nearest,)


def behind_list(sentence: Sentence, targets: Sequence[Amount]) -> set[Named]:
    """Names that first come behind a list of numbers and a colon: `80 GB, 141 GB: the B …`."""
    hardware = [n for n in sentence.names if not n.software]
    if len(targets) < 2 or not hardware or hardware[0].start < targets[-1].end:
        return set()
    listed = len({t.kind for t in targets}) == 1
    colon = ": " in sentence.text[targets[-1].end : hardware[0].start]
    return set(hardware) if listed and colon else set()


def aside(sentence: Sentence, name: Named) -> bool:
    """A name inside a longer remark in brackets, as in `(same compute as H100)`."""
    start = sentence.text.rfind("(", sentence.start, name.start)
    end = sentence.text.find(")", name.end, sentence.end)
    if start < 0 or end < 0 or ")" in sentence.text[start : name.start]:
        return False
    words = sentence.text[start + 1 : name.start].split()
    first = all(other.start >= name.start for other in sentence.names)
    return (
        len(words) > 1
        and not first
        and not any(start < a.start < end for a in sentence.amounts if a.kind in JUDGED)
    )


_NAMED = re.compile(r"(?:s|'s|’s)?\s?(?:GPUs?|cards?|chips?|nodes?|boards?)?\s?\Z")


def bracketed(sentence: Sentence, amount: Stretch) -> Named | None:
    """The name before the brackets around a number, or in those behind it: `H200s (141 GB)`."""
    text = sentence.text
    for name in sentence.names:
        opened = 0 < name.start - amount.end < 3 and text[name.start - 1] == "("
        if opened and text.startswith(")", name.end) and not name.software:
            return name  # `from 141 GB (H200) to 180 GB (B200)`
    start = text.rfind("(", max(sentence.start, amount.start - BRACKETS), amount.start)
    if start < 0 or ")" in text[start : amount.start]:
        return None
    if any(start < name.start < amount.start and not name.software for name in sentence.names):
        return None
    end = sentence.text.find(")", amount.end, sentence.end)
    inside = [a.kind for a in sentence.amounts if start < a.start < end and a.kind in JUDGED]
    if len(set(inside)) < len(inside):
        return None  # `twice that of B (180 GB against 80 GB)` sets two products side by side
    before = [n for n in sentence.names if n.end <= start and not n.software]
    if not before or not _NAMED.fullmatch(text, before[-1].end, start):
        return None
    return before[-1]


BRACKETS = 120
"""How long a remark in brackets may be."""


def led(
    sentence: Sentence, mentions: Sequence[Mention], amounts: Sequence[Stretch]
) -> list[Mention]:
    """What is said ahead of a list holds for all of it: `Dense BF16: A 989, B 2,250 TFLOPS`."""
    if not in_turn(sentence.names, amounts):
        return _ahead(sentence, mentions, amounts)
    first = sentence.names[0].start
    colon = sentence.text.rfind(":", sentence.start, first)
    if colon < 0 or first - colon > 4:
        return []
    return [m for m in mentions if m.end <= colon]


def _ahead(
    sentence: Sentence, mentions: Sequence[Mention], amounts: Sequence[Stretch]
) -> list[Mention]:
    """`A, per chip: 32 GB, 918 TFLOPS`: the part that the colon follows is that of all of them."""
    colon = sentence.text.find(":", sentence.start, amounts[0].start)
    if colon < 0 or len(amounts) < 2 or any(n.start > colon for n in sentence.names):
        return []
    if sentence.text.find(":", colon + 1, amounts[-1].end) > 0:
        return []
    return [m for m in mentions if m.axis == "scope" and 0 <= colon - m.end < 2]


_JOINT = re.compile(
    r"(?:[\s,/|]|\bvs\b\.?|→|->"
    r"|\b(?:versus|against|instead of|rather than|and|or|to|und|oder|gegen|statt|bzw)\b)+",
    re.IGNORECASE,
)
_IN_ORDER = re.compile(r"\b(?:respectively|in that order|beziehungsweise|jeweils)\b", re.IGNORECASE)


_FORMER = re.compile(r"\b(?:the former|the latter)\b", re.IGNORECASE)


def former_and_latter(
    sentence: Sentence, amounts: Sequence[Stretch]
) -> dict[int, tuple[Named, ...]]:
    """`A and B differ: 186 GB in the former, 180 GB in the latter`."""
    if sentence.vocabulary.isdisjoint(("former", "latter")):
        return {}
    marks = list(_FORMER.finditer(sentence.text, sentence.start, sentence.end))
    before = [n for n in sentence.names if n.end <= amounts[0].start and not n.software]
    if len(marks) != 2 or len(before) != 2:
        return {}
    behind = amounts[-1].end <= marks[-1].start()
    found: dict[int, tuple[Named, ...]] = {}
    for index, amount in enumerate(amounts):
        if behind:
            mark = next((m for m in marks if m.start() >= amount.end), None)
        else:
            mark = next((m for m in reversed(marks) if m.end() <= amount.start), None)
        if mark is not None:
            found[index] = (before["latter" in mark[0].lower()],)
    return found


_IT_IS = re.compile(r"\sit(?:'s|’s|\s(?:is|has|was))\b", re.IGNORECASE)


def pronoun(sentence: Sentence, amount: Stretch) -> tuple[Named, ...]:
    """`A has twice the memory of B; at 5.3 TB/s it's faster`: the number is of the subject."""
    before = [n for n in sentence.names if n.end <= amount.start and not n.software]
    if len({n.products for n in before}) < 2:
        return ()
    if _IT_IS.match(sentence.text, amount.end, sentence.end):
        return (before[0],)
    return _resumed(sentence, before, amount)


_IT = re.compile(r"(?:It|Its|Es|Er|Sie|Il|Elle)\s")


def resumes(sentence: Sentence) -> bool:
    """Whether a sentence goes on about the subject of the one before: `It has …`."""
    return _IT.match(sentence.text, sentence.start) is not None


_OF = re.compile(r"\s(?:of|de|del|des|du|der|von)\s(?:(?:the|an?|la|el|le|los)\s)?", re.IGNORECASE)
_GO_ON = re.compile(r"(?:'s|’s|s)?,\s")


def _resumed(sentence: Sentence, before: Sequence[Named], amount: Stretch) -> tuple[Named, ...]:
    """`A has 141 GB against the 80 GB of B, 4.8 TB/s and …`: the list goes on about A."""
    name, text = before[-1], sentence.text
    numbers = [a for a in sentence.amounts if a.kind in JUDGED and a.end <= name.start]
    if len(numbers) < 2 or not compared(text, *numbers[-2:]):
        return ()
    own = _OF.fullmatch(text, numbers[-1].end, name.start)
    if own is None or _GO_ON.fullmatch(text, name.end, amount.start) is None:
        return ()
    return tuple(n for n in before if n.end <= numbers[-2].start)[-1:]


_IN_BRACKETS = re.compile(r"\s\((?P<what>[^()\s]{1,12})\)")


def of_strangers(sentence: Sentence, amounts: Sequence[Stretch]) -> set[int]:
    """Numbers with a name in brackets that nobody knows, beside others with a known one."""
    strange, known = set(), False
    for index, amount in enumerate(amounts):
        match = _IN_BRACKETS.match(sentence.text, amount.end, sentence.end)
        if match is None:
            continue
        if any(match.start() < n.start < match.end() and n.products for n in sentence.names):
            known = True
        elif any(letter.isdigit() for letter in match["what"]):
            strange.add(index)
    return strange if known else set()


_ARROW = re.compile(r"\s?(?:=>|->|→|➜)\s?")


def arrows(sentence: Sentence, amounts: Sequence[Amount]) -> dict[int, tuple[Named, ...]]:
    """`A => B: 16 GB => 32 GB`: the names of numbers on both sides of an arrow."""
    names = [n for n in sentence.names if not n.software]
    if len(names) != 2 or not _ARROW.fullmatch(sentence.text, names[0].end, names[1].start):
        return {}
    found: dict[int, tuple[Named, ...]] = {}
    for index, (one, two) in enumerate(pairwise(amounts)):
        if one.kind == two.kind and _ARROW.fullmatch(sentence.text, one.end, two.start):
            found[index], found[index + 1] = (names[0],), (names[1],)
    return found


def leads_next(sentence: Sentence, one: Stretch, two: Stretch) -> bool:
    """Whether the name before the second number begins a statement: `64 GB/s, B 900 GB/s`."""
    names = [n for n in sentence.names if one.end <= n.start and n.end <= two.start]
    close = bool(names) and two.start - names[-1].end < 3
    return close and "," in sentence.text[one.end : names[-1].start]


def side_by_side(sentence: Sentence, amounts: Sequence[Amount]) -> dict[int, tuple[Named, ...]]:
    """Names of numbers that stand in a row as their products do: `A vs B: 180 GB vs 141 GB`.

    With `respectively` each has its own name; without, each may be of any of them.
    """
    hardware = [n for n in sentence.names if not n.software]
    found: dict[int, tuple[Named, ...]] = {}
    size = len(hardware)
    if size < 2 or len(amounts) < size:
        return found
    runs: list[list[int]] = [[0]]
    for index in range(1, len(amounts)):
        one, two = amounts[index - 1], amounts[index]
        joined = one.kind == two.kind and _JOINT.fullmatch(sentence.text, one.end, two.start)
        runs = [*runs[:-1], [*runs[-1], index]] if joined else [*runs, [index]]
    in_order = _IN_ORDER.search(sentence.text, sentence.start, sentence.end) is not None
    for run in runs:
        if len(run) == size and hardware[-1].end <= amounts[run[0]].start:
            for place, index in enumerate(run):
                found[index] = (hardware[place],) if in_order else tuple(hardware)
    return found


_AND_THEN = re.compile(
    r"\s?(?:,|;|\band\b|\bund\b|\bvs\.?|\bversus\b|\bagainst\b|\s)+\s?", re.IGNORECASE
)


def behind_each(sentence: Sentence, amounts: Sequence[Stretch]) -> list[Named]:
    """The name behind each number: `4.8 TB/s / 70 GB on A and 7.7 TB/s / 70 GB on B`."""
    names = [n for n in sentence.names if not n.software]
    if len(names) < 2 or amounts[0].start > names[0].start or amounts[-1].start > names[-1].start:
        return []
    for one, two in pairwise(names):
        following = next((a for a in amounts if a.start >= one.end), None)
        if following is None or following.start > two.start:
            return []
        if _AND_THEN.fullmatch(sentence.text, one.end, following.start) is None:
            return []
    return [next(n for n in names if n.start >= a.end) for a in amounts]


_SAME = re.compile(r"\b(?:as|like|wie|equals|matches|same)\b", re.IGNORECASE)


_FOR = re.compile(
    r"(?:\s(?:of\s)?(?:HBM\w*|memory|VRAM))?\s(?:for|on|in|für|bei|auf|pour|para)\s(?:the\s|a\s)?",
    re.IGNORECASE,
)
_AND = re.compile(r"\s(?:and|und|et|y|&)\s(?:the\s|a\s)?", re.IGNORECASE)
_ENDS = re.compile(r"[.,;:)]|\s*\Z|\s(?:and|but|while|against)\s", re.IGNORECASE)


def _for_both(sentence: Sentence, amount: Stretch) -> list[tuple[Named, ...]]:
    """`16 GB for A and B`: it is said of each of the two."""
    names = [n for n in sentence.names if n.start > amount.end and n.products and not n.software]
    if len(names) < 2 or names[0].family or names[1].family:
        return []
    one, two = names[:2]
    text = sentence.text
    if _FOR.fullmatch(text, amount.end, one.start) and _AND.fullmatch(text, one.end, two.start):
        behind = _ENDS.match(text, two.end, sentence.end)
        return [(one,), (two,)] if behind or two.end == sentence.end else []
    return []


_BOTH = re.compile(r"\bboth\s(?!directions|ways)|\balike\b", re.IGNORECASE)


def alike(sentence: Sentence, amount: Stretch, names: tuple[Named, ...]) -> list[tuple[Named, ...]]:
    """`A has 9 POPS, as B does` says it of both: each product gets the number for itself."""
    here = [n for n in names if sentence.start <= n.start < sentence.end and not n.software]
    if pair := _for_both(sentence, amount):
        return pair
    if len(names) > 1 and side_by_side(sentence, [a for a in sentence.amounts if a.kind in JUDGED]):
        return [names]
    if len(here) == 2 and len(names) == 2:
        first, second = sorted(here, key=lambda n: n.start)
        between = sentence.text[first.end : second.start]
        both = _BOTH.search(sentence.text, second.end, max(second.end, amount.start))
        if (_SAME.search(between) or both) and amount.start > first.end:
            return [(first,), (second,)]
    return [names]
