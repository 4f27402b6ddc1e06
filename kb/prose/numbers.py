"""Quantities in sentences: numbers as people write them, with units, ranges and factors.

Every pattern here moves forward only, so that no input takes more than linear time. What
is part of a word (`FP8`, `v6e`), of a version or of a date is no quantity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice

from kb.prose.labels import Label, read_label
from kb.prose.lexicon import COUNTED, DECIMAL_COMMA, ENGLISH, LETTER, NUMBER_WORDS, UNSPACED
from kb.units import Unit

_GAP = "\u00a0\u202f"
_NUMBER = re.compile(
    rf"""(?<!{LETTER}) (?<![.,:#§$€@]) (?<!{LETTER}-) (?<!\)-)
      (?P<digits>\d{{1,3}}(?:[{_GAP}]\d{{3}})+(?!\d)(?:[.,]\d+)?
        | \d+(?:_\d+)+ | \d+(?:[.,]\d+)*)
      (?:[eE](?P<exponent>[+-]?\d{{1,3}})(?!\w) | \s?[·×x]\s?10\^?(?P<power>\d\d)(?!\w))?""",
    re.VERBOSE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MOST_DIGITS = 40
_MOST_EXPONENT = 30
_TOPOLOGY = re.compile(r"(?<![\w.,])\d{1,5}(?:\s?[x×]\s?\d{1,5}){1,2}(?![\w.]|\s?[x×])")
_BETWEEN = re.compile(r"[\s\u00a0\u202f] {5,7}(?! )|[\s\u00a0\u202f]{0,3}-?[\s]?")
"""A blank between number and unit; one that was written as an entity is as long as that."""
# `We ran it 3 times.` counts runs; `we measured 3 times the rate` doesn't.
_RUN = re.compile(
    r"\b(?:ran|run|repeated?|measured?|tried|called|executed|timed)"
    r"(?: (?:it|them|each|this|that))? \Z"
)
_PAUSE = re.compile(r" ?(?:[,.;:)]|and\b|\Z)")
_TIMES = re.compile(rf"\s{{0,2}}(?:[x×](?!{LETTER})|times\b|-?fold\b|mal\b|fach\b|-?faktor\b)")
_PERCENT = re.compile(r"\s{0,2}(?:%|percent\b|per cent\b|prozent\b)", re.IGNORECASE)
_NO_END = re.compile(rf"[^\W\d{UNSPACED}]")
_JOIN = re.compile(r"\s?(?:[/|–-]|to|and|or|bis|und|auf|oder|vs\.?|versus|against|gegen)\s?\Z")
_FACTOR = re.compile(r"\s?(?:[\w-]+\s)?[×x*·]\s?\Z")
_VERSION = (
    *("version", "v", "release", "jax", "cuda", "python", "driver"),
    *("section", "table", "figure", "gen", "page"),
)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d(?:-\d\d)?(?!\d)|(?<!\d)\d\d?\.\d\d?\.(?:19|20)\d\d")
_ABOUT = (
    *("~", "≈", "about", "around", "approximately", "roughly", "some", "almost", "nearly", "over"),
    *("rund", "etwa", "knapp", "circa"),
)
LEAD = 15
"""How many letters before a number are looked at for a word that says what it is."""


def _ends(lead: str, words: tuple[str, ...]) -> bool:
    """Whether a stretch in lower case ends in one of some words, or in one and a blank."""
    return lead.endswith(words) or (lead[-1:].isspace() and lead[:-1].endswith(words))


JUDGED = frozenset({"information", "information_rate", "operations", "power", "frequency"})
"""Kinds of amounts that a catalogue of accelerators can know."""


@dataclass(frozen=True, slots=True)
class Amount:
    """One number of a text, with what it is a number of."""

    start: int
    end: int
    kind: str
    """information, information_rate, operations, power, time …, count, ratio, percent, work,
    topology, open (a prefix without a unit) or bare."""
    number: Fraction
    half_step: Fraction = Fraction(0)
    """Half of the last printed digit, in the printed unit."""
    unit: Unit | None = None
    label: str = ""
    approximate: bool = False
    inherited: bool = False
    """The unit stands at a neighbour: `9/18 petaFLOPS`."""
    parts: tuple[int, ...] = ()
    """The sides of a topology: 4 and 8 of `4x8`."""

    @property
    def base(self) -> Fraction:
        """The value in base units; the number itself where it has no unit."""
        return _in_base(self.number, self.unit)

    @property
    def floats(self) -> tuple[float, float]:
        """Value and half step in base units, as floats for looking up."""
        factor = _float_factor(self.unit) if self.unit else 1.0
        number, half = self.number, self.half_step
        return (
            number.numerator / number.denominator * factor,
            half.numerator / half.denominator * factor,
        )

    @property
    def step(self) -> Fraction:
        """Half of the last printed digit, in base units."""
        return _in_base(self.half_step, self.unit)


@lru_cache(maxsize=512)
def _float_factor(unit: Unit) -> float:
    return float(unit.factor)


@lru_cache(maxsize=16_384)
def _in_base(number: Fraction, unit: Unit | None) -> Fraction:
    return number * unit.factor if unit else number


def has_decimal_comma(words: Sequence[str]) -> bool:
    """Whether the language of a sentence writes `7,7` and `1.200`, by its function words."""
    comma = len([word for word in words if word in DECIMAL_COMMA])
    return comma > 1 and comma > len([word for word in words if word in ENGLISH])


_FREE_DIGIT = re.compile(rf"\d(?<![^\W_{UNSPACED}]\d)")


def has_number(text: str) -> bool:
    """Whether any number stands in a text in digits; words such as `eight` don't count."""
    return next(_numbers(text, 0, len(text), comma=False), None) is not None


def has_free_digit(text: str) -> bool:
    """Whether a digit stands in a text that no letter or digit stands before.

    Without one there is no number, also where marks and addresses are blanked out afterwards:
    nothing that is ends with a letter and goes before a digit.
    """
    return _FREE_DIGIT.search(text) is not None


def amounts(
    text: str,
    start: int,
    end: int,
    *,
    comma: bool,
    names: Sequence[tuple[int, int]] = (),
    tokens: Sequence[tuple[str, int, int]] = (),
    zero: bool = False,
) -> list[Amount]:
    """Every number of a stretch of text, in order.

    `tokens` are its words, for numbers that are spelled out. `names` are the stretches of
    product names: their digits are no numbers, and a plain number before one counts
    accelerators (`eight B200`). A zero is a number of its own only where `zero` asks for it:
    no figure of an accelerator is one.
    """
    stretch = text[start:end]
    dates = _DATE.finditer(text, start, end) if _YEAR.search(stretch) else ()
    taken = [*names, *(m.span() for m in dates)]
    crossed = "x" in stretch or "×" in stretch
    found = []
    for match in _TOPOLOGY.finditer(text, start, end) if crossed else ():
        if read_label(text, _skip(text, match.end(), end), end) is None:
            sides = tuple(int(side) for side in re.findall(r"\d+", match[0]))
            found.append(Amount(match.start(), match.end(), "topology", Fraction(0), parts=sides))
            taken.append((match.start(), match.end()))
    for match in _numbers(text, start, end, comma=comma):
        if any(a < match.end() and match.start() < b for a, b in taken):
            continue
        if amount := _amount(text, match, end, names, comma=comma, zero=zero):
            found.append(_of_names(text, amount, names))
    spans = [(a.start, a.end) for a in found] + taken
    for token, first, last in [token for token in tokens if token[0] in NUMBER_WORDS]:
        word = _counted(text, last, end) or _named(text, last, names)
        tail = text.endswith("ty-", start, first)  # `twenty-one` is no one
        if word and not tail and not any(a <= first < b for a, b in spans):
            number = Fraction(NUMBER_WORDS[token])
            found.append(Amount(first, word[1], "count", number, label=word[0]))
    return _shared(text, sorted(found, key=lambda a: a.start))


def _numbers(text: str, start: int, end: int, *, comma: bool) -> Iterator[re.Match[str]]:
    """Every number: tried where digits begin, since the pattern looks behind itself first."""
    done = start
    for run in _DIGITS.finditer(text, start, end):
        if run.start() < done:
            continue
        match = (comma and _SPACED.match(text, run.start(), end)) or _NUMBER.match(
            text, run.start(), end
        )
        if match is not None:
            done = match.end()
            yield match


_DIGITS = re.compile(r"\d+")
_SPACED = re.compile(
    rf"(?<!{LETTER})(?<![.,:#§$€@])(?<!{LETTER}-)"
    r"(?P<digits>\d{1,3}(?: \d{3})+(?![\d ]\d)(?:,\d+)?)"
    r"(?P<exponent>(?!))?(?P<power>(?!))?(?=\s?[A-Za-z])"
)
"""`1 638 Go/s`, in languages that write a decimal comma; a blank parts thousands there."""


def _amount(
    text: str,
    match: re.Match[str],
    end: int,
    names: Sequence[tuple[int, int]],
    *,
    comma: bool,
    zero: bool,
) -> Amount | None:
    after = match.end()
    digits = match["digits"]
    power = int(match["exponent"] or match["power"] or 0)
    if len(digits) > _MOST_DIGITS or abs(power) > _MOST_EXPONENT:
        return None  # no figure of any machine
    lead = text[max(0, match.start() - LEAD) : match.start()].lower()
    if _is_version(digits, lead[-10:]) or _counts_runs(text, lead, after, end):
        return None
    number, half = _value(digits, comma=comma)
    if power:
        number, half = number * Fraction(10) ** power, half * Fraction(10) ** power
    if not number and not zero:
        return None
    about = _ends(lead, _ABOUT)
    made = Amount(match.start(), after, "bare", number, half, approximate=about)
    if (times := _TIMES.match(text, after, end)) and _several(text, times.end(), end, names):
        return replace(made, end=times.end(), kind="count", label="accelerator")
    if times:
        factor = text[after : times.end()].strip() in ("x", "×") and _factor_follows(
            text, times.end(), end
        )
        if not factor:
            return replace(made, end=times.end(), kind="ratio", label=times[0].strip())
    if percent := _PERCENT.match(text, after, end):
        return replace(made, end=percent.end(), kind="percent", label="%")
    if with_unit := _with_unit(text, made, end):
        return with_unit
    if word := _counted(text, after, end):
        return replace(made, end=word[1], kind="count", label=word[0], half_step=Fraction(0))
    if after < end and _NO_END.match(text, after):
        return None
    return made


def _with_unit(text: str, made: Amount, end: int) -> Amount | None:
    """The number with the unit behind it, if need be behind words such as `dense BF16`."""
    label = read_label(text, _skip(text, made.end, end), end)
    if label is not None:
        return _labelled(made, label)
    if told := _QUALIFIED.match(text, made.end, end):
        label = read_label(text, told.end(), end)
        if label is not None and label.kind == "operations":
            return replace(_labelled(made, label), end=made.end, inherited=True)
    return None


_QUALIFIED = re.compile(
    r"\s(?:(?:dense|sparse|peak|theoretical|NVFP4|MXFP4|FP4|FP6|FP8|FP16|BF16|bfloat16|FP32|FP64|TF32|"
    r"INT8)[\s-]){1,3}",
    re.IGNORECASE,
)
"""Words between a number and its unit: `2,250 dense BF16 TFLOPS`."""
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")


def _is_version(digits: str, lead: str) -> bool:
    """Whether this is a version such as 0.10.2, or stands behind a word such as `release`."""
    dotted = digits.count(".") > 1 and "," not in digits
    return (dotted and not _THOUSANDS.fullmatch(digits)) or _ends(lead, _VERSION)


_MAKER = re.compile(r"\s?(?:NVIDIA|AMD|Intel|Google|AWS|Cloud)?\s?(?:GPUs?\b|TPUs?\b)?")


def _counts_runs(text: str, lead: str, after: int, end: int) -> bool:
    times = _TIMES.match(text, after, end) if _RUN.search(lead) else None
    return times is not None and _PAUSE.match(text, times.end(), end) is not None


def _several(text: str, at: int, end: int, names: Sequence[tuple[int, int]]) -> bool:
    """Whether `8x` counts what follows: `8x B200`, `4 × NVIDIA H100`, `8x GPU`."""
    match = _MAKER.match(text, at, end)
    behind = match.end() if match else at
    device = match is not None and match[0].rstrip("s").endswith(("GPU", "TPU"))
    return device or any(at <= start <= behind for start, _ in names)


def _of_names(text: str, amount: Amount, names: Sequence[tuple[int, int]]) -> Amount:
    named = _named(text, amount.end, names) if amount.kind == "bare" else None
    return replace(amount, kind="count", label=named[0]) if named else amount


def _named(text: str, at: int, names: Sequence[tuple[int, int]]) -> tuple[str, int] | None:
    near = (a for a, _ in names if 0 < a - at <= 4 and text[at:a].strip(" \u00a0-x×") == "")
    return ("accelerator", at) if next(near, None) is not None else None


def _labelled(made: Amount, label: Label) -> Amount:
    number, half = made.number, made.half_step
    if label.scale > 1:
        number, half = number * label.scale, half * label.scale
    return Amount(
        made.start, label.end, label.kind, number, half, label.unit, label.text, made.approximate
    )


def _factor_follows(text: str, at: int, end: int) -> bool:
    return _DIGIT_AFTER.match(text, at, end) is not None


_DIGIT_AFTER = re.compile(r"\s?\d")
_SEPARATORS = re.compile(rf"[{_GAP}_ ]")
_DECIMAL_COMMA = re.compile(r"\d+,\d{1,2}|\d+,\d{4,}")
_DECIMAL_POINT = re.compile(r"\d+\.(?:\d{1,2}|\d{4,})")


def _skip(text: str, at: int, end: int) -> int:
    match = _BETWEEN.match(text, at, end)
    return match.end() if match else at


_NEXT_WORD = re.compile(r"[\s-]{1,2}([^\W\d_][\w.]*)")


def _counted(text: str, at: int, end: int) -> tuple[str, int] | None:
    """What a plain number counts, within the next three words."""
    position = at
    for match in islice(_NEXT_WORD.finditer(text, at, min(end, at + 45)), 4):
        if match.start() != position:
            return None
        kind = COUNTED.get(match[1].lower().rstrip("."))
        if kind == "tensor_core":
            kind = (
                kind if text[match.end() : match.end() + 5].lower() in (" core", "-core") else None
            )
        if kind:
            return kind, match.end()
        if match[1].lower() in ("of", "and", "per", "in", "to", "with", "a", "the", "is", "are"):
            return None
        position = match.end()
    return None


@lru_cache(maxsize=4096)
def _value(digits: str, *, comma: bool) -> tuple[Fraction, Fraction]:
    """The number, and half of its last digit; commas and points read by the language."""
    plain = _SEPARATORS.sub("", digits)
    point, other = (",", ".") if comma else (".", ",")
    if _DECIMAL_COMMA.fullmatch(plain):
        point, other = ",", "."  # no group of three: a decimal comma in any language
    if comma and _DECIMAL_POINT.fullmatch(plain):
        point, other = ".", ","
    plain = plain.replace(other, "").replace(point, ".")
    plain = plain.replace(".", "", plain.count(".") - 1) if plain.count(".") > 1 else plain
    decimals = len(plain.partition(".")[2])
    return Fraction(plain), Fraction(1, 2 * 10**decimals)


def _shared(text: str, found: list[Amount]) -> list[Amount]:
    """Give a bare number the unit of the next one in `9/18 petaFLOPS` or `80 and 40 TFLOPS`."""
    for i in range(len(found) - 2, -1, -1):
        one, following = found[i], found[i + 1]
        if one.kind != "bare" or not following.unit:
            continue
        between = text[one.end : following.start]
        listed = following.inherited and between == ", "
        if listed or (len(between) < 10 and _JOIN.search(between)):
            found[i] = replace(
                one, kind=following.kind, unit=following.unit, label=following.label, inherited=True
            )
    return _elliptic(text, found)


_LEAVES = re.compile(
    r"\b(?:leaves|leave|gives|makes|yields|becomes|remain|remains|than|than the|only|to|bleiben|"
    r"ergibt|macht|als die)\s\Z"
)
_CLOSED = re.compile(r"\s*(?:[.;,)]|\Z|that\b|the\b|which\b|for\b|in\b|without\b|with\b)")


def _elliptic(text: str, found: list[Amount]) -> list[Amount]:
    """Give the number of `that leaves 9` the unit of the quantity before it."""
    last: Amount | None = None
    for i, one in enumerate(found):
        if one.kind == "bare":
            if last is None:
                continue
            lead = text[max(last.end, one.start - 14) : one.start]
            year = 1900 <= one.number <= 2100
            if not year and _LEAVES.search(lead) and _CLOSED.match(text, one.end, one.end + 8):
                found[i] = replace(
                    one, kind=last.kind, unit=last.unit, label=last.label, inherited=True
                )
        elif one.unit is not None and one.kind != "time":
            last = one
    return found
