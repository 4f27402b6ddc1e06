"""Product names in a text, longest first, so that `GB200` is never read as `B200`.

Names come from the catalogue: ids, names, aliases and families. They are compared word by
word; hyphens and blanks between the words are alike, and a plural s is let through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

from kb.corpus import Corpus, Names
from kb.prose.lexicon import OTHERS, WORD
from kb.qualifiers import Layer

Words = tuple[str, ...]
Token = tuple[str, int, int]
"""A word in lower case, and where it stands."""


class Named(NamedTuple):
    """A product name that stands in a text."""

    start: int
    end: int
    products: tuple[str, ...]
    """Ids of the products it may mean; several for a family."""
    words: Words
    family: bool = False
    software: bool = False

    @property
    def reach(self) -> int:
        """How far a second name may stand from a number, which goes on speaking of the first."""
        return 60


@dataclass(frozen=True)
class NameTable:
    """Every spelling of every name, by its first word."""

    by_first: Mapping[str, tuple[tuple[Words, tuple[str, ...], bool, bool], ...]]

    @cached_property
    def firsts(self) -> frozenset[str]:
        """Every word that a name may begin with, in the plural too."""
        return frozenset((*self.by_first, *(f"{word}s" for word in self.by_first)))

    def find(self, tokens: Sequence[Token], text: str) -> Iterator[Named]:
        """Every name, left to right; of two that begin at one word the longer one."""
        done = 0
        for position in [i for i, token in enumerate(tokens) if token[0] in self.firsts]:
            start = tokens[position][1]
            if start < done:
                continue
            found = self._at(tokens, position, text)
            if found is not None:
                words, products, family, software = found
                behind = tokens[position + len(words) : position + len(words) + 1]
                if software and behind and behind[0][0] in ("core", "cores"):
                    continue  # CUDA cores are an engine
                done = tokens[position + len(words) - 1][2]
                yield Named(start, done, products, words, family, software)

    def with_forms(
        self, found: tuple[Named, ...], text: str, start: int, end: int
    ) -> tuple[Named, ...]:
        """The names, and `the SXM version` as a name of that form of the product before it."""
        named = list(found)
        if any(name.words[0] in ("tpu", "v5e", "v5p", "v6e") for name in found):
            named += self._generations(found, text, start, end)
        for match in _forms(found, text, start, end):
            before = [n for n in named if n.end <= match.start() and not n.software]
            before = before or [n for n in found[:1] if not n.software]
            form = match["form"].casefold().rstrip("5")
            words = (before[-1].words[0], form) if before else ()
            entries = self.by_first.get(words[0], ()) if words else ()
            for spelling, products, family, software in entries:
                if spelling == words:
                    named.append(Named(*match.span(), products, words, family, software))
        return tuple(sorted(named, key=lambda name: name.start))

    def _generations(
        self, found: Sequence[Named], text: str, start: int, end: int
    ) -> Iterator[Named]:
        """A bare `v4` beside another TPU; alone it may be the version of anything."""
        for match in _GENERATION.finditer(text, start, end):
            words = ("tpu", match[0].lower())
            known = next((e for e in self.by_first.get("tpu", ()) if e[0] == words), None)
            if not _inside(match.start(), found):
                yield Named(*match.span(), known[1] if known else (), words)

    def _at(
        self, tokens: Sequence[Token], at: int, text: str
    ) -> tuple[Words, tuple[str, ...], bool, bool] | None:
        first = _singular(tokens[at][0])
        for entry in self.by_first.get(tokens[at][0], ()) or self.by_first.get(first, ()):
            words = entry[0]
            there = tokens[at : at + len(words)]
            if len(there) == len(words) and all(
                w == t[0] or w == _singular(t[0]) for w, t in zip(words, there, strict=True)
            ):
                gaps = pairwise(there)
                joined = all(text[a[2] : b[1]].strip("-_()/®™ \u00a0\n") == "" for a, b in gaps)
                if joined and not (words[-1].isdigit() and _FIGURE.match(text, there[-1][2])):
                    return entry
        return None


_FORM = re.compile(
    r"\b(?P<form>SXM5?|PCIe|NVL)\s(?:version|variant|part|model|card|edition|module|board|one)s?\b",
    re.IGNORECASE,
)
_GENERATION = re.compile(r"\b[vV][234]\b(?![.-]?\d)")
_BARE_FORM = re.compile(r"\b(?P<form>SXM5?|PCIe|NVL)\b(?![- ]?\d)")


def _forms(found: Sequence[Named], text: str, start: int, end: int) -> list[re.Match[str]]:
    """Words for a form: `the PCIe card`, or `PCIe` beside a bare `SXM` or `NVL`.

    `PCIe` alone may be the link; beside another form it is one.
    """
    told = {match.start(): match for match in _FORM.finditer(text, start, end)}
    bare = [m for m in _BARE_FORM.finditer(text, start, end) if not _inside(m.start(), found)]
    if any(match["form"] != "PCIe" for match in bare):
        told = {match.start(): match for match in bare} | told
    return [match for place, match in sorted(told.items()) if not _inside(place, found)]


def _inside(place: int, names: Sequence[Named]) -> bool:
    return any(name.start <= place < name.end for name in names)


_FIGURE = re.compile(r"[.,]\d")
"""What shows that a last digit begins a figure: `v6e 1,638 GB/s` is no `v6e-1`."""


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2].isdigit() else word


def name_table(corpus: Corpus) -> NameTable:
    """Read the names of a catalogue."""
    return _table(corpus.names)


@lru_cache(maxsize=2)
def _table(names: Names) -> NameTable:
    spellings: dict[Words, tuple[tuple[str, ...], bool, bool]] = {}
    for product in names.products:
        software = product.layer is not Layer.ACCELERATOR
        for name in (product.product, product.name, *product.aliases):
            words = words_of(name)
            for spelling in {words, ("".join(words),)}:
                known = spellings.get(spelling, ((), False, False))[0]
                ids = tuple(dict.fromkeys((*known, product.product)))
                spellings[spelling] = ids, False, software
    for family in names.families:
        members = family.value.members
        spellings[words_of(family.value.name)] = members, len(members) > 1, False
    for words in OTHERS:
        spellings.setdefault(words, ((), False, False))
    by_first: dict[str, list[tuple[Words, tuple[str, ...], bool, bool]]] = {}
    for words, (ids, is_family, software) in spellings.items():
        by_first.setdefault(words[0], []).append((words, ids, is_family, software))
    longest = {k: tuple(sorted(v, key=lambda e: -len(e[0]))) for k, v in by_first.items()}
    return NameTable(longest)


def words_of(text: str) -> Words:
    """The words of a name in lower case."""
    return tuple(WORD.findall(text.casefold()))


_SPLIT = re.compile(f"({WORD.pattern})")
_SPLIT_ASCII = re.compile(r"(\d+:\d+|[a-z0-9]+(?:_[a-z0-9]+)*)", re.ASCII)
"""The same for text in lower case without other letters."""


def tokens_of(text: str, start: int, end: int) -> list[Token]:
    """The words of a stretch of text with their places."""
    stretch = text[start:end]
    ascii_only = stretch.isascii()
    # Splitting keeps words and gaps in turn, so their lengths add up to their places.
    parts = _SPLIT_ASCII.split(stretch.lower()) if ascii_only else _SPLIT.split(stretch)
    places = list(accumulate(map(len, parts), initial=start))
    words = parts[1::2] if ascii_only else map(str.casefold, parts[1::2])
    return list(zip(words, places[1::2], places[2::2], strict=False))
