"""What the rules about citations share: the faults of a decision's prose, as problems.

The thin way from validators to `kb.prose`: they see problems with places, no offsets.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.rules.declare import Problem
from kb.source import Document, Part, Place, Position, Span

# The reader of prose is a third of what a check imports, and most commits change no prose:
# so it is imported where a text is read.
if TYPE_CHECKING:
    from kb.prose.cite import Fault

_TARGET = re.compile(r"\]\(\s*<?([^\s()<>]+)")


def citation_problems(
    entry: Entry[Decision], corpus: Corpus, flaw: str, label: str
) -> Iterator[Problem]:
    """One problem for each citation of a decision that has the flaw."""
    document = corpus.documents[entry.place.path]
    for fault in _faults(document, corpus):
        if fault.flaw == flaw:
            place = body_place(document, fault.start, fault.end)
            yield Problem(place, fault.message, fault.remedy, label=label)


def uncited_amounts(entry: Entry[Decision], corpus: Corpus) -> Iterator[tuple[Place, str]]:
    """Every quantity and ratio in a decision's prose that is no citation, with its text."""
    from kb.prose.cover import uncited
    from kb.prose.names import name_table

    document = corpus.documents[entry.place.path]
    for amount in uncited(document.body, name_table(corpus)):
        text = document.body[amount.start : amount.end]
        yield body_place(document, amount.start, amount.end), " ".join(text.split())


_LAST: list[tuple[Document, Corpus, tuple[Fault, ...]]] = []


def _faults(document: Document, corpus: Corpus) -> tuple[Fault, ...]:
    """The faults of one prose, which several rules ask for one after the other.

    All of them: a rule must not stop at another rule's faults, or at waived ones.
    """
    from kb.prose.cite import faults

    for last, among, found in _LAST:
        if last is document and among is corpus:
            return found
    found = tuple(faults(document.body, corpus, most=math.inf))
    _LAST[:] = [(document, corpus, found)]
    return found


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of a decision's prose."""

    plain: str
    """Without code, addresses and link targets."""
    targets: tuple[str, ...]
    """What its links lead to: records by their ids, other things as written."""
    document: Document
    start: int

    def place(self, start: int, end: int) -> Place:
        """The place of a stretch of the sentence."""
        return body_place(self.document, self.start + start, self.start + end)


def said(
    entry: Entry[Decision], corpus: Corpus, having: re.Pattern[str], stems: tuple[str, ...]
) -> Iterator[Said]:
    """Every sentence below the front matter of a decision with a match of `having`.

    Each match holds one of the `stems`, in lower case: most texts hold none of them, and
    looking for a few letters costs a tenth of looking for a pattern.
    """
    document = corpus.documents.get(entry.place.path)
    if document is None or not any(map(_lowered(document.body).__contains__, stems)):
        return
    from kb.prose.context import sentences
    from kb.prose.text import blanked, prose_of

    if having.search(blanked(document.body)) is None:
        return  # in which case the Markdown need not be taken apart
    prose = prose_of(document.body)
    for segment in prose.segments:
        for start, end in sentences(prose.plain, segment.start, segment.end):
            plain = prose.plain[start:end]
            if having.search(plain):
                targets = tuple(map(_record, _TARGET.findall(document.body[start:end])))
                yield Said(plain, targets, document, start)


@lru_cache(maxsize=1)
def _lowered(text: str) -> str:
    """A text in lower case as patterns that ignore case understand it: `ſ` is an `s` to them."""
    if text.isascii():
        return text.lower()
    from kb.prose.text import ALIKE

    return text.translate(ALIKE).casefold().replace("ı", "i").replace("i\u0307", "i")


def _record(target: str) -> str:
    """The id of the record that a link leads to, by its kind or by its file."""
    name = target.removeprefix("evidence:").partition("#")[0]
    return name.rpartition("/")[2].removesuffix(".json")


def body_place(document: Document, start: int, end: int) -> Place:
    """The place of a stretch of the Markdown below the front matter."""
    lines = [0]
    for line in document.body.split("\n"):
        lines.append(lines[-1] + len(line) + 1)

    def position(offset: int) -> Position:
        row = bisect_right(lines, offset) - 1
        return Position(document.body_line + row, offset - lines[row] + 1)

    return Place(document.path, (), Part.VALUE, Span(position(start), position(end)))
