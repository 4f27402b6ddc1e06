"""Unit labels as people write them in sentences, mapped to the one closed vocabulary.

`kb.units` refuses spellings that no source should print; a reader of other people's prose
must still know what `teraflop`, `PF` or `GByte pro Sekunde` say. A bare `G` stays open.
"""

from __future__ import annotations

import functools
import re

from kb.prose.lexicon import LETTER
from kb.units import Unit, labels

_SHORT = {"": "", "k": "k", "K": "k", "M": "M", "G": "G", "T": "T", "P": "P", "E": "E"}
_LONG = {
    "": "",
    "kilo": "k",
    "mega": "M",
    "giga": "G",
    "tera": "T",
    "peta": "P",
    "exa": "E",
    "kibi": "Ki",
    "mebi": "Mi",
    "gibi": "Gi",
    "tebi": "Ti",
    "pebi": "Pi",
}
_ABBREVIATED = re.compile(r"(?P<p>[kKMGTPE]?)(?P<i>i?)(?P<b>B|[Bb]ytes?|b|[Bb]its?)(?P<s>ps)?")
_SPELLED = re.compile(
    r"(?P<p>kilo|mega|giga|tera|peta|exa|kibi|mebi|gibi|tebi|pebi|)(?P<b>bytes?|bits?|octets?)(?P<s>ps)?"
)
_OPS = re.compile(
    r"(?P<p>kilo|mega|giga|tera|peta|exa|[kmgtpe]|)(?P<b>flop|op)(?:s|ps)?", re.IGNORECASE
)
_BRIEF = re.compile(r"(?P<p>[GTPE])F")
_PLAIN = {
    "W": "W",
    "kW": "kW",
    "MW": "MW",
    "watt": "W",
    "watts": "W",
    "kilowatt": "kW",
    "kilowatts": "kW",
    "Hz": "Hz",
    "kHz": "kHz",
    "MHz": "MHz",
    "GHz": "GHz",
    "ns": "ns",
    "us": "us",
    "μs": "us",
    "ms": "ms",
    "s": "s",
    "sec": "s",
    "secs": "s",
    "nanoseconds": "ns",
    "microsecond": "us",
    "microseconds": "us",
    "millisecond": "ms",
    "milliseconds": "ms",
    "second": "s",
    "seconds": "s",
    "minute": "min",
    "minutes": "min",
    "mikrosekunden": "us",
    "millisekunden": "ms",
    "sekunden": "s",
    "sekunde": "s",
}
_RATE = re.compile(
    r"\s?/\s?(?:sec|second|s|Sekunde)(?![A-Za-z\d_])"
    r"|\s(?:per|a|each|every|in a|in one|pro|je|par|por)\s"
    r"(?:second|sec|s|Sekunde|seconde|segundo)\b"
)
_HEAD = re.compile(r"[A-Za-zμ]+")
_JOINED = re.compile(LETTER)
_OCTETS = re.compile(r"(?:[kKMGTP]i?)o")
_FRENCH = re.compile(r"\b(?:de|du|des|le|la|les|une?|et|avec|par|chaque)\b")
NEAR = 60
"""How many characters around `180 Go` are looked at for a French word."""
_NETWORK = re.compile(r"[ -]?(?:Ethernet|InfiniBand|RoCE|NICs?|Ports?|ports?|Netzwerk)\b")
_WORK = re.compile(
    r"\s?(?:floating[ -]point )?(?:operations|operationen|ops|multiply-adds|flops?)\b",
    re.IGNORECASE,
)
_SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
}
_GERMAN_SCALES = {
    "tausend": 10**3,
    "millionen": 10**6,
    "milliarden": 10**9,
    "billionen": 10**12,
    "billiarden": 10**15,
}


class Label:
    """What stands behind a number: where it ends, what it means, and a factor for the number."""

    __slots__ = ("end", "kind", "scale", "text", "unit")

    def __init__(self, end: int, text: str, unit: Unit | None, kind: str, scale: int = 1) -> None:
        self.end, self.text, self.unit, self.kind, self.scale = end, text, unit, kind, scale


def read_label(text: str, at: int, end: int) -> Label | None:
    """The unit label that begins at `at`; None where the next word is no unit."""
    match = _HEAD.match(text, at, end)
    if match is None:
        return None
    word = match[0]
    if (scale := _SCALES.get(word.lower()) or _GERMAN_SCALES.get(word.lower())) is not None:
        return _scaled(text, match, end, scale)
    after = match.end()
    if after < end and _JOINED.match(text, after):
        return None
    rate = _RATE.match(text, after, end)
    if _OCTETS.fullmatch(word):
        near = max(0, at - NEAR), min(end, after + NEAR)
        if rate is None and _FRENCH.search(text, *near) is None:
            return None
        word = f"{word[:-1]}B"
    if word in ("G", "M", "T", "K") and at and text[at - 1].isdigit():
        return Label(after, word, None, "open")
    if word == "B" and rate is None and at and text[at - 1].isdigit():
        return Label(after, word, None, "other")  # `70B` counts parameters, in billions
    wired = word in ("Gb", "Gbit") and _NETWORK.match(text, after, end) is not None
    if rate is None and _ONE_JOB.match(text, after, end) and _OPS.fullmatch(word):
        return Label(after, word, None, "work")
    unit = unit_named(word, rate=rate is not None or wired)
    if unit is None:
        return _work(text, at, end)
    stop = rate.end() if rate and unit.kind.endswith("rate") else after
    return Label(stop, text[at:stop], unit, _KINDS.get(unit.kind, unit.kind))


_ONE_JOB = re.compile(
    r"\s(?:matmul|matrix|GEMM|step|kernel|job|workload|forward|problem"
    r"|per (?:token|step|sample|image))"
    r"|\sof (?:work|arithmetic)\b",
    re.IGNORECASE,
)
"""What takes a number of operations and has no rate: `a 1 PFLOP matmul`."""
_KINDS = {"flop_rate": "operations", "op_rate": "operations"}


def _work(text: str, at: int, end: int) -> Label | None:
    match = _WORK.match(text, at, end)
    return Label(match.end(), match[0], None, "work") if match else None


def _scaled(text: str, match: re.Match[str], end: int, scale: int) -> Label | None:
    """`4.6 trillion operations each second`; without a rate it is an amount of work."""
    noun = _WORK.match(text, match.end(), end)
    if noun is None:
        return Label(match.end(), match[0], None, "other", scale)
    rate = _RATE.match(text, noun.end(), end)
    if rate is None:
        return Label(noun.end(), text[match.start() : noun.end()], None, "work", scale)
    label = text[match.start() : rate.end()]
    return Label(rate.end(), label, labels()["OP/s"], "operations", scale)


@functools.lru_cache(maxsize=4096)
def unit_named(word: str, *, rate: bool) -> Unit | None:
    """The unit that a word names, with or without `per second` behind it."""
    if symbol := _PLAIN.get(word) or _PLAIN.get(word.lower()):
        return labels().get(symbol)
    if match := _ABBREVIATED.fullmatch(word):
        if match["i"] and not match["p"]:
            return None
        prefix = _SHORT[match["p"]]
        prefix = f"{'K' if match['i'] and prefix == 'k' else prefix}{match['i']}"
        return _data(prefix, match["b"], rate=rate or bool(match["s"]))
    if match := _SPELLED.fullmatch(word.lower()):
        return _data(_LONG[match["p"]], match["b"], rate=rate or bool(match["s"]))
    if match := _BRIEF.fullmatch(word):
        return labels().get(f"{match['p']}FLOP/s")
    if (match := _OPS.fullmatch(word)) and len(word) > 2:
        prefix = match["p"].lower()
        short = _LONG.get(prefix, prefix.upper() if prefix != "k" else "k")
        return labels().get(f"{short}{match['b'].upper()}/s") if short or rate else None
    return None


def _data(prefix: str, base: str, *, rate: bool) -> Unit | None:
    letter = "B" if base == "B" or base.lower().startswith(("byte", "octet")) else "bit"
    return labels().get(f"{prefix}{letter}{'/s' if rate else ''}")


_HEADER = re.compile(
    r"[(\[,]\s*|\b(?:in|unit:?)\s+|\A\s*"
    r"|\b(?:(?:MX|NV)?FP|BF|TF|INT)\d{1,2}\s+(?:(?:dense|sparse|peak)\s+)?",
    re.IGNORECASE,
)


def header_label(text: str) -> Label | None:
    """The unit that a table head gives to its cells: `HBM (GB)`, `bandwidth, TB/s`."""
    found = None
    for match in _HEADER.finditer(text):
        label = read_label(text, match.end(), len(text))
        if label is not None and label.unit is not None:
            rest = text[label.end :].strip()
            if not rest or rest[0] in ")],;(":
                found = label
    return found
