"""Arithmetic in a sentence: equalities between units, products and sums, exactly checked.

`8 × 180 GB = 1.44 TB` must hold to the digits that are printed. Where a sentence shows how
one number follows from another, the scope of both is no open question any more.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from kb.prose.context import Sentence
from kb.prose.numbers import JUDGED, Amount
from kb.prose.remark import Remark, fine, wrong

_EQUALS = re.compile(
    r"(?:=|\b(?:i\.e\.|that is|that's|which (?:in (?:decimal|binary) units )?is|which are|that are|"
    r"d\.\s?h\.|das sind|equals|entspricht|or|also|makes|gives))"
    r"(?:\s(?:about|roughly|exactly|only|rund|etwa))?\s?[~≈]?\s*\Z"
)
_IN_UNITS = re.compile(
    r"\s(?:in|as)\s(?:bytes|bits|Bytes|Bits|decimal|binary|decimal units|binary units)\b"
)
_IS = re.compile(r"\b(?:is|are|sind|ist)\s*\Z")
_MAKES = re.compile(
    r"(?:=|\b(?:comes? to|adds? up to|makes?|totals?|sums? to|ergeben|ergibt|gives?|is|are|"
    r"would be|total of|which is|i\.e\.|that is|or|has|have))\s(?:about\s|roughly\s)?\Z|=\s*\Z"
)
_TIMES = re.compile(r"\s?[×x*·]\s?\Z")
NEIGHBOURS = 6
"""How many numbers on a multiple is looked for; a long list costs no more."""

FACTORS = {
    "twice": Fraction(2),
    "double": Fraction(2),
    "doubles": Fraction(2),
    "doubled": Fraction(2),
    "doppelt": Fraction(2),
    "half": Fraction(1, 2),
    "halve": Fraction(1, 2),
    "halves": Fraction(1, 2),
    "hälfte": Fraction(1, 2),
    "triple": Fraction(3),
    "thrice": Fraction(3),
    "triples": Fraction(3),
    "tripled": Fraction(3),
    "quadruple": Fraction(4),
    "quadruples": Fraction(4),
    "quadrupled": Fraction(4),
    "fourfold": Fraction(4),
    "verdoppelt": Fraction(2),
    "vervierfacht": Fraction(4),
    "dreifach": Fraction(3),
    "quarter": Fraction(1, 4),
}
"""Words for a factor between two numbers."""


@dataclass(frozen=True)
class Shown:
    """What arithmetic shows: remarks, and the numbers whose scope it settles."""

    remarks: tuple[Remark, ...]
    settled: frozenset[int]
    """Where the settled numbers begin."""
    converted: frozenset[int] = frozenset()
    """Where numbers begin that only repeat the one before in another unit."""
    proven: frozenset[int] = frozenset()
    """Where numbers begin that are products and right: whose else they are is chance."""


def arithmetic(sentence: Sentence) -> Shown:
    """Check every equality and product of a sentence."""
    remarks: list[Remark] = []
    settled: set[int] = set()
    converted: set[int] = set()
    proven: set[int] = set()
    quantities = [a for a in sentence.amounts if a.kind in JUDGED]
    if not quantities:
        return Shown((), frozenset())
    products = {}
    for remark, pair in _products(sentence):
        remarks.append(remark)
        products[pair[1].start] = pair
        settled |= {a.start for a in pair}
        proven |= {pair[1].start} if remark.level == "fine" else set()
    for remark, one, result in _turned_products(sentence):
        remarks.append(remark)
        settled |= {one.start, result.start}
        proven |= {result.start} if remark.level == "fine" else set()
    for remark, result in _bare_products(sentence):
        remarks.append(remark)
        settled.add(result.start)
    for remark, pair in _equalities(sentence, quantities):
        if pair[1].start not in products:
            remarks.append(remark)
            settled |= {a.start for a in pair if remark.level == "fine" and _counted(pair)}
            if remark.level == "fine" and not _counted(pair):
                converted.add(pair[1].start)
    settled |= set(_multiples(sentence, quantities))
    settled |= {
        amount.start
        for before, amount in pairwise(sentence.amounts)
        if before.kind in ("count", "bare", "ratio")
        and _TIMES.search(sentence.text[max(before.start, amount.start - 10) : amount.start])
    }
    return Shown(tuple(remarks), frozenset(settled), frozenset(converted), frozenset(proven))


def _counted(pair: tuple[Amount, Amount]) -> bool:
    return not agrees_exactly(*pair)


def agrees_exactly(left: Amount, right: Amount) -> bool:
    """Whether two printed numbers may be one value, each to its digits."""
    return abs(left.base - right.base) <= left.step + right.step


def _equalities(
    sentence: Sentence, quantities: list[Amount]
) -> Iterator[tuple[Remark, tuple[Amount, Amount]]]:
    """Neighbours with an equals sign or `that is` between them."""
    counts: set[Fraction] | None = None
    for left, right in pairwise(quantities):
        if left.kind != right.kind or right.inherited:
            continue
        between = sentence.text[left.end : right.start]
        said = len(between) < 60 and _EQUALS.search(between) is not None
        told = _IN_UNITS.match(sentence.text, right.end) and _IS.search(between[-20:])
        if not (said or told):
            continue
        if agrees_exactly(left, right):
            yield fine(left.start, right.end), (left, right)
            continue
        counts = _counts(sentence) if counts is None else counts
        explained = any(_fits(left, right, n) for n in (*counts, Fraction(2)))
        sign = between.strip() == "=" or bool(told) or "units is" in between
        converted = (
            left.unit is not None
            and right.unit is not None
            and (
                left.unit.prefix != right.unit.prefix
                or left.unit.counts_bits != right.unit.counts_bits
            )
        )
        if explained:
            yield fine(left.start, right.end), (left, right)
        elif sign or (converted and (len(between) < 25 or _same_digits(left, right))):
            shown = f"{plain(left)} is {in_unit_of(left, right)}, not {plain(right)}"
            yield (
                wrong(
                    left.start, right.end, ("unit", "arithmetic"), shown, in_unit_of(left, right)
                ),
                (left, right),
            )


def _same_digits(left: Amount, right: Amount) -> bool:
    """Whether one number is the other under another prefix: `85520809984 bytes, i.e. 85.5 GiB`."""
    one, two = (float(a.number) for a in (left, right))
    power = 10.0 ** round(math.log10(one / two)) if one and two else 0.0
    return abs(one / power - two) <= float(right.half_step) if power else False


def _fits(left: Amount, right: Amount, n: Fraction) -> bool:
    near = max(left.step * n, right.step, right.base / 200)
    return abs(left.base * n - right.base) <= near or abs(right.base * n - left.base) <= max(
        right.step * n, left.step, left.base / 200
    )


def _products(sentence: Sentence) -> Iterator[tuple[Remark, tuple[Amount, Amount]]]:
    """`72 × 186 GB = 13,392 GB` and `eight of 270 GB each come to 2.16 TB`."""
    amounts = sentence.amounts
    for i, amount in enumerate(amounts[1:], start=1):
        before = amounts[i - 1]
        if amount.kind not in JUDGED or before.kind not in ("count", "bare"):
            continue
        times = _TIMES.search(sentence.text[max(before.end, amount.start - 10) : amount.start])
        each = _of_each(sentence, before, amount)
        if not (times or each) or i + 1 >= len(amounts):
            continue
        result = next((a for a in amounts[i + 1 :] if a.kind == amount.kind), None)
        lead = sentence.text[max(amount.end, result.start - 40) : result.start] if result else ""
        if result is None or not (_MAKES.search(lead) or (each and _SUM.search(lead))):
            continue
        times_before, start = _chain(sentence, i - 1) if times else (before.number, before.start)
        times_before *= _behind(sentence, i)
        product = amount.base * times_before
        slack = max(result.step, amount.step * times_before if result.number != product else 0)
        if abs(product - result.base) <= max(slack, Fraction(0)):
            yield fine(start, result.end), (amount, result)
        elif times or (each and _sums(sentence, amount, result)):
            value = number_text(product / (result.unit.factor if result.unit else 1))
            factor = f"{float(times_before):g} × {plain(amount)}"
            shown = f"{factor} is {value} {result.label}, not {plain(result)}"
            yield (
                wrong(
                    start,
                    result.end,
                    ("unit", "scope", "arithmetic"),
                    shown,
                    f"{value} {result.label}",
                ),
                (amount, result),
            )


def _of_each(sentence: Sentence, count: Amount, amount: Amount) -> bool:
    """Whether a figure is that of each of several: `eight of 270 GB`, `8, 270 GB each`."""
    behind = sentence.text[amount.end : amount.end + 12].lower().lstrip()
    at = count.kind == "count" and _AT.fullmatch(sentence.text, count.end, amount.start)
    return bool(at or behind.startswith(("each", "apiece", "je"))) and count.number > 1


def _chain(sentence: Sentence, last: int) -> tuple[Fraction, int]:
    """The product of the counts that end with one, and where they begin: `4 nodes × 8 GPUs ×`."""
    amounts = sentence.amounts
    number, start = amounts[last].number, amounts[last].start
    while last and amounts[last - 1].kind in ("count", "bare"):
        gap = amounts[last - 1].end, start
        if gap[1] - gap[0] > NEAR or _LINKED.fullmatch(sentence.text, *gap) is None:
            break
        last -= 1
        number, start = number * amounts[last].number, amounts[last].start
    return number, start


def _behind(sentence: Sentence, first: int) -> Fraction:
    """The product of the factors behind a figure: `8 × 288 GB × 0.9`."""
    number = Fraction(1)
    for one, two in pairwise(sentence.amounts[first:]):
        crossed = _CROSS.fullmatch(sentence.text, one.end, two.start)
        if two.kind not in ("count", "bare", "percent") or crossed is None:
            break
        number *= two.number / 100 if two.kind == "percent" else two.number
    return number


NEAR = 40
"""How far two factors of one product may stand from each other."""
_LINKED = re.compile(r"\s?(?:[\w-]+\s){0,2}[×x*·]\s?")


def _turned_products(sentence: Sentence) -> Iterator[tuple[Remark, Amount, Amount]]:
    """`16 GB × 8 = 128 GB`: the figure of one before the count."""
    amounts = sentence.amounts
    for one, count, result in zip(amounts, amounts[1:], amounts[2:], strict=False):
        if one.kind not in JUDGED or result.kind != one.kind or count.kind not in ("count", "bare"):
            continue
        crossed = _CROSS.fullmatch(sentence.text, one.end, count.start)
        if _TIMES.search(sentence.text, max(sentence.start, one.start - 10), one.start):
            continue  # `8 × 288 GB × 0.9` is one product
        if crossed and _EQUAL_SIGN.fullmatch(sentence.text, count.end, result.start):
            product = one.base * count.number
            slack = max(result.step, one.step * count.number if result.base != product else 0)
            if abs(product - result.base) <= slack:
                yield fine(one.start, result.end), one, result
                continue
            scale = result.unit.factor if result.unit else 1
            value = f"{number_text(product / scale)} {result.label}"
            text = f"{plain(one)} × {float(count.number):g} is {value}, not {plain(result)}"
            yield (
                wrong(one.start, result.end, ("unit", "scope", "arithmetic"), text, value),
                one,
                result,
            )


_CROSS = re.compile(r"\s?[×x*·]\s?")


def _bare_products(sentence: Sentence) -> Iterator[tuple[Remark, Amount]]:
    """`4 x 94 = 376 GB`: factors without a unit, and what they come to."""
    for crossed, result in pairwise(sentence.amounts):
        if crossed.kind != "topology" or result.kind not in JUDGED or result.unit is None:
            continue
        if _EQUAL_SIGN.fullmatch(sentence.text, crossed.end, result.start) is None:
            continue
        if _TIMES.search(sentence.text, max(sentence.start, crossed.start - 4), crossed.start):
            continue  # the end of a longer product
        product = Fraction(math.prod(crossed.parts))
        if any(abs(product * unit - result.base) <= result.step for unit in _units_of(result)):
            yield fine(crossed.start, result.end), result
        else:
            value = f"{number_text(product)} {result.label}"
            text = f"{sentence.text[crossed.start : crossed.end]} is {value}, not {plain(result)}"
            yield (
                wrong(result.start, result.end, ("unit", "scope", "arithmetic"), text, value),
                result,
            )


def _units_of(result: Amount) -> Iterator[Fraction]:
    """What a factor without a unit may be counted in: `8 x 192 = 1.536 TB` speaks of GB."""
    own = result.unit.factor if result.unit else Fraction(1)
    for base in (1000, 1024):
        yield from (own * Fraction(base) ** power for power in range(-4, 5))


_EQUAL_SIGN = re.compile(r"\s?=\s?")
_AT = re.compile(r"\s(?:[\w-]+\s)?(?:at|of|with|mit|zu|à)\s")
_SUM = re.compile(
    r"(?:=|\b(?:comes? to|adds? up to|makes?|totals?|sums? to|ergeben|ergibt|gives?|i\.e\.|so|are))"
    r"\s?(?:about\s|roughly\s)?\Z"
)


_WHOLE = re.compile(
    r"\b(?:slice|pod|node|host|board|server|system|rack|cluster|platform)\s"
    r"(?:has|have|holds?|offers?|provides?)\s(?:about\s|a total of\s)?\Z"
)


def _sums(sentence: Sentence, part: Amount, result: Amount) -> bool:
    """Whether the words between say that the parts make up the result, and nothing else."""
    between = sentence.text[part.end : result.start]
    if len(between) < 60 and _WHOLE.search(between):
        return True
    return len(between) < 30 and _SUM.search(between) is not None


def _multiples(sentence: Sentence, quantities: list[Amount]) -> Iterator[int]:
    """Numbers of which one is a stated multiple of the other."""
    counts: set[Fraction] | None = None
    for i, left in enumerate(quantities):
        for right in quantities[i + 1 : i + NEIGHBOURS]:
            if left.kind != right.kind or left.base == right.base:
                continue
            if counts is None:
                counts = {n for n in _counts(sentence) | set(_factors(sentence)) if n > 1}
            if any(_fits(left, right, n) for n in counts):
                yield left.start
                yield right.start


def _factors(sentence: Sentence) -> Iterator[Fraction]:
    words = [token[0] for token in sentence.tokens]
    for word in words:
        if (factor := FACTORS.get(word)) is not None:
            yield max(factor, 1 / factor)
    if {"both", "each"} & set(words):
        yield Fraction(2)


def _counts(sentence: Sentence) -> set[Fraction]:
    return {
        a.number for a in sentence.amounts if a.kind in ("count", "bare") and 1 < a.number < 10_000
    }


def plain(amount: Amount) -> str:
    """A number with its label, in plain digits."""
    return f"{number_text(amount.number)} {amount.label}"


def in_unit_of(left: Amount, right: Amount) -> str:
    """One number in the unit of another."""
    factor = right.unit.factor if right.unit else Fraction(1)
    return f"{number_text(left.base / factor)} {right.label}"


def number_text(value: Fraction) -> str:
    """A value to six digits."""
    return f"{float(value):.6g}"
