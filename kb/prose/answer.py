"""The answer to a text: a verdict, and findings with exact places.

Invalid where something contradicts the catalogue or itself; ambiguous where a question
must be answered first; valid where all that could be checked holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from kb.kept import lazy
from kb.prose.arithmetic import Shown, arithmetic
from kb.prose.benchmark import published
from kb.prose.bind import Bound, Surroundings, bind
from kb.prose.charity import right_reading
from kb.prose.context import LONGEST, Sentence, sentences
from kb.prose.factors import FactorWords
from kb.prose.judge import judge
from kb.prose.known import Known
from kb.prose.labels import header_label
from kb.prose.quotient import quotients
from kb.prose.ratio import ratios
from kb.prose.remark import Remark, cut_off, fine
from kb.prose.restated import continued, remainders
from kb.prose.share import shares, shares_of
from kb.prose.situations import (
    counts,
    devices,
    layers,
    measured_peaks,
    slices,
    timing,
    work_over_time,
)
from kb.prose.text import Prose, Range, Segment, prose_of
from kb.prose.unjudged import unjudged
from kb.prose.whole import of_counted, of_one, of_several, total

Language = Literal["markdown", "rst", "plain"]
VerdictWord = Literal["invalid", "valid", "ambiguous", "nothing_found"]


MOST_FIGURES = 2_000
"""Figures that are judged in one text: some forty pages."""


LONGEST_TEXT = 100_000
"""Characters of one text that are judged."""


def shortened(text: str) -> str:
    """A text up to the last line that ends within `LONGEST_TEXT`."""
    if len(text) <= LONGEST_TEXT:
        return text
    return text[: text.rfind("\n", 0, LONGEST_TEXT) + 1 or LONGEST_TEXT]


@dataclass(frozen=True)
class Answer:
    """What the prose checker says about a text."""

    verdict: VerdictWord
    findings: tuple[Remark, ...] = ()
    """What is wrong or open, by place."""
    checked: int = 0
    """How many statements could be checked."""
    unjudged: int = 0
    """Figures of a kind that the catalogue holds and of no product that it holds."""


@dataclass
class _Reader:
    """Sentences of a text that were met already, by their bounds."""

    prose: Prose
    known: Known
    met: dict[Range, Sentence] = field(default_factory=dict)
    read: int = 0
    """Figures so far."""
    unjudged: set[int] = field(default_factory=set)
    """Where figures begin of which no product of the catalogue is known."""
    forms: set[str] = field(default_factory=set)
    """Products that were named in full so far, each without its family."""
    stopped: Range | None = None
    """The first sentence that was not read any more, from its first figure on."""

    @lazy
    def factors(self) -> FactorWords:
        return FactorWords(self.prose.plain)

    def sentence(self, start: int, end: int) -> Sentence:
        if (start, end) not in self.met:
            self.met[start, end] = Sentence(self.prose.plain, start, end, self.known.names)
        return self.met[start, end]

    def named(self, sentence: Sentence, bound: list[Bound]) -> list[Bound]:
        """The numbers of a sentence with the one form in which their family was named before."""
        self.hear(sentence)
        return [self._formed(item) if item.family else item for item in bound]

    def hear(self, sentence: Sentence) -> None:
        """Note the products that a sentence names in full."""
        self.forms |= {n.products[0] for n in sentence.names if len(n.products) == 1}

    def _formed(self, item: Bound) -> Bound:
        families = {p for name in item.names if name.family for p in name.products}
        told = self.forms & families
        return replace(item, form=frozenset(told)) if len(told) == 1 else item

    def takes(self, sentence: Sentence) -> bool:
        """Count the figures of a sentence; False where they are too many for one text."""
        self.read += max(1, len(sentence.amounts))
        if self.read <= MOST_FIGURES:
            return True
        first = sentence.amounts[0].start if sentence.amounts else sentence.start
        self.stopped = (first, sentence.end)
        return False


def answer(text: str, known: Known, language: Language = "markdown") -> Answer:
    """Judge a text against a catalogue. Pure; linear in the length of the text.

    Of a text beyond `LONGEST_TEXT` or `MOST_FIGURES` the beginning is judged, and the
    answer says so: it is never `valid`.
    """
    shorter = shortened(text)
    reader = _Reader(prose_of(shorter, language), known)
    remarks: list[Remark] = []
    for segment in reader.prose.segments:
        remarks += _segment(segment, reader)
        if reader.stopped is not None:
            break
    found = _answer([*remarks, *_unread(text, shorter, reader, language)])
    return replace(found, unjudged=len(reader.unjudged))


def _unread(text: str, shorter: str, reader: _Reader, language: Language) -> Iterator[Remark]:
    """Where reading stopped before the end of a text, and at which limit."""
    if reader.stopped is not None:
        yield cut_off(reader.stopped[0], len(text), f"{MOST_FIGURES:,} figures")
    elif len(shorter) < len(text):
        start = _next_figure(text, len(shorter), reader.known, language)
        yield cut_off(start, len(text), f"{LONGEST_TEXT:,} characters")


def _next_figure(text: str, start: int, known: Known, language: Language) -> int:
    """Where the first figure behind an offset stands, if it is near; else the offset."""
    rest = _Reader(prose_of(text[start : start + LONGEST], language), known)
    for segment in rest.prose.segments:
        for bounds in sentences(rest.prose.plain, segment.start, segment.end):
            for amount in rest.sentence(*bounds).amounts:
                return start + amount.start
    return start


def _answer(remarks: list[Remark]) -> Answer:
    findings = tuple(
        sorted((r for r in remarks if r.level in ("wrong", "open")), key=lambda r: (r.start, r.end))
    )
    levels = {remark.level for remark in remarks}
    verdict: VerdictWord = "nothing_found"
    if "wrong" in levels:
        verdict = "invalid"
    elif "open" in levels:
        verdict = "ambiguous"
    elif "fine" in levels:
        verdict = "valid"
    return Answer(verdict, findings, len(remarks))


_DIGIT = re.compile(r"\d")


def bound_sentences(
    text: str, known: Known, language: Language = "markdown", unread: list[Remark] | None = None
) -> Iterator[tuple[Sentence, list[Bound], bool]]:
    """Every sentence with figures, what its words say about each, and whether heads count parts.

    `unread` gets a remark where a limit ends the reading before the text ends.
    """
    shorter = shortened(text)
    reader = _Reader(prose_of(shorter, language), known)
    for segment in reader.prose.segments:
        for sentence, bound, _, place in _read(segment, reader):
            yield sentence, bound, _counts_parts(place)
        if reader.stopped is not None:
            break
    if unread is not None:
        unread += _unread(text, shorter, reader, language)


def _segment(segment: Segment, reader: _Reader) -> Iterator[Remark]:
    for sentence, bound, bound_before, place in _read(segment, reader):
        if _denied(sentence):
            continue
        yield from _remarks(sentence, bound, bound_before, place, reader.known)
        reader.unjudged |= unjudged(bound, reader.known)
    if reader.known.corpus.imports:
        yield from _unnumbered(segment, reader)


_NO = re.compile(r"[\s>]{1,20}(?:no|nope|nein|non|wrong|not (?:quite|really|exactly))\b", re.I)
_CORRECTED = re.compile(
    r"[\s>]{1,20}(?:that|this)(?:'s|\s(?:figure |number |one |value )?(?:is|was))\s"
    r"(?:wrong|false|not\b|of the\b|(?:the\s)?[\w-]{2,20}['’]s?\b)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:asks?|asked|wonder\w*|unsure)\s(?:\w+\s)?(?:if|whether)\b", re.IGNORECASE
)


def _denied(sentence: Sentence) -> bool:
    """Whether the next words answer it with no or correct it: it states nothing."""
    if _CORRECTED.match(sentence.text, sentence.end):
        return True
    if _NO.match(sentence.text, sentence.end) is None:
        return False
    words = sentence.words()
    return words.rstrip().endswith("?") or _ASKED.search(words) is not None


def _unnumbered(segment: Segment, reader: _Reader) -> Iterator[Remark]:
    """What published results say about sentences without a figure: `B200 beats v6e on SDXL`."""
    for start, end in sentences(reader.prose.plain, segment.start, segment.end):
        if reader.stopped is not None and end >= reader.stopped[1]:
            return
        sentence = reader.sentence(start, end)
        if not sentence.amounts and not reader.factors.within(start, end):
            yield from published(sentence, reader.known)


def _read(
    segment: Segment, reader: _Reader
) -> Iterator[tuple[Sentence, list[Bound], list[Bound], Surroundings]]:
    """The sentences of a segment with figures, each with those of the sentence before."""
    text = reader.prose.plain
    if not (
        _DIGIT.search(text, segment.start, segment.end)
        or reader.factors.within(segment.start, segment.end)
    ):
        return
    heads, above = (
        tuple(reader.sentence(a, min(b, a + LONGEST)) for a, b in ranges)
        for ranges in (segment.heads, segment.above)
    )
    # A cell with a figure of its own is a neighbour and no head.
    beside = tuple(h for h in heads if segment.kind == "cell" and h.end == segment.start - 1)
    heads = tuple(h for h in heads if all(a.unit is None for a in h.amounts))
    if segment.kind == "cell":
        above = tuple(s for s in above if all(a.unit is None for a in s.amounts))
        if above and _names_several(segment, reader, heads):
            above = ()  # a row of something that the catalogue doesn't know
    before: tuple[Sentence, ...] = ()
    bound_before: list[Bound] = []
    for start, end in sentences(reader.prose.plain, segment.start, segment.end):
        sentence = _with_unit(reader.sentence(start, end), heads)
        if sentence.amounts or reader.factors.within(start, end):
            if not reader.takes(sentence):
                return
            place = Surroundings(heads, above, before, beside)
            bound = reader.named(sentence, bind(sentence, place))
            yield sentence, bound, bound_before, place
            bound_before = bound
        elif _FORM.search(reader.prose.plain, start, end):
            reader.hear(sentence)
        before = (sentence, *before[:2])


_FORM = re.compile(r"\b(?:SXM|NVL|PCIe|HGX|DGX)")
"""How one product of a family is built."""


def _names_several(segment: Segment, reader: _Reader, heads: tuple[Sentence, ...]) -> bool:
    """Whether other rows or columns name products and the cell's own don't."""
    own = reader.sentence(segment.start, min(segment.end, segment.start + LONGEST))
    if not own.amounts or any(_hardware(s) for s in (own, *heads)):
        return False
    return any(_hardware(reader.sentence(a, min(b, a + LONGEST))) for a, b in segment.peers)


def _hardware(sentence: Sentence) -> bool:
    return any(not name.software for name in sentence.names)


def _with_unit(cell: Sentence, heads: tuple[Sentence, ...]) -> Sentence:
    """Give a cell that holds a bare number the unit of its column's or row's head."""
    if not heads or not any(a.kind == "bare" for a in cell.amounts):
        return cell
    for head in heads:
        label = header_label(head.words())
        if label is not None and label.unit is not None:
            return replace(
                cell,
                given=tuple(
                    replace(a, kind=label.kind, unit=label.unit, label=label.text)
                    if a.kind == "bare"
                    else a
                    for a in cell.amounts
                ),
            )
    return cell


def _counts_parts(around: Surroundings) -> bool:
    """Whether a head counts accelerators, as `8x B200` does: its cells are of all of them."""
    return any(a.label == "accelerator" for head in around.heads for a in head.amounts)


def _remarks(
    sentence: Sentence,
    bound: list[Bound],
    bound_before: list[Bound],
    around: Surroundings,
    known: Known,
) -> Iterator[Remark]:
    """Everything that can be said about one sentence."""
    shown = arithmetic(sentence)
    yield from shown.remarks
    yield from remainders(sentence)
    yield from quotients(sentence)
    yield from continued(sentence, bound_before[-1].amount if bound_before else None)
    taken = shares_of(sentence, bound, bound_before) if "percent" in sentence.kinds else ()
    reached = {pair[0].amount.start for _, pair in taken if pair is not None}
    read = list(bound)
    for place, item in enumerate(bound):
        remark = _of_number(item, sentence, known, shown, around)
        if remark is None:
            continue
        other = remark.level == "wrong" and right_reading(item, sentence, around, known)
        if other:
            read[place] = other
        elif remark.rule != "unknown-number" or remark.start not in shown.settled | reached:
            yield _applicable(remark, item, bound, shown)
    of_results = list(published(sentence, known))
    yield from of_results
    told = {(remark.start, remark.end) for remark in of_results}
    for remark in ratios(sentence, read, bound_before, known):
        if (remark.start, remark.end) not in told:
            yield remark
    if "percent" in sentence.kinds:
        yield from shares(sentence, read, bound_before, known)
    yield from _situations(sentence, read, around, known)


def _applicable(remark: Remark, item: Bound, bound: list[Bound], shown: Shown) -> Remark:
    """The remark, without a suggestion that can't stand in the number's place.

    It can't where the number is said of two products at once, where its unit or the suggestion
    itself stands elsewhere, and where arithmetic beside it would no longer hold.
    """
    twice = sum(one.amount is item.amount for one in bound) > 1
    proven = item.amount.start in shown.settled | shown.proven
    said = remark.suggestion in {f"{b.amount.number}{b.amount.label}" for b in bound}
    said = said or remark.suggestion in {f"{b.amount.number} {b.amount.label}" for b in bound}
    if remark.suggestion and (twice or said or item.amount.inherited or proven):
        return replace(remark, suggestion="")
    return remark


def _of_number(
    item: Bound, sentence: Sentence, known: Known, shown: Shown, around: Surroundings
) -> Remark | None:
    """The judgement on one number, with what counts and arithmetic around it say."""
    start, several = item.amount.start, _counts_parts(around)
    remark = judge(item, sentence, known, scope_shown=several or start in shown.settled)
    if remark is not None and remark.level != "fine" and of_several(item, sentence, known):
        remark = fine(start, item.amount.end)
    if remark is None or remark.level == "open" or remark.rule == "wrong-product":
        remark = of_counted(item, sentence, known) or remark
    if remark is None or (remark.level != "fine" and start in shown.converted):
        return None  # it repeats the number before it, which is judged for itself
    if remark.rule == "wrong-product" and start in shown.proven:
        return None
    if remark.level == "fine":
        return of_one(item, sentence, known, several=several) or remark
    if remark.rule == "unknown-number" and several:
        return total(item, around.heads, known) or remark
    return remark


def _situations(
    sentence: Sentence, bound: list[Bound], around: Surroundings, known: Known
) -> Iterator[Remark]:
    """Mistakes that no single number shows; each needs a kind of number to be there."""
    kinds = sentence.kinds
    if "time" in kinds:
        yield from timing(sentence, around.before, (*around.heads, *around.above))
    yield from layers(sentence, bound, known)
    yield from measured_peaks(bound, known)
    if "count" in kinds:
        yield from slices(sentence, known)
        yield from counts(sentence, known, around.heads)
        yield from devices(sentence, bound, known)
    if "work" in kinds:
        yield from work_over_time(sentence, bound)
