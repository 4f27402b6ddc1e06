"""Typed citations: links whose target is a claim, a comparison, evidence, a decision or a rule.

The text of a citation must say what its target says: the same number under the same unit.
Where it doesn't, the right text is known, so `kb fix` can write it.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.compare import compare
from kb.corpus import Corpus
from kb.finding import quoted
from kb.operand import Operand, operand_of_claim
from kb.prose import compiled, studied
from kb.prose.citation import Citation, Fault, citations
from kb.prose.numbers import Amount, amounts
from kb.prose.rounding import coarse, digits, faithful, in_best_unit, printed, with_unit
from kb.published import named, operand_of_result
from kb.quantity import QuantityError
from kb.units import labels
from kb.verdict import Verdict

if TYPE_CHECKING:
    from kb.model.artefact import Artefact
    from kb.model.evidence import Evidence
    from kb.model.study import Study

MOST = 100
"""How many faults of one text are told; nobody reads more, and each costs a look at its line."""


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
    read = amounts(text.replace("µ", "μ"), 0, len(text), comma=False, zero=True)
    found = [a for a in read if a.kind != "count"]
    return found[0] if len(found) == 1 else None


def _stale(citation: Citation, amount: Amount, holds: str, right: str) -> Fault:
    text = citation.text[: amount.start] + right + citation.text[amount.end :]
    start = citation.start + amount.start
    return Fault(
        "stale-citation",
        start,
        citation.start + amount.end,
        f"the text says {citation.text.strip()!r}, {holds}",
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
    right = quantity.text.removeprefix("up to ").removeprefix("~")
    return _stale(citation, amount, f"the claim prints {quantity.text!r}", right)


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
    low, high = verdict.interval.low * scale, verdict.interval.high * scale
    ratio = verdict.ratio * scale
    least, most = (amount.number + step for step in (-amount.half_step, amount.half_step))
    written = _written(citation.text, amount)
    agreed = low <= most and least <= high
    if agreed and not coarse(ratio, amount.number, amount.half_step, (high - low) / 2 / ratio):
        return None
    right = printed(ratio, digits(written))
    tail = citation.text[amount.start + len(written) : amount.end]
    return _stale(citation, amount, f"the comparison comes to {right}", f"{right}{tail}")


def _written(text: str, amount: Amount) -> str:
    """The digits of a number as they stand in a text."""
    end = amount.start
    while end < amount.end and (text[end].isdigit() or text[end] in ".,_"):
        end += 1
    return text[amount.start : end]


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
    values = _statistics(record)
    asked = (field, f"{field}.median", f"{field}.seconds")  # a timed boundary, or a stage
    wanted = next((each for each in asked if each in values), None)
    if wanted is None:
        return _known(citation, "measurement", field, values)
    if wanted.endswith(".n"):
        return _counted(citation, int(values[wanted]))
    amount = _number(citation.text)
    if amount is None or (amount.unit is None and amount.kind != "bare"):
        return None
    return _measured(citation, amount, Fraction(values[wanted]), "s")


def _counted(citation: Citation, count: int) -> Fault | None:
    """What is wrong with a text that has to say how many there are: `30` or `30 samples`."""
    found = amounts(citation.text, 0, len(citation.text), comma=False, zero=True)
    if len(found) != 1 or (found[0].unit is None and found[0].number == count):
        return None
    kept = citation.text[found[0].start + len(_written(citation.text, found[0])) : found[0].end]
    words = "" if found[0].unit else kept
    return _stale(citation, found[0], f"the record holds {count}", f"{count}{words}")


def _measured(citation: Citation, amount: Amount, base: Fraction, symbol: str) -> Fault | None:
    """What is wrong with a text that has to say a measured value, given in the unit `symbol`."""
    unit, written = labels()[symbol], _written(citation.text, amount)
    if amount.unit is None or amount.unit.kind != unit.kind:
        right = in_best_unit(base, unit, digits(written))
    elif faithful(base, amount.base, amount.step):
        return None
    else:
        right = with_unit(base, amount.unit, amount, written)
    return _stale(citation, amount, f"the record holds {right}", right)


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
    if field in compiled.SIZES:
        return _measured(citation, amount, Fraction(size), "B")
    if faithful(Fraction(size), amount.base, amount.step):
        return None
    factor = amount.unit.factor if amount.unit else 1
    number = printed(size / Fraction(factor), digits(_written(citation.text, amount)))
    right = f"{number} {amount.label}".strip()
    return _stale(citation, amount, f"the record holds {right}", right)


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
