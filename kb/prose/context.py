"""What a sentence says around its numbers: products, scopes, formats, directions and more.

A sentence is read once. Its words become mentions (an axis, a value, a place), its numbers
become amounts, its product names become named products.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.prose.lexicon import WORDS
from kb.prose.names import Named, NameTable, Token, tokens_of
from kb.prose.numbers import Amount, amounts, is_german

_END = re.compile(r"(?<=[.!?])[\s\u00a0]+(?=[\"“(\[A-ZÄÖÜ\d])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|approx|ca|z\.\s?B|d\.\s?h|No|Nr|Fig|bzw|cf|resp|max|min))\.\Z"
)
_LONGEST = max(len(words) for words in WORDS)


@dataclass(frozen=True, slots=True)
class Mention:
    """A word that qualifies numbers, and where it stands."""

    axis: str
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Sentence:
    """One sentence, heading or table cell, taken apart."""

    text: str
    """The blanked text of the whole document; offsets are its own."""
    start: int
    end: int
    amounts: tuple[Amount, ...]
    mentions: tuple[Mention, ...]
    names: tuple[Named, ...]

    def words(self) -> str:
        """The sentence as it reads."""
        return self.text[self.start : self.end]

    def values(self, axis: str) -> frozenset[str]:
        """Every value that the sentence mentions on an axis."""
        return frozenset(m.value for m in self.mentions if m.axis == axis)

    def has(self, axis: str, value: str = "") -> bool:
        """Whether the sentence mentions the axis (with that value)."""
        return any(m.axis == axis and value in ("", m.value) for m in self.mentions)


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The bounds of the sentences of a paragraph."""
    begin = start
    for match in _END.finditer(text, start, end):
        if _ABBREVIATED.search(text, max(begin, match.start() - 8), match.start()):
            continue
        yield begin, match.start()
        begin = match.end()
    if begin < end:
        yield begin, end


def read(
    text: str, start: int, end: int, names: NameTable, *, comma: bool | None = None
) -> Sentence:
    """Take one sentence apart."""
    tokens = tokens_of(text, start, end)
    named = tuple(names.find(tokens, text))
    german = is_german(text[start:end]) if comma is None else comma
    spans = [(n.start, n.end) for n in named]
    numbers = tuple(amounts(text, start, end, comma=german, names=spans))
    return Sentence(text, start, end, numbers, tuple(_mentions(tokens, text, named)), named)


def _mentions(tokens: Sequence[Token], text: str, named: Sequence[Named]) -> Iterator[Mention]:
    """Words of the lexicon, longest first; those inside product names only for their scope."""
    inside = {n.start: n for n in named}
    position = 0
    while position < len(tokens):
        name = inside.get(tokens[position][1])
        if name is not None:
            yield from _of_name(name)
            while position < len(tokens) and tokens[position][1] < name.end:
                position += 1
            continue
        for length in range(min(_LONGEST, len(tokens) - position), 0, -1):
            there = tokens[position : position + length]
            found = WORDS.get(tuple(word for word, _, _ in there))
            if found and all(b[1] - a[2] <= 3 for a, b in zip(there, there[1:], strict=False)):
                yield Mention(*found, there[0][1], there[-1][2])
                position += length
                break
        else:
            position += 1


def _of_name(name: Named) -> Iterator[Mention]:
    """`HGX`, `DGX`, `superchip` or `NVL72` in a name say which whole is sold under it."""
    for word in name.words:
        found = WORDS.get((word,))
        if found and found[0] == "scope":
            axis = "scope" if found[1] in ("gpu", "chip") else "sold_as"
            yield Mention(axis, found[1], name.start, name.end)
