"""What a sentence says around its numbers: products, scopes, formats, directions and more.

A sentence is read once. Its words become mentions (an axis, a value, a place), its numbers
become amounts, its product names become named products.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.kept import lazy
from kb.prose.lexicon import WORDS
from kb.prose.names import Named, NameTable, Token, tokens_of
from kb.prose.numbers import Amount, amounts, has_decimal_comma

_END = re.compile(r"[.!?。](?:(?<!。)[\s\u00a0]+(?=[\"“(\[A-ZÄÖÜ\d])|(?<=。))")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|approx|ca|z\.\s?B|d\.\s?h|No|Nr|Fig|bzw|cf|resp|max|min))\.\Z"
)
_DIGIT = re.compile(r"\d")


class _Node:
    """Spellings that begin with the same words: what they mean, and the words that go on."""

    __slots__ = ("following", "meaning")

    def __init__(self) -> None:
        self.meaning: tuple[str, str] | None = None
        self.following: dict[str, _Node] = {}


def _spellings() -> dict[str, _Node]:
    root = _Node()
    for words, meaning in WORDS.items():
        node = root
        for word in words:
            node = node.following.setdefault(word, _Node())
        node.meaning = meaning
    return root.following


_BY_FIRST = _spellings()


_FORMS = frozenset({"sxm", "sxm5", "pcie", "nvl", "v2", "v3", "v4"})
"""How one product is built in several ways, `the SXM version`, and bare generations of one."""
_UNNAMED = re.compile(
    r"(?:\b(?:its|the|their)|['’]s)\s(?:direct\s|immediate\s|older\s|smaller\s|larger\s)?"
    r"(?P<who>predecessor|successor|sibling|rival|competitor)s?\s"
    r"(?:has|had|have|was|is|offers?|offered|came|comes|stops?|stopped|only|with|at|reads?)\b",
    re.IGNORECASE,
)
"""Words that speak of a product that the sentence doesn't name: `its predecessor has 141 GB`."""
_UNNAMED_WORDS = frozenset(
    f"{word}{s}"
    for word in ("predecessor", "successor", "sibling", "rival", "competitor")
    for s in ("", "s")
)


CARRIED = ("precision", "sparsity", "interface", "engine", "basis", "aggregation", "sold_as")
"""What a sentence may take over from the one before it or from a heading."""


class Mention(NamedTuple):
    """A word that qualifies numbers, and where it stands."""

    axis: str
    value: str
    start: int
    end: int

    @property
    def reach(self) -> int:
        """How far it may stand from the number that it qualifies."""
        return 130


@dataclass(frozen=True)
class Sentence:
    """One sentence, heading or table cell, taken apart where somebody asks."""

    text: str
    """The blanked text of the whole document; offsets are its own."""
    start: int
    end: int
    table: NameTable
    given: tuple[Amount, ...] | None = None
    """The numbers, where a table head gave them their unit."""

    @lazy
    def amounts(self) -> tuple[Amount, ...]:
        """Every number, in order. Most sentences have no digit, and so are read no further."""
        if self.given is not None:
            return self.given
        stretch = self.text[self.start : self.end]
        if _DIGIT.search(stretch) is None:
            return ()
        spans = [(n.start, n.end) for n in self.names]
        comma = has_decimal_comma([token[0] for token in self.tokens])
        found = amounts(
            self.text, self.start, self.end, comma=comma, names=spans, tokens=self.tokens
        )
        return tuple(found)

    @lazy
    def names(self) -> tuple[Named, ...]:
        """Every product name, in order, and words that stand for a product not named."""
        found = tuple(self.table.find(self.tokens, self.text))
        if found and not self.vocabulary.isdisjoint(_FORMS):
            found = self.table.with_forms(found, self.text, self.start, self.end)
        if not found or self.vocabulary.isdisjoint(_UNNAMED_WORDS):
            return found
        others = (
            Named(m.start("who"), m.end("who"), (), (m["who"].lower(),))
            for m in _UNNAMED.finditer(self.text, self.start, self.end)
        )
        return tuple(sorted((*found, *others), key=lambda name: name.start))

    @lazy
    def mentions(self) -> tuple[Mention, ...]:
        """Every word of the lexicon, in order."""
        return tuple(_mentions(self.tokens, self.names))

    @lazy
    def axes(self) -> frozenset[str]:
        """Every axis that a word speaks of."""
        return frozenset([m.axis for m in self.mentions])

    @lazy
    def kinds(self) -> frozenset[str]:
        """Every kind of number that stands in it."""
        return frozenset([a.kind for a in self.amounts])

    @lazy
    def vocabulary(self) -> frozenset[str]:
        """Every word in lower case."""
        return frozenset([token[0] for token in self.tokens])

    @lazy
    def carried(self) -> tuple[Mention, ...]:
        """The words that also hold for what stands below or behind."""
        return tuple(m for m in self.mentions if m.axis in CARRIED)

    @lazy
    def tokens(self) -> list[Token]:
        """Every word in lower case, with its place."""
        return tokens_of(self.text, self.start, self.end)

    def words(self) -> str:
        """The sentence as it reads."""
        return self.text[self.start : self.end]

    def values(self, axis: str) -> frozenset[str]:
        """Every value that the sentence mentions on an axis."""
        if axis not in self.axes:
            return frozenset()
        return frozenset([m.value for m in self.mentions if m.axis == axis])

    def has(self, axis: str, value: str = "") -> bool:
        """Whether the sentence mentions the axis (with that value)."""
        if axis not in self.axes:
            return False
        return not value or any(m.axis == axis and m.value == value for m in self.mentions)


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The bounds of the sentences of a paragraph."""
    for first, last in _unbroken(text, start, end):
        yield from _pieces(text, first, last)


LONGEST = 1000
"""A longer sentence is cut: no word speaks of a number that far away, and work stays linear."""


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LONGEST:
        cut = text.rfind(" ", start + 1, start + LONGEST)
        cut = cut if cut > start else start + LONGEST
        yield start, cut
        start = cut
    yield start, end


def _unbroken(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _END.finditer(text, start, end):
        stop = match.start() + 1
        if _ABBREVIATED.search(text, max(begin, stop - 8), stop):
            continue
        yield begin, stop
        begin = match.end()
    if begin < end:
        yield begin, end


def _mentions(tokens: Sequence[Token], named: Sequence[Named]) -> Iterator[Mention]:
    """Words of the lexicon, longest first; those inside product names only for their scope."""
    for name in named:
        yield from _of_name(name)
    spans = [(name.start, name.end) for name in named]
    done = 0
    for position in [i for i, token in enumerate(tokens) if token[0] in _BY_FIRST]:
        word, start, end = tokens[position]
        if start < done or (spans and any(a <= start < b for a, b in spans)):
            continue
        found = _longest(_BY_FIRST[word], tokens, position, end)
        if found is not None:
            meaning, done = found
            yield Mention(*meaning, start, done)


def _longest(
    node: _Node, tokens: Sequence[Token], position: int, end: int
) -> tuple[tuple[str, str], int] | None:
    """What the longest spelling means that begins at a word, and where it ends."""
    found = None
    while True:
        if node.meaning is not None:
            found = node.meaning, end
        position += 1
        if not node.following or position == len(tokens):
            return found
        word, start, behind = tokens[position]
        following = node.following.get(word)
        if following is None or start - end > GAP:
            return found
        node, end = following, behind


GAP = 3
"""How many letters may stand between two words of one spelling."""


def _of_name(name: Named) -> Iterator[Mention]:
    """`HGX`, `DGX`, `superchip` or `NVL72` in a name say which whole is sold under it."""
    for word in name.words:
        found = WORDS.get((word,))
        if found and found[0] == "scope":
            axis = "scope" if found[1] in ("gpu", "chip") else "sold_as"
            yield Mention(axis, found[1], name.start, name.end)
