"""The ratios that a sentence states: `4.7 times`, `twice`, `a factor of 3`, `divided by … is`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from kb.prose.arithmetic import FACTORS
from kb.prose.context import Sentence
from kb.prose.lexicon import NUMBER_WORDS
from kb.prose.numbers import JUDGED, Amount

_FACTOR_OF = re.compile(
    r"(?:\b(?:factor|faktor|ratio)\s(?:of|von)?|\b(?:multipl\w+|grow\w*|scales?)\b[^.]{0,40}\bby)"
    r"\s?(?:about\s|rund\s)?\Z"
    r"|\bdivided\sby\b[^.;]{0,70}\b(?:is|gives|makes|yields|leaves)\s(?:about\s|roughly\s)?\Z",
    re.I,
)
_SPELLED = (
    rf"(?:{'|'.join(w for w, n in NUMBER_WORDS.items() if n > 2)})\stimes"
    r"(?=\s(?:the|as|more|faster|that|what|its|higher|larger|greater|bigger)\b)"
)
PARTS = {
    "third": Fraction(1, 3),
    "fifth": Fraction(1, 5),
    "sixth": Fraction(1, 6),
    "eighth": Fraction(1, 8),
    "tenth": Fraction(1, 10),
}
"""Words for a part; alone they count in order, as in `the fifth generation`."""
_PART = rf"(?<=\b(?:a|1)\s)(?:{'|'.join(PARTS)})(?=\s(?:of|the|as|that)\b)"
_ONE_PART = rf"(?<=\bone\s)(?:{'|'.join(PARTS)})(?=\s(?:of|the|as|that)\b)"
FACTOR_WORD = re.compile(r"\b(?:" + "|".join((*FACTORS, _SPELLED, _PART, _ONE_PART)) + r")\b", re.I)
_ALONE = (w for w in FACTORS if not any(o != w and w.startswith(o) for o in FACTORS))
_STEMS = (*_ALONE, " times", *PARTS)


class FactorWords:
    """Where a whole text has words for a factor: most sentences are never searched for one."""

    def __init__(self, text: str) -> None:
        self.text = text
        lower = text.lower()
        self.exact = len(lower) == len(text)
        """Whether places in the lower case are places in the text."""
        self.stems = sorted(place for stem in _STEMS for place in _places(lower, stem))

    def within(self, start: int, end: int) -> bool:
        """Whether one stands between two places."""
        if self.exact:
            first = bisect_left(self.stems, start)
            if first == len(self.stems) or self.stems[first] >= end:
                return False
        return FACTOR_WORD.search(self.text, start, end) is not None


def _places(text: str, stem: str) -> Iterator[int]:
    place = text.find(stem)
    while place >= 0:
        yield place
        place = text.find(stem, place + 1)


AHEAD = re.compile(
    r"\b(?:leads?|ahead|faster|slower|beats?|outperforms?|more than|better|bigger|larger|schneller|"
    r"wins?|behind|liegt vorn|führt|quicker)\b",
    re.I,
)
NO_FIGURE = re.compile(
    r"\b(?:scale|efficien\w+|price|cost|performance|throughput|speed|latency|energy|training|"
    r"inference|tokens?|size|users?|requests?|footprint)\b",
    re.IGNORECASE,
)
"""What no data sheet gives in figures."""
_PER_COST = re.compile(
    r"\b(?:per|pro|je|por|par)\s(?:watt|kilowatt|joule|W|kW|dollar|euro|USD|EUR|\$|area|"
    r"mm|rack unit|transistor|price)\b|/(?:W|kW|\$|mm)\b|\bperf(?:ormance)?[ /]?(?:per|/)\b",
    re.IGNORECASE,
)
_PER = frozenset({"per", "pro", "je", "por", "par", "perf", "performance"})


def per_cost(sentence: Sentence) -> bool:
    """Whether something is divided by a cost before the ratio is formed: figures don't give it."""
    if sentence.vocabulary.isdisjoint(_PER) and "/" not in sentence.words():
        return False
    return _PER_COST.search(sentence.text, sentence.start, sentence.end) is not None


_TAIL = re.compile(r"\A[\d.,_]+")


@dataclass(frozen=True, slots=True)
class Factor:
    """A ratio that a sentence states."""

    value: Fraction
    half_step: Fraction
    start: int
    end: int
    word: bool = False
    divided: bool = False
    """Whether the sentence says what is divided by what, or multiplied."""
    tail: str = ""
    """What stands behind the digits: `x`, ` times`."""

    def written(self, value: float) -> str:
        """Another value in the same place; a word such as `twice` has no number to replace."""
        return "" if self.word else f"{value:.3g}{self.tail}"


_COSTS = re.compile(
    r"\b(?:costs?|priced|charges?|pays?|paid|rents?|price of|kostet)\s"
    r"(?:at |about |roughly |some |only |for )?\Z",
    re.IGNORECASE,
)


_KEYS = {**FACTORS, **PARTS, "times": Fraction(0)}


def factors(sentence: Sentence) -> Iterator[Factor]:
    """Every stated ratio of a sentence, numbers first and words behind them."""
    text = sentence.text
    for amount in sentence.amounts:
        if amount.kind not in ("ratio", "bare"):
            continue
        before = max(sentence.start, amount.start - 100), amount.start
        bare = _FACTOR_OF.search(text, *before) if amount.kind == "bare" else None
        if _COSTS.search(text, max(sentence.start, amount.start - 24), amount.start):
            continue
        if amount.kind == "ratio" or bare:
            slack = max(amount.half_step, amount.number / 50 if amount.approximate else Fraction(0))
            lead = bare[0].lower() if bare else ""
            divided = "divided" in lead or "multipl" in lead
            tail = _TAIL.sub("", text[amount.start : amount.end])
            divided = divided or _concludes(sentence, amount)
            yield Factor(amount.number, slack, amount.start, amount.end, tail=tail, divided=divided)
    if sentence.vocabulary.isdisjoint(_KEYS):
        return
    for match in FACTOR_WORD.finditer(text, sentence.start, sentence.end):
        word = match[0].lower()
        value = _KEYS.get(word) or Fraction(NUMBER_WORDS[word.split()[0]])
        yield Factor(value, value / 12, match.start(), match.end(), word=True)


_THEREFORE = re.compile(
    r"(?:\b(?:that is|that's|i\.e\.|which is|is|makes|gives|yields|or|for)|[=:,(])"
    r"(?:\s(?:about|roughly|around|only|an?))*\s?\Z",
    re.IGNORECASE,
)


_SO = re.compile(r"\b(?:so|hence|thus|therefore|i\.e\.)\s")


def _concludes(sentence: Sentence, factor: Amount) -> bool:
    """`A has 192 GB and B 80 GB, that is 3.4 times`: two numbers, then what they come to."""
    figures = [a for a in sentence.amounts if a.kind in JUDGED]
    if len(figures) != 2 or figures[0].kind != figures[1].kind or factor.start < figures[1].end:
        return False
    behind = sentence.text[factor.end : min(factor.end + 40, sentence.end)]
    gap = figures[1].end, factor.start
    told = _THEREFORE.search(sentence.text, *gap) is not None and gap[1] - gap[0] < 45
    ahead = AHEAD.search(behind) and _SO.search(sentence.text, *gap) is None
    return told and not (NO_FIGURE.search(behind) or ahead)
