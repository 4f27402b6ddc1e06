"""Ratios and shares in a sentence: do they hold, and may they be formed at all.

A ratio of two numbers goes through the one `compare`; what it refuses or leaves open is
said here too. A sentence that itself refuses the ratio is left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from kb.kept import kept, lazy
from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.counterparts import against_product, of_products, other_thing
from kb.prose.factors import AHEAD, NO_FIGURE, Factor, factors, per_cost
from kb.prose.formed import comparison, fails, may_be_formed
from kb.prose.known import Known
from kb.prose.names import Named
from kb.prose.noun import by_noun, is_ratio
from kb.prose.remark import Remark
from kb.prose.slots import ratio_holds


@dataclass(frozen=True)
class _Stated:
    """A factor, and the numbers of which it may be the ratio."""

    factor: Factor
    sentence: Sentence
    bound: Sequence[Bound]
    before: Sequence[Bound]
    subject: Bound | None
    """What the factor before this one is a ratio of."""
    known: Known

    @lazy
    def left(self) -> list[Bound]:
        """The numbers before the factor."""
        return [b for b in self.bound if b.amount.end <= self.factor.start]

    @lazy
    def right(self) -> list[Bound]:
        """The numbers behind the factor."""
        return [b for b in self.bound if b.amount.start >= self.factor.end]

    @lazy
    def near(self) -> list[Bound]:
        """Those behind it that no other statement begins before."""
        text, end = self.sentence.text, self.factor.end
        apart = [b for b in self.right if _NEXT.search(text, end, b.amount.start)]
        return [b for b in self.right if not (self.left and b in apart)]


def ratios(
    sentence: Sentence, bound: Sequence[Bound], before: Sequence[Bound], known: Known
) -> Iterator[Remark]:
    """Judge every stated ratio of a sentence, and comparative words between two numbers."""
    if sentence.has("doubt") or per_cost(sentence):
        return
    subject: Bound | None = None
    done = False
    for factor in factors(sentence):
        stated = _Stated(factor, sentence, bound, before, subject, known)
        found, subject = _ratio(stated)
        done = done or bool(found)
        yield from found
    told = any(a.kind in ("ratio", "percent") for a in sentence.amounts)
    if not (done or told) and len(bound) == 2 and AHEAD.search(sentence.words()):
        yield from comparison(bound[0], bound[1], known)


Found = tuple[list[Remark], Bound | None]
"""What is said on a ratio, and the number that it is a ratio of."""


def _ratio(stated: _Stated) -> Found:
    """The judgement on one ratio."""
    factor, sentence, known = stated.factor, stated.sentence, stated.known
    left = stated.left
    other = _other_product(factor, sentence, stated.bound)
    if other is not None and left and (factor.word or not stated.right):
        about = Sentence(sentence.text, factor.start, other.end, sentence.table)
        about = _own_stretch(factor, sentence) or about
        if NO_FIGURE.search(about.words()):
            return [], stated.subject
        if other_thing(about, left[-1]):
            return of_products(factor, sentence, known, about), stated.subject
        found = against_product(factor, left[-1], other, known)
        if found or len(left) < 2:
            return found, stated.subject
    if other is None and (told := by_noun(factor, sentence, stated.bound)):
        two, one = sorted(told, key=lambda item: item.amount.base)
        if is_ratio(factor, one, two):
            return may_be_formed(factor, one, two, known), one
        return [fails(factor, one, two, known)], one
    return _of_numbers(stated)


_NEXT = re.compile(r";\s|,\s(?:while|whereas|but|and)\s")
"""What begins a statement that the factor is no part of."""


def _of_numbers(stated: _Stated) -> Found:
    """The judgement on a ratio of two numbers that stand in the sentence."""
    factor, sentence, known = stated.factor, stated.sentence, stated.known
    between = bool(stated.left and stated.near)
    pairs = [
        (one, two)
        for one, two in _pairs(stated.left, stated.near, stated.subject, stated.before)
        if one.amount.kind == two.amount.kind
        and (one.amount.base != two.amount.base or _alike(factor, one, two))
    ]
    for one, two in pairs:
        holds = ratio_holds(factor.value, factor.half_step, one.amount.base, two.amount.base)
        turned = ratio_holds(factor.value, factor.half_step, two.amount.base, one.amount.base)
        if holds or (turned and not between):
            first, second = (one, two) if holds else (two, one)
            return may_be_formed(factor, first, second, known), one
    same = [pair for pair in pairs if not _of_another(factor, sentence, *pair)]
    if (
        same
        and (len(same) == 1 or between or factor.divided or _against(stated))
        and _is_of(factor, sentence, same[0])
    ):
        return _failed(stated, *same[0])
    if not stated.bound:
        about = _own_stretch(factor, sentence)
        return of_products(factor, sentence, known, about), stated.subject
    return [], stated.subject


def _alike(factor: Factor, one: Bound, two: Bound) -> bool:
    """`9 PFLOPS, 1 times the 9 PFLOPS of B`: nobody else states the ratio of a number to itself."""
    return factor.value == 1 and one.amount is not two.amount and one.products != two.products


_AGAINST = re.compile(
    r"\s(?:against|versus|vs\.?|compared (?:to|with)|instead of)\s(?:the\s|its\s)?", re.IGNORECASE
)


_HAS = re.compile(r"\b(?:has|have|offers?|gets?|gives?|delivers?|hat|bietet)\s\Z", re.IGNORECASE)


def _against(stated: _Stated) -> bool:
    """`With 7.7 TB/s against 4.8 TB/s a B200 has 2.9x the bandwidth`: of the only two."""
    if len(stated.left) != 2 or stated.right or stated.factor.word:
        return False
    one, two = (b.amount for b in stated.left)
    if _AGAINST.fullmatch(stated.sentence.text, one.end, max(one.end, two.start)) is None:
        return False
    text, end = stated.sentence.text, stated.sentence.end
    told = _HAS.search(text, two.end, stated.factor.start) is not None
    return told and NO_FIGURE.search(text, stated.factor.end, end) is None


def _failed(stated: _Stated, one: Bound, two: Bound) -> Found:
    """A factor that isn't the ratio of its two numbers, unless it is that of two others."""
    factor, bound = stated.factor, stated.bound
    if any(is_ratio(factor, a, b) for i, a in enumerate(bound) for b in bound[i + 1 :]):
        return [], stated.subject
    if factor.divided and (factor.value > 1) != (one.amount.base > two.amount.base):
        one, two = two, one
    return [fails(factor, one, two, stated.known)], one


def _is_of(factor: Factor, sentence: Sentence, pair: tuple[Bound, Bound]) -> bool:
    """Whether a factor that fails can only be that of two numbers; a word often is of more."""
    return not factor.word or _from_to(sentence, pair) or _is(factor, sentence, pair)


def _of_another(factor: Factor, sentence: Sentence, one: Bound, two: Bound) -> bool:
    """Whether two numbers have the ratio that another factor of the sentence states."""
    left, right = one.amount.base, two.amount.base
    return any(
        ratio_holds(other.value, other.half_step, left, right)
        for other in factors(sentence)
        if other.start != factor.start
    )


@kept  # asked for each factor of a sentence
def _starts(sentence: Sentence) -> list[int]:
    return sorted(factor.start for factor in factors(sentence))


def _own_stretch(factor: Factor, sentence: Sentence) -> Sentence | None:
    """What one of several factors is a factor of: `2x the memory and 4.7x the peak of B`."""
    starts = _starts(sentence)
    if len(starts) < 2:
        return None
    following = bisect_right(starts, factor.start)
    end = starts[following] if following < len(starts) else sentence.end
    return Sentence(sentence.text, factor.start, end, sentence.table)


_IS = re.compile(r"\s(?:is|was|are)\s(?:exactly\s|just\s)?")


def _is(factor: Factor, sentence: Sentence, pair: tuple[Bound, Bound]) -> bool:
    """`A of 2,563 TFLOPS is twice its 667`: the word stands between its two numbers."""
    first, second = sorted((b.amount for b in pair), key=lambda a: a.start)
    if not _IS.fullmatch(sentence.text, first.end, max(first.end, factor.start)):
        return False
    real = max(first.base, second.base) / min(first.base, second.base)
    told = max(factor.value, 1 / factor.value)
    return abs(real / told - 1) > Fraction(1, 4) and second.start >= factor.end


def _from_to(sentence: Sentence, pair: tuple[Bound, Bound]) -> bool:
    """`It quadruples, from A to B`: the only two numbers, so the word speaks of them."""
    first, second = sorted((b.amount for b in pair), key=lambda a: a.start)
    lead = sentence.text[max(sentence.start, first.start - 6) : first.start].lower()
    between = sentence.text[first.end : second.start].lower()
    several = sum(a.kind == first.kind for a in sentence.amounts) > 2
    return not several and lead.endswith(("from ", "von ")) and between in (" to ", " auf ")


def _pairs(
    left: Sequence[Bound], right: Sequence[Bound], subject: Bound | None, before: Sequence[Bound]
) -> list[tuple[Bound, Bound]]:
    """Which two numbers a ratio may be of, the most likely first."""
    if left and right:
        heads = [subject] if subject in left and subject is not None else []
        return [(a, right[0]) for a in (*heads, *reversed(left))]
    if len(left) >= 2:
        return [(left[-2], left[-1]), (left[-1], left[-2])]
    if len(right) >= 2:
        return [(right[0], right[1])]
    if left and before:
        return [(left[0], before[-1])]
    return []


def _other_product(factor: Factor, sentence: Sentence, bound: Sequence[Bound]) -> Named | None:
    """A product named behind the factor without a number of its own: `twice what a v5p had`."""
    taken = {name for b in bound for name in b.names if b.amount.start > factor.end}
    behind = [n for n in sentence.names if n.start > factor.end and not n.software]
    return next((n for n in behind if n not in taken and len(n.products) == 1), None)
