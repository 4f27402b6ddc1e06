"""Typed citations: links whose target is a claim, a comparison, evidence, a decision or a rule.

The text of a citation must say what its target says: the same number under the same unit.
Where it doesn't, the right text is known, so `kb fix` can write it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from kb.compare import compare
from kb.corpus import Corpus
from kb.finding import quoted
from kb.operand import Operand, operand_of_claim
from kb.prose import compiled, studied
from kb.prose.numbers import Amount, amounts
from kb.prose.text import code_blanked
from kb.published import named, operand_of_result
from kb.quantity import QuantityError
from kb.verdict import Verdict

if TYPE_CHECKING:
    from kb.model.artefact import Artefact
    from kb.model.evidence import Evidence
    from kb.model.study import Study

Flaw = Literal[
    "broken-citation",
    "stale-citation",
    "compare-citation-without-ratio",
    "bracket-ignored",
    "compiled-evidence-cited-for-speed",
]
KINDS = ("claim", "compare", "evidence", "result", "decision", "rule")
"""What a typed citation may lead to."""

MOST = 100
"""How many faults of one text are told; nobody reads more, and each costs a look at its line."""

_LINK = re.compile(
    r"\[(?P<text>[^\[\]]*)\]\(\s*<?(?P<target>(?P<kind>claim|compare|evidence|result|decision|rule):[^\s()<>]*)"
)


@dataclass(frozen=True, slots=True)
class Citation:
    """One typed citation, with the places of its text and of its target."""

    kind: str
    target: str
    """What stands behind the kind: an id, or `left..right`."""
    text: str
    start: int
    end: int
    target_start: int
    target_end: int


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a citation."""

    flaw: Flaw
    start: int
    end: int
    message: str
    remedy: str
    replacement: str = ""
    """The text that the link should have; empty where it is not known."""

    def instead(self, text: str) -> str:
        """What can stand in place of the marked part of the link's text; empty where unknown."""
        opened = text.rfind("[", 0, self.start) + 1
        closed = text.find("]", self.end)
        before, after = text[opened : self.start], text[self.end : closed]
        return self.replacement.removeprefix(before).removesuffix(after)


def citations(text: str) -> list[Citation]:
    """Every typed citation of a Markdown text outside code, in order."""
    if not any(f"{kind}:" in text for kind in KINDS):
        return []
    plain = code_blanked(text)
    return [
        Citation(
            match["kind"],
            match["target"].partition(":")[2],
            text[match.start("text") : match.end("text")],
            match.start("text"),
            match.end("text"),
            match.start("target"),
            match.end("target"),
        )
        for match in _LINK.finditer(plain)
    ]


def faults(
    text: str, corpus: Corpus, rules: Collection[str] | None = None, most: float = MOST
) -> Iterator[Fault]:
    """What is wrong with the citations of a text. Without `rules`, those aren't looked up.

    At most so many faults; the last one says that the citations behind it were not read.
    """
    told = 0
    for citation in citations(text):
        found = fault(citation, corpus, rules)
        if found is None:
            continue
        told += 1
        if told == most:
            unread = f"{found.message}; citations behind this one were not looked at"
            yield replace(found, message=unread)
            return
        yield found


def fault(citation: Citation, corpus: Corpus, rules: Collection[str] | None = None) -> Fault | None:
    """What is wrong with one citation, or None."""
    match citation.kind:
        case "claim":
            return _claim(citation, corpus)
        case "compare":
            return _compare(citation, corpus)
        case "evidence":
            return _evidence(citation, corpus)
        case "result":
            return _result(citation, corpus)
        case "decision":
            return _known(citation, "decision", citation.target, corpus.decisions)
        case _:
            return None if rules is None else _known(citation, "rule", citation.target, rules)


def _known(citation: Citation, what: str, name: str, known: Collection[str]) -> Fault | None:
    if name in known:
        return None
    near = _near(name, tuple(known))
    remedy = f"did you mean {' or '.join(near)}?" if near else f"cite {_ARTICLE[what]} that exists"
    return Fault(
        "broken-citation",
        citation.target_start,
        citation.target_end,
        f"there is no {what} {quoted(name)}",
        remedy,
    )


@lru_cache(maxsize=512)
def _near(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """At most two names that a wrong one may stand for; kept, since a text repeats itself."""
    near = difflib.get_close_matches(name, names, n=2, cutoff=0.6)
    tail = [n for n in names if n.rpartition("/")[2] == name.rpartition("/")[2]]
    return tuple(dict.fromkeys((*near, *tail)))[:2]


_ARTICLE = {
    "claim": "a claim",
    "decision": "a decision",
    "rule": "a rule",
    "evidence record": "an evidence record",
    "result": "a published result",
    "measurement": "a measurement",
}


@lru_cache(maxsize=4096)
def _number(text: str) -> Amount | None:
    """The one number in the text of a citation; kept, since figures are cited again."""
    found = [a for a in amounts(text, 0, len(text), comma=False) if a.kind != "count"]
    return found[0] if len(found) == 1 else None


def _stale(citation: Citation, amount: Amount, message: str, right: str) -> Fault:
    text = citation.text[: amount.start] + right + citation.text[amount.end :]
    start = citation.start + amount.start
    return Fault(
        "stale-citation",
        start,
        citation.start + amount.end,
        message,
        f"write [{text}], or run `kb fix`",
        text,
    )


def _claim(citation: Citation, corpus: Corpus) -> Fault | None:
    name = citation.target.partition("#")[0]
    if broken := _known(citation, "claim", name, corpus.claims):
        return broken
    entry = corpus.claims[name]
    if citation.text == entry.claim.current.published:
        return None  # word for word
    amount = _number(citation.text)
    if amount is None or amount.kind in ("percent", "ratio"):
        return None
    try:
        quantity = entry.claim.current.quantity(entry.claim.metric)
    except QuantityError:
        return None  # the claim's own finding says so
    same_unit = (amount.unit.name if amount.unit else "") == (
        quantity.unit.name if amount.unit or quantity.unit.kind != "number" else ""
    )
    if same_unit and amount.number == quantity.number:
        return None
    message = f"the text says {citation.text.strip()!r}, the claim prints {quantity.text!r}"
    return _stale(citation, amount, message, quantity.text.removeprefix("up to ").removeprefix("~"))


def _result(citation: Citation, corpus: Corpus) -> Fault | None:
    """A figure of a result stands as published: samples and queries are no units of prose."""
    if broken := _known(citation, "result", citation.target, corpus.results):
        return broken
    published, text = corpus.results[citation.target].result.published, citation.text.strip()
    if not any(letter.isdigit() for letter in text) or text == published:
        return None
    message = f"the text says {text!r}, the result prints {published!r}"
    remedy = f"write [{published}], or run `kb fix`"
    return Fault("stale-citation", citation.start, citation.end, message, remedy, published)


def _compare(citation: Citation, corpus: Corpus) -> Fault | None:
    left, dots, right = citation.target.partition("..")
    if not dots:
        return Fault(
            "broken-citation",
            citation.target_start,
            citation.target_end,
            f"'{citation.target}' names no two claims",
            "write compare:LEFT..RIGHT with two claim ids",
        )
    for name in (left, right):
        published = name.partition("/")[0] in corpus.imports
        if published:
            broken = _known(citation, "result", name.partition("#")[0], corpus.results)
        else:
            broken = _known(citation, "claim", name, corpus.claims)
        if broken:
            return broken
    try:
        sides = [_side(name, corpus) for name in (left, right)]
    except (QuantityError, ValueError):
        return None
    verdict = compare(sides[0], sides[1], corpus)
    if not verdict.allows_ratio:
        why = "; ".join(dict.fromkeys(reason.why for reason in verdict.reasons))
        return Fault(
            "compare-citation-without-ratio",
            citation.start,
            citation.end,
            f"{left} and {right} have no ratio ({verdict.kind.replace('_', ' ')}): {why}",
            f"cite the two claims apart; see `kb compare {left} {right}`",
        )
    return _ratio(citation, verdict)


def _side(name: str, corpus: Corpus) -> Operand:
    """A claim, or a published result in the view that is asked for."""
    found = named(name, corpus)
    return operand_of_result(*found) if found else operand_of_claim(corpus.claims[name])


def _ratio(citation: Citation, verdict: Verdict) -> Fault | None:
    amount = _number(citation.text)
    if amount is None or verdict.interval is None or verdict.ratio is None:
        return None
    scale = 100 if amount.kind == "percent" else 1
    least, most = (amount.number + step for step in (-amount.half_step, amount.half_step))
    if verdict.interval.low <= most / scale and least / scale <= verdict.interval.high:
        return None
    right = _rounded(verdict.ratio * scale, amount)
    message = f"the text says {citation.text.strip()!r}, the comparison comes to {right}"
    tail = citation.text[: amount.end][_digits_end(citation.text, amount) :]
    return _stale(citation, amount, message, f"{right}{tail}")


def _digits_end(text: str, amount: Amount) -> int:
    end = amount.start
    while end < amount.end and (text[end].isdigit() or text[end] in ".,_"):
        end += 1
    return end


def _rounded(value: Fraction, amount: Amount) -> str:
    """The value with as many decimals as the text has, three digits at least where it has none."""
    decimals = 0
    while amount.half_step and amount.half_step < Fraction(1, 2 * 10**decimals) and decimals < 6:
        decimals += 1
    return f"{float(value):.{decimals}f}"


def _evidence(citation: Citation, corpus: Corpus) -> Fault | None:
    name, mark, field = citation.target.partition("#")
    if name in corpus.imports and not mark:
        return None
    if name in corpus.studies:
        return _study(citation, field, corpus.studies[name].value) if mark else None
    if name in corpus.artefacts:
        return _compiled(citation, field, corpus.artefacts[name].value) if mark else None
    if broken := _known(citation, "evidence record", name, (*corpus.evidence, *corpus.artefacts)):
        return broken
    if not mark:
        return None
    record = corpus.evidence[name].value
    boundary, _, statistic = field.partition(".")
    values = _statistics(record)
    wanted = f"{boundary}.{statistic or 'median'}"
    if wanted not in values:
        return _known(citation, "measurement", wanted, values)
    amount = _number(citation.text)
    if amount is None or amount.kind not in ("time", "bare"):
        return None
    value = Fraction(values[wanted])
    if amount.unit is None:
        return (
            None if amount.number == value else _stale(citation, amount, "", f"{values[wanted]:g}")
        )
    factor = amount.unit.factor
    if abs(value / factor - amount.number) <= amount.half_step:
        return None
    right = f"{_rounded(value / factor, amount)} {amount.label}"
    message = f"the text says {citation.text.strip()!r}, the record holds {right}"
    return _stale(citation, amount, message, right)


def _compiled(citation: Citation, field: str, record: Artefact) -> Fault | None:
    """What is wrong with a citation of a record that never ran."""
    found = compiled.told(citation.text, field, record)
    if found is not None:
        span = (
            (citation.start, citation.end)
            if found.right
            else (citation.target_start, citation.target_end)
        )
        return Fault(found.flaw, *span, found.message, found.remedy, found.right)
    size, amount = compiled.value(field, record), _number(citation.text)
    if amount is None or size is None or amount.kind in ("percent", "ratio"):
        return None
    if abs(amount.base - size) <= amount.step:
        return None
    factor = amount.unit.factor if amount.unit else 1
    right = f"{_rounded(Fraction(size) / factor, amount)} {amount.label}".strip()
    message = f"the text says {citation.text.strip()!r}, the record holds {right}"
    return _stale(citation, amount, message, right)


def _study(citation: Citation, field: str, study: Study) -> Fault | None:
    """What is wrong with a citation of a study's figure."""
    values = study.values()
    if field not in values:
        return _known(citation, "measurement", field, values)
    right = studied.corrected(citation.text, values[field], _number(citation.text))
    if right is None:
        return None
    return Fault(
        "stale-citation",
        citation.start,
        citation.end,
        f"the text says {citation.text.strip()!r}, the study holds {right!r}",
        f"write [{right}], or run `kb fix`",
        right,
    )


def _statistics(record: Evidence) -> dict[str, float]:
    values: dict[str, float] = {}
    for seen in record.measurements:
        values |= {
            f"{seen.boundary}.median": seen.median,
            f"{seen.boundary}.minimum": seen.spread.minimum,
            f"{seen.boundary}.maximum": seen.spread.maximum,
            f"{seen.boundary}.first_quartile": seen.spread.first_quartile,
            f"{seen.boundary}.third_quartile": seen.spread.third_quartile,
            f"{seen.boundary}.n": float(seen.n),
        }
    return values | {f"{stage.boundary}.seconds": stage.seconds for stage in record.stages}


def repaired(text: str, corpus: Corpus) -> str:
    """The text with every stale citation rewritten; nothing outside link texts is touched."""
    fixes = {c.start: c for c in citations(text)}
    parts, done = [], 0
    for start in sorted(fixes):
        citation = fixes[start]
        found = fault(citation, corpus)
        if found is not None and found.replacement:
            parts += [text[done:start], found.replacement]
            done = citation.end
    return "".join([*parts, text[done:]])


__all__ = ["Citation", "Fault", "citations", "fault", "faults", "repaired"]
