"""Binding: which product, scope, format, direction … a sentence gives to each of its numbers.

A word belongs to the nearest number; a comma, a semicolon or `and` between them makes it
farther. What no word near a number says may still be said elsewhere in the sentence or
above the table: that is kept as *weak*, and never decides alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kb.kept import lazy
from kb.prose.context import Mention, Sentence
from kb.prose.hints import (
    GROUPS,
    activity,
    articles,
    asked,
    counts_next,
    each_way,
    estimated,
    negated,
    of_factor,
    of_verb,
    own_runs,
    place,
    single_links,
)
from kb.prose.names import Named
from kb.prose.numbers import JUDGED, Amount
from kb.prose.own import own_words
from kb.prose.pairs import has_it, inherited, paired
from kb.prose.reach import assigned, free, own_number
from kb.prose.subjects import (
    alike,
    arrows,
    aside,
    behind_each,
    behind_list,
    bracketed,
    compared,
    former_and_latter,
    in_turn,
    is_object,
    leads_next,
    led,
    of_strangers,
    own_names,
    pronoun,
    resumes,
    side_by_side,
)


class Stated(NamedTuple):
    """The words on one axis: which values, and whether they stand at the number itself."""

    values: frozenset[str]
    strong: bool
    mentions: tuple[Mention, ...] = ()


@dataclass(frozen=True, eq=False)
class Bound:
    """One number with everything that its surroundings say about it."""

    amount: Amount
    names: tuple[Named, ...]
    stated: Mapping[str, Stated]
    near: bool = False
    """Whether the product is named in the same sentence, row or column."""
    tags: frozenset[str] = field(default_factory=frozenset)
    """Loose remarks at the number: each, older, deny, use, named, alike …"""
    form: frozenset[str] = frozenset()
    """Products of the family that the text named in full before, where it named one form only."""

    @lazy
    def products(self) -> tuple[str, ...]:
        """Ids of the products that it may be about."""
        return tuple(dict.fromkeys(p for n in self.names if not n.software for p in n.products))

    @property
    def family(self) -> bool:
        """Whether only a family is named."""
        return any(name.family for name in self.names)

    def values(self, axis: str) -> frozenset[str]:
        """The stated values of an axis, strong or weak; empty where nothing is said."""
        return self.stated[axis].values if axis in self.stated else frozenset()

    def strong(self, axis: str) -> frozenset[str]:
        """The values stated at the number itself."""
        stated = self.stated.get(axis)
        return stated.values if stated and stated.strong else frozenset()


@dataclass(frozen=True)
class Surroundings:
    """What stands above and before a sentence."""

    heads: tuple[Sentence, ...] = ()
    """Row head, column head and table head of a cell."""
    above: tuple[Sentence, ...] = ()
    """Headings, nearest first, and the paragraph before a table."""
    before: tuple[Sentence, ...] = ()
    """The sentences before in the same paragraph, nearest first."""
    beside: tuple[Sentence, ...] = ()
    """The cell before this one in its row, where it holds a figure of its own."""


TAGS = ("each", "older", "source", "usage", "doubt", "rate")
"""Axes of the lexicon that are remarks rather than qualifiers."""
HEAD_TAGS = ("usage", "rate")
"""Those that a head says of its cells."""


def bind(sentence: Sentence, around: Surroundings) -> list[Bound]:
    """Every number of a sentence that may be judged, bound to what is said about it."""
    targets = [a for a in sentence.amounts if a.kind in JUDGED]
    if not targets:
        return []
    mentions = _mentions(sentence)
    words = assigned(sentence.text, free(mentions, sentence), targets)
    named = assigned(sentence.text, own_number(sentence), targets)
    products = _products(targets, named, sentence, around)
    lead = led(sentence, mentions, targets)
    rows = side_by_side(sentence, targets)
    told = {m.value for m in mentions if m.axis in ("older", "source")}
    told |= {m.value for h in around.heads for m in h.mentions if _told_by(h, m)}
    usage = [m for m in mentions if m.axis == "usage"]
    bound = []
    for index, amount in enumerate(targets):
        own = own_words(sentence, words[index], amount, lead)
        own = inherited(sentence, targets, index, own, words)
        factor = _FACTOR.search(sentence.text, max(sentence.start, amount.start - 4), amount.start)
        factor = factor or _TIMES.match(sentence.text, amount.end, sentence.end)
        names, near = products[index]
        tags = {m.value for m in own if m.axis in TAGS and m.axis != "usage"} | told
        tags |= {m.value for m in usage if _used(sentence, m, amount)}
        tags |= paired(sentence, targets, index, around.beside)
        if "deny" in tags and any(m.axis == "doubt" and _apart(sentence, amount, m) for m in own):
            tags.discard("deny")
        tags |= {"row"} if len(names) == 1 and index in rows else set()
        same = alike(sentence, amount, names)
        tags |= {"alike"} if len(same) > 1 else set()
        for each in same:
            stated = _stated(own, mentions, each, around)
            if factor is not None and stated.get("scope", _NOTHING).values <= GROUPS:
                stated.pop("scope", None)  # in `8 × 180 GB` the number is that of a part
                if stated.get("aggregation", _NOTHING).values == {"total"}:
                    del stated["aggregation"]
            if "each" in tags:  # words elsewhere that speak of the whole don't reach it
                stated = {a: s for a, s in stated.items() if s.strong or a not in _WHOLE}
            bound.append(Bound(amount, each, stated, near, frozenset(tags)))
    return bound


def _mentions(sentence: Sentence) -> list[Mention]:
    """The words of a sentence that qualify its numbers, in order."""
    met = [m for m in (*sentence.mentions, *articles(sentence)) if not _counted(m, sentence)]
    mentions = []
    for m in met:
        if m.axis == "scope" and (place(m, met, sentence) or counts_next(m, sentence)):
            continue
        if m.axis == "basis" and estimated(m, sentence):
            continue
        if (m.axis == "sparsity" and of_factor(m, sentence)) or of_verb(m, sentence):
            continue
        if activity(m, sentence):
            continue
        mentions.append(negated(m, sentence) if m.axis == "sparsity" else m)
    mentions += single_links(sentence)
    mentions += own_runs(sentence)
    mentions += each_way(sentence)
    return sorted(mentions, key=lambda m: m.start)


_OF_DEVICE = re.compile(
    r"\s?(?:of\s)?(?:total\s)?(?:HBM\w*|VRAM|(?:GPU |device )?memory)|\sper (?:GPU|chip|card)\b",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[,;:]\s|\s(?:so|which|while|and|because|when|if|where|that is|that's|this is)\s"
)


def _told_by(head: Sentence, mention: Mention) -> bool:
    """Whether a head tags its cells; `Instance` over names of machines is no use of memory."""
    word = head.text[mention.start : mention.end].lower()
    return mention.axis in HEAD_TAGS and not word.startswith("instance")


_NEXT_CLAUSE = re.compile(r"[,;]\s(?:so|but|and|which|while)\s|;\s")


def _apart(sentence: Sentence, amount: Amount, doubt: Mention) -> bool:
    """Whether a denial stands in a later clause: `62 TB/s, so it is never the bottleneck`."""
    return _NEXT_CLAUSE.search(sentence.text, amount.end, doubt.start) is not None


def _used(sentence: Sentence, usage: Mention, amount: Amount) -> bool:
    """Whether a word of use speaks of the number: no clause ends between it and `80 GB of HBM`."""
    between = (usage.end, amount.start) if usage.start < amount.start else (amount.end, usage.start)
    apart = _BREAK.search(sentence.text, *between)
    device = _OF_DEVICE.match(sentence.text, amount.end) or has_it(sentence, amount)
    return apart is None or not device


_NOTHING = Stated(frozenset(), strong=False)
_FACTOR = re.compile(r"[×x*]\s?\Z")
_TIMES = re.compile(r"\s?[×x*]\s?\d")


def _counted(mention: Mention, sentence: Sentence) -> bool:
    """Whether a scope word is only what a count of several counts: `256 chips`."""
    if mention.value == "stack" and sentence.text[mention.end - 1] == "s":
        return True  # `ten stacks of HBM3E` say how it is built
    return mention.axis in ("scope", "link") and any(
        a.kind == "count" and a.number > 1 and a.start <= mention.start and mention.end <= a.end
        for a in sentence.amounts
    )


def _products(
    targets: Sequence[Amount],
    named: Sequence[Sequence[Named]],
    sentence: Sentence,
    around: Surroundings,
) -> list[tuple[tuple[Named, ...], bool]]:
    """The product names of each number: at it, before it in the sentence, after it, above."""
    if turns := in_turn(sentence.names, targets) or behind_each(sentence, targets):
        return [((name,), True) for name in turns]
    asides = {n for n in sentence.names if aside(sentence, n) or is_object(sentence, n, targets)}
    asides |= behind_list(sentence, targets)
    found: list[tuple[Named, ...]] = [
        (name,)
        if (name := bracketed(sentence, target))
        else own_names(sentence.text, [n for n in names if n not in asides], target)
        for names, target in zip(named, targets, strict=True)
    ]
    rows = former_and_latter(sentence, targets) or arrows(sentence, targets)
    rows = rows or side_by_side(sentence, targets)
    found = [rows.get(index, names) for index, names in enumerate(found)]
    found = [pronoun(sentence, target) or n for target, n in zip(targets, found, strict=True)]
    for index in range(1, len(targets)):
        found[index] = found[index] or found[index - 1]
    for index in range(len(targets) - 2, -1, -1):
        pair = targets[index], targets[index + 1]
        apart = compared(sentence.text, *pair) or leads_next(sentence, *pair)
        if not found[index] and not apart:
            found[index] = found[index + 1]
    rest = tuple(n for n in sentence.names if n not in asides)
    taken = {name for names in found for name in names}
    here = [names or (rest if not taken else ()) for names in found]
    outside = ((), False) if all(here) else _outside(around, sentence)
    strange = of_strangers(sentence, targets)
    return [
        (names if index in rows else _specific(names), True)
        if names and index not in strange
        else (((), False) if index in strange else outside)
        for index, names in enumerate(here)
    ]


def _specific(names: Sequence[Named]) -> tuple[Named, ...]:
    """The names without families, where a product is named beside them."""
    exact = tuple(n for n in names if not n.family and n.products and not n.software)
    return tuple(n for n in names if not n.family) if exact else tuple(names)


def _outside(around: Surroundings, own: Sentence) -> tuple[tuple[Named, ...], bool]:
    for group, near in ((around.heads, True), (around.before, False), (around.above, False)):
        for sentence in group:
            hardware = tuple(name for name in sentence.names if not name.software)
            if hardware and group is around.before and resumes(own):
                return _specific(hardware[:1]), near  # `It` is what the sentence before is about
            if hardware:
                return _specific(hardware), near
    return (), False


def _stated(
    own: Sequence[Mention],
    everywhere: Sequence[Mention],
    names: Sequence[Named],
    around: Surroundings,
) -> dict[str, Stated]:
    stated: dict[str, Stated] = {}
    if everywhere_asked := asked(around.before):
        own = [*own, *(m for m in everywhere_asked if all(m.axis != o.axis for o in own))]
    starts = {name.start for name in names}
    _add(stated, [m for m in own if m.axis != "sold_as" or m.start in starts], strong=True)
    if around.heads and not _of_others(around.heads, names):
        for told in _of_heads(around.heads):
            _add(stated, told, strong=True)
    _add(stated, [m for m in everywhere if m.axis != "sold_as" or m.start in starts], strong=False)
    for sentence in (*around.before[:1], *around.above):
        # Which whole another product is sold as, says nothing of this one.
        told = [
            m for m in sentence.carried if m.axis != "sold_as" or not names or m.start in starts
        ]
        _add(stated, told, strong=False)
    return stated


def _of_others(heads: Sequence[Sentence], names: Sequence[Named]) -> bool:
    """Whether a cell names a product itself and its heads another one: they speak of that."""
    own = {product for name in names for product in name.products}
    theirs = {p for h in heads for n in h.names if not n.software for p in n.products}
    inside = [n for n in names if any(h.start <= n.start < h.end for h in heads)]
    return bool(own and theirs) and not inside and own.isdisjoint(theirs)


def _add(stated: dict[str, Stated], mentions: Sequence[Mention], *, strong: bool) -> None:
    """Note what some words say on the axes on which nothing is said yet."""
    values: dict[str, list[Mention]] = {}
    for mention in mentions:
        axis = mention.axis
        if axis not in stated and axis not in TAGS:
            if axis in values:
                values[axis].append(mention)
            else:
                values[axis] = [mention]
    for axis, found in values.items():
        said = frozenset([m.value for m in found])
        stated[axis] = Stated(said, strong, tuple(found))


_WHOLE = frozenset({"scope", "aggregation", "sold_as"})
_KINDS = frozenset({"machine", "machines", "node", "server", "host", "instance", "vm"})


def _of_heads(heads: Sequence[Sentence]) -> Iterator[list[Mention]]:
    """What each head says of its cells."""
    groups = any(a.label == "accelerator" and a.number > 1 for h in heads for a in h.amounts)
    groups = groups or any(m.axis == "each" for h in heads for m in h.mentions)
    for head in heads:
        if head.words().strip().lower() in _KINDS:
            continue  # the head of a column of names
        told = [m for m in head.mentions if not _counted(m, head)]
        yield [m for m in told if not (groups and m.axis == "scope")]
