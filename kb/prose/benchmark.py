"""Sentences that set two products against each other on a benchmark: what published results say.

`B200 is 5.8x faster than v6e on SDXL` is a statement about published results. Where the
factor is that of two totals which the benchmark's owner's rules keep apart, it is wrong;
where it may be derived, what has to be said beside it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

from kb.compare import compare
from kb.corpus import ResultEntry
from kb.prose.context import Sentence
from kb.prose.known import Known
from kb.prose.remark import Remark
from kb.published import operand_of_result
from kb.qualifiers import Metric, Scenario, words
from kb.verdict import Verdict

RULE = "published-result"
ALIASES = {"sdxl": "stable-diffusion-xl"}
"""Short names of benchmarks beside their own."""

_AHEAD = re.compile(
    r"\b(?:faster|slower|quicker|beats?|outperforms?|ahead|wins?|leads?|speedup|throughput)\b", re.I
)
_PER_ONE = re.compile(r"\b(?:per|each|for each|a)[\s-](?:accelerator|chip|GPU)\b", re.I)
_TARGET = re.compile(r"-99(?:\.9)?\Z")
_SCENARIOS = {
    "offline": Scenario.OFFLINE,
    "server": Scenario.SERVER,
    "interactive": Scenario.INTERACTIVE,
}
SAID = {
    "version": re.compile(r"\bv?\d\.\d\b.*\bv?\d\.\d\b"),
    "availability": re.compile(r"\bpreview\b", re.I),
    "number_formats": re.compile(r"\b(?:fp8|fp4|bf16|fp16|int8)\b", re.I),
    "verification": re.compile(r"\bunverified\b", re.I),
    "nodes": re.compile(r"\bnodes?\b", re.I),
}
"""How a sentence says a difference that has to be said."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two published results of the two products, with both of their verdicts."""

    left: ResultEntry
    right: ResultEntry
    total: Verdict
    derived: Verdict

    @property
    def quotient(self) -> Fraction:
        """The quotient of the totals, whether or not it may be formed."""
        return self.left.result.quantity.base / self.right.result.quantity.base

    @property
    def unlike(self) -> tuple[str, ...]:
        """Everything in which the two differ."""
        axes = [reason.axis for reason in self.total.reasons]
        cautions = [c.about for c in self.total.cautions if c.about != "submission"]
        return tuple(dict.fromkeys((*axes, *cautions)))


def published(sentence: Sentence, known: Known) -> Iterator[Remark]:
    """Judge a sentence that sets two products against each other on a known benchmark."""
    if not known.corpus.imports or sentence.has("doubt"):
        return
    benchmarks = _benchmarks(sentence.words(), known)
    if not benchmarks:
        return
    hardware = [n for n in sentence.names if len(n.products) == 1 and not n.software]
    named = list(dict.fromkeys(n.products[0] for n in hardware))
    if len(named) != 2:
        return
    pairings = _pairings(sentence, named[0], named[1], benchmarks, known)
    if not pairings:
        return
    factors = [a for a in sentence.amounts if a.kind == "ratio"]
    for amount in factors:
        slack = max(amount.half_step, amount.number / 100)
        yield _judged(sentence, amount.number, slack, amount.start, amount.end, pairings)
    if not factors and (ahead := _AHEAD.search(sentence.words())):
        start = sentence.start + ahead.start()
        closest = min(pairings, key=lambda p: (len(p.unlike), not (_own(p.left) and _own(p.right))))
        text = f"{_sides(closest)} differ in {_listed(closest.unlike)}; say which results are meant"
        yield Remark("open", RULE, start, start + len(ahead[0]), closest.unlike, text)


def _judged(
    sentence: Sentence,
    value: Fraction,
    slack: Fraction,
    start: int,
    end: int,
    pairings: Sequence[Pairing],
) -> Remark:
    """What the published results say about one stated factor."""
    close = partial(_closest, value=value, slack=slack)
    allowed = close([(p, p.total.ratio) for p in pairings])
    derived = close([(p, p.derived.ratio) for p in pairings if not p.total.allows_ratio])
    refused = close([(p, p.quotient) for p in pairings if not p.total.allows_ratio])
    if allowed is None and derived is None and refused is not None:
        return _refused(start, end, value, refused)
    if found := allowed or derived:
        said = _unsaid(sentence, found)
        if not said:
            return Remark("fine", "", start, end, (), _sides(found))
        how = "" if allowed else "the ratio is derived for each accelerator; "
        text = f"{_sides(found)}: {how}what has to be said beside it is {_listed(said)}"
        return Remark("open", RULE, start, end, said, text)
    known = ", ".join(dict.fromkeys(f"{_number(p.quotient)}" for p in pairings[:4]))
    text = f"no two published results of these products give this factor; totals give {known}"
    return Remark("open", RULE, start, end, ("benchmark",), text)


def _refused(start: int, end: int, value: Fraction, pair: Pairing) -> Remark:
    axes = pair.unlike
    why = "; ".join(reason.why for reason in pair.total.reasons)
    cautions = "; ".join(c.text for c in pair.total.cautions if c.about != "submission")
    text = f"{_number(value)} is the ratio of two totals, {_sides(pair)}: {why}"
    text += f"; besides, {cautions}" if cautions else ""
    suggestion = ""
    if pair.derived.ratio is not None and pair.derived.allows_ratio:
        # `slower` turns the ratio round, and readers write the one above 1.
        suggestion = _number(max(pair.derived.ratio, 1 / pair.derived.ratio))
        text += f"; for each accelerator it is {suggestion}, a derived figure"
    return Remark("wrong", RULE, start, end, axes, text, suggestion)


def _closest(
    pairings: Sequence[tuple[Pairing, Fraction | None]], value: Fraction, slack: Fraction
) -> Pairing | None:
    """The pairing whose ratio the factor's digits allow; a vendor's own results first."""
    found = []
    for pair, ratio in pairings:
        if ratio is None:
            continue
        off = min(abs(ratio - value), abs(1 / ratio - value))
        if off <= slack:
            foreign = sum(not _own(entry) for entry in (pair.left, pair.right))
            found.append((foreign, off, pair.left.id, pair.right.id, pair))
    return min(found, key=lambda item: item[:4])[4] if found else None


def _own(entry: ResultEntry) -> bool:
    """Whether the maker of the accelerator submitted it."""
    submitter, printed = entry.result.submitter, entry.result.accelerators.printed
    return printed.startswith("TPU" if submitter == "Google" else submitter)


def _unsaid(sentence: Sentence, pair: Pairing) -> tuple[str, ...]:
    """What has to be said beside the ratio, and the sentence doesn't."""
    text = sentence.words()
    verdict = pair.total if pair.total.allows_ratio else pair.derived
    about = dict.fromkeys(caution.about for caution in verdict.cautions)
    unsaid = [axis for axis in about if axis in SAID and not SAID[axis].search(text)]
    if "normalisation" in about and not _PER_ONE.search(text):
        unsaid.append("normalisation")
    if pair.left.result.scenario.value.split("_")[0] not in text.lower():
        unsaid.append("scenario")
    return tuple(unsaid)


def _pairings(
    sentence: Sentence, left: str, right: str, benchmarks: set[str], known: Known
) -> list[Pairing]:
    """Every pair of results of the two products in one benchmark and one scenario."""
    text = sentence.words().lower()
    wanted = {scenario for word, scenario in _SCENARIOS.items() if word in text}
    rates = [
        entry
        for entry in known.corpus.results.values()
        if entry.result.benchmark in benchmarks
        and entry.result.metric is Metric.RATE
        and entry.result.accelerators.product in (left, right)
        and (not wanted or entry.result.scenario in wanted)
    ]
    mine = [entry for entry in rates if entry.result.accelerators.product == left]
    others = [entry for entry in rates if entry.result.accelerators.product == right]
    return [
        _paired(one.id, other.id, known)
        for one in mine
        for other in others
        if one.result.scenario is other.result.scenario
        and one.result.benchmark == other.result.benchmark
        and one.result.division is other.result.division
    ]


@lru_cache(maxsize=20_000)
def _paired(left: str, right: str, known: Known) -> Pairing:
    """Two results with their verdicts; kept, since a text repeats itself."""
    one, other = known.corpus.results[left], known.corpus.results[right]
    total = compare(operand_of_result(one), operand_of_result(other))
    derived = compare(
        operand_of_result(one, "per_accelerator"), operand_of_result(other, "per_accelerator")
    )
    return Pairing(one, other, total, derived)


def _benchmarks(text: str, known: Known) -> set[str]:
    """The benchmarks that a sentence names, each with every quality target."""
    names = _names(known)
    found = {match[0] for match in names.pattern.finditer(text.lower())}
    return {key for spelling in found for key in names.meant(spelling)}


@dataclass(frozen=True)
class _Names:
    """Every spelling of every imported benchmark in one pattern, since each sentence is asked."""

    pattern: re.Pattern[str]
    keys: frozenset[str]

    def meant(self, spelling: str) -> Iterator[str]:
        """The benchmarks that a spelling may mean."""
        for key in self.keys:
            if ALIASES.get(spelling) == key or re.fullmatch(_spelled(key), spelling):
                yield key


@lru_cache(maxsize=8)
def _names(known: Known) -> _Names:
    keys = frozenset(entry.result.benchmark for entry in known.corpus.results.values())
    aliases = [re.escape(alias) for alias, key in ALIASES.items() if key in keys]
    spelled = sorted({*map(_spelled, keys), *aliases}, key=len, reverse=True)
    return _Names(re.compile(rf"\b(?:{'|'.join(spelled)})\b"), keys)


def _spelled(name: str) -> str:
    """A benchmark's name with blanks or hyphens between its letters and digits, as a pattern."""
    parts = re.findall(r"[a-z]+|\d+(?:\.\d+)?", _TARGET.sub("", name))
    return r"[\s_-]*".join(re.escape(part) for part in parts)


def _sides(pair: Pairing) -> str:
    return " against ".join(_one(entry) for entry in (pair.left, pair.right))


def _one(entry: ResultEntry) -> str:
    result = entry.result
    held = result.accelerators
    counted = f"{held.total} × " if held.total else ""
    what = f"{result.published} on {counted}{held.printed}"
    return f"{what} ({result.submitter}, {result.version}, {result.availability})"


def _listed(axes: Sequence[str]) -> str:
    return ", ".join(words(axis) for axis in axes)


def _number(value: Fraction) -> str:
    return f"{float(value):.3g}"
