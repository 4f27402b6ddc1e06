"""How each number of a text is read: product, metric, scope, qualifiers, and the words for it.

`stated` means that words at the number decide and one value fits; `inferred` that a heading,
the sentence before or a word farther away decided; `open` that a question must be answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from kb.prose.answer import Language, bound_sentences
from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.judge import judge
from kb.prose.known import Known, Slot
from kb.prose.remark import Remark
from kb.prose.slots import slots_of

Confidence = Literal["stated", "inferred", "open"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word that decided: the axis it speaks of, its value, and where it stands."""

    axis: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """How one number is read."""

    start: int
    end: int
    kind: str
    products: tuple[str, ...]
    metrics: tuple[str, ...]
    stated: dict[str, tuple[str, ...]]
    """What the words say on each axis, weak words included."""
    claims: tuple[str, ...]
    """Ids of the claims that print this value and fit the words."""
    confidence: Confidence
    words: tuple[Word, ...]
    question: str = ""


def readings(
    text: str, known: Known, language: Language = "markdown", unread: list[Remark] | None = None
) -> Iterator[Reading]:
    """Every quantity of a text that a catalogue can know, in order.

    `unread` gets a remark where a limit ends the reading before the text ends.
    """
    for sentence, bound, parts in bound_sentences(text, known, language, unread):
        for item in bound:
            yield _reading(item, sentence, known, scope_shown=parts)


_TOLD = frozenset({"device_reported", "usable"})
"""What a device reports stands behind what its vendor prints, where both fit."""


def _reading(bound: Bound, sentence: Sentence, known: Known, *, scope_shown: bool) -> Reading:
    found = slots_of(bound, known)
    found = [s for s in found if s.axes.get("basis") not in _TOLD] or found
    best = [slot for slot in found if len(slot.changed) == len(found[0].changed)]
    remark = judge(bound, sentence, known, scope_shown=scope_shown)
    question = remark.message if remark is not None and remark.level == "open" else ""
    if not bound.products or not (bound.near or best):
        question = "which product is it about?"
    return Reading(
        bound.amount.start,
        bound.amount.end,
        bound.amount.kind,
        bound.products,
        tuple(dict.fromkeys(str(slot.metric) for slot in best)),
        {axis: tuple(sorted(s.values)) for axis, s in bound.stated.items() if axis != "sold_as"},
        tuple(dict.fromkeys(slot.entry.id for slot in best)),
        _confidence(bound, best, question),
        tuple(_words(bound)),
        question,
    )


def _confidence(bound: Bound, found: list[Slot], question: str) -> Confidence:
    claims = {slot.entry.id for slot in found}
    if question or len(bound.products) != 1 or len(claims) > 1:
        return "open"
    strong = all(
        stated.strong for axis, stated in bound.stated.items() if found and axis in found[0].axes
    )
    return "stated" if bound.near and strong and found else "inferred"


def _words(bound: Bound) -> Iterator[Word]:
    words = [Word("product", " ".join(n.words), n.start, n.end) for n in bound.names]
    for axis, stated in bound.stated.items():
        words += [Word(axis, m.value, m.start, m.end) for m in stated.mentions]
    yield from sorted(words, key=lambda word: word.start)
