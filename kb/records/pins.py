"""Pins: the exact values that an accepted decision relies on, and whether they have moved.

A pin holds an id, the hash of what it names, the printed value and the qualifiers. A value
that moves within the decision's tolerance is stamped anew; beyond it, or where the value
came to mean something else, the decision is suspect until somebody looks.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.model.claim import AXES, Claim
from kb.model.decision import Decision, Pin
from kb.quantity import QuantityError, decimal_text, parse_quantity
from kb.records.reliance import relied_on

if TYPE_CHECKING:
    # Most decisions rest on no evidence; its models are built where one does.
    from kb.model.artefact import Artefact
    from kb.model.evidence import Evidence
    from kb.model.study import Study

_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent\b)")


ACCEPTED = "accepted"
"""The value with which the decision was made, where a later stamp differs from it: small
steps are measured from there, so that they can't add up unseen."""


class MoveKind(Enum):
    """What became of a pinned value."""

    SAME = "same"
    WITHIN = "within"
    BEYOND = "beyond"
    MEANING = "meaning"
    EDITED = "edited"
    GONE = "gone"

    @property
    def doubtful(self) -> bool:
        """Whether somebody has to look before the decision is believed again."""
        return self in (MoveKind.BEYOND, MoveKind.MEANING, MoveKind.EDITED)


@dataclass(frozen=True, slots=True)
class Move:
    """One pin with what it names today."""

    index: int
    pin: Pin
    kind: MoveKind
    before: str
    after: str
    why: str
    """The change in words: `+2.6 %, tolerance 1 %`."""


def tolerance_of(decision: Decision) -> Fraction | None:
    """The decision's own tolerance as a share; None where it names no percentage, or several."""
    found = _PERCENT.findall(decision.tolerance or "")
    return Fraction(found[0]) / 100 if len(found) == 1 else None


def pin_of(name: str, corpus: Corpus) -> Pin | None:
    """The pin of a claim or an evidence record as it stands; None where there is none."""
    if name in corpus.claims:
        entry = corpus.claims[name]
        values = {"published": entry.claim.current.published, "qualifiers": qualifiers(entry.claim)}
        return Pin(id=name, hash=_claim_hash(entry), values=values)
    if name in corpus.evidence:
        from kb.model.gates import content_hash

        record = corpus.evidence[name].value
        return Pin(id=name, hash=content_hash(record), values=_medians(record))
    if name in corpus.studies:
        from kb.model.study import hash_of as study_hash

        study = corpus.studies[name].value
        return Pin(id=name, hash=study_hash(study), values=_figures(study))
    if name in corpus.artefacts:
        from kb.model.artefact import hash_of

        compiled = corpus.artefacts[name].value
        return Pin(id=name, hash=hash_of(compiled), values=_peaks(compiled))
    if name in corpus.results:
        result = corpus.results[name].result
        values = {"published": result.published}
        return Pin(id=name, hash=digest(result.model_dump(mode="json")), values=values)
    if name in corpus.imports:
        return Pin(id=name, hash=corpus.imports[name].value.content_hash, values={})
    if name in corpus.kernels:
        return Pin(id=name, hash=corpus.kernels[name].value.content_hash, values={})
    return None


def pins_for(entry: Entry[Decision], corpus: Corpus) -> tuple[Pin, ...]:
    """A pin for everything that a decision relies on and that is there."""
    found = (pin_of(name, corpus) for name in relied_on(entry, corpus))
    return tuple(pin for pin in found if pin is not None)


def restamped(pin: Pin, corpus: Corpus) -> Pin:
    """The pin as it stands now, which remembers the value that the decision was made with."""
    now = pin_of(pin.id.partition("#")[0], corpus)
    if now is None:
        return pin
    first = pin.values.get(ACCEPTED) or pin.values.get("published")
    if first is None or first == now.values.get("published"):
        return now
    return now.model_copy(update={"values": {**now.values, ACCEPTED: first}})


def unpinned(entry: Entry[Decision], corpus: Corpus) -> tuple[str, ...]:
    """What a decision relies on without a pin. A pin may name a field behind a '#'."""
    pinned = {pin.id.partition("#")[0] for pin in entry.value.pins}
    return tuple(
        name
        for name in relied_on(entry, corpus)
        if name not in pinned and pin_of(name, corpus) is not None
    )


def moves(entry: Entry[Decision], corpus: Corpus) -> tuple[Move, ...]:
    """Every pin of a decision with what became of it."""
    return tuple(_moves(entry.value, corpus))


def _moves(decision: Decision, corpus: Corpus) -> Iterator[Move]:
    allowed = tolerance_of(decision) or Fraction(0)
    for index, pin in enumerate(decision.pins):
        now = pin_of(pin.id.partition("#")[0], corpus)
        before = _shown(pin)
        if now is None:
            yield Move(index, pin, MoveKind.GONE, before, "nothing", "it is no longer there")
        elif now.hash == pin.hash and _agrees(pin, now):
            yield Move(index, pin, MoveKind.SAME, before, before, "unchanged")
        elif pin.id.partition("#")[0] not in corpus.claims:
            why = "evidence was edited; a record doesn't change"
            yield Move(index, pin, MoveKind.EDITED, before, _shown(now), why)
        else:
            claim = corpus.claims[pin.id.partition("#")[0]].claim
            kind, why = _moved(pin, now, claim, allowed)
            yield Move(index, pin, kind, before, _shown(now), why)


def _agrees(pin: Pin, now: Pin) -> bool:
    return all(now.values.get(k) == v for k, v in pin.values.items() if k != ACCEPTED)


def _moved(pin: Pin, now: Pin, claim: Claim, allowed: Fraction) -> tuple[MoveKind, str]:
    was = pin.values.get("qualifiers")
    old = pin.values.get(ACCEPTED) or pin.values.get("published")
    if was is not None and was != now.values["qualifiers"]:
        before, after = (set(text.split("; ")) for text in (was, now.values["qualifiers"]))
        gone, come = sorted(before - after), sorted(after - before)
        text = f"{', '.join(gone) or 'nothing'} became {', '.join(come) or 'nothing'}"
        return MoveKind.MEANING, f"it means something else: {text}"
    if old is None:
        return MoveKind.MEANING, "the pin holds no printed value to compare with"
    try:
        first = parse_quantity(old, claim.metric)
        second = claim.current.quantity(claim.metric)
    except QuantityError as error:
        return MoveKind.MEANING, str(error)
    if first.unit.dimension != second.unit.dimension:
        return MoveKind.MEANING, f"{first.label} became {second.label}"
    change = second.base / first.base - 1
    limit = f"tolerance {decimal_text(allowed * 100)} %"
    if change == 0:
        return MoveKind.WITHIN, "the value is the same; its statements changed"
    moved = f"{'+' if change > 0 else ''}{decimal_text(change * 100, 3)} %, {limit}"
    return (MoveKind.WITHIN if abs(change) <= allowed else MoveKind.BEYOND), moved


def qualifiers(claim: Claim) -> str:
    """What a claim's number means, in one line: metric, axes, and what is assessed."""
    parts = [f"metric {claim.metric}"]
    for axis in AXES:
        value = claim.value_of(axis)
        if value is None:
            continue
        if isinstance(value, tuple):
            value = " + ".join(map(str, value))
        elif isinstance(value, dict):
            value = " + ".join(f"{k} {v}" for k, v in sorted(value.items()))
        assessed = claim.assessment_of(axis)
        parts.append(f"{axis} {value}" + (f" (assessed {assessed.value})" if assessed else ""))
    return "; ".join(parts)


def digest(data: object) -> str:
    """SHA-256 (hex) of plain data in canonical JSON."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _claim_hash(entry: ClaimEntry) -> str:
    # Fields at their defaults are left out, so that a new field of the model moves no pin.
    content = entry.claim.model_dump(mode="json", exclude_defaults=True)
    return digest({"product": entry.product.product, "claim": content})


def _medians(record: Evidence) -> dict[str, str]:
    return {f"{m.boundary}.median": f"{m.median!r} {m.unit}" for m in record.measurements}


def _figures(study: Study) -> dict[str, str]:
    return {figure.name: f"{figure.value!r} {figure.unit}" for figure in study.figures}


def _peaks(record: Artefact) -> dict[str, str]:
    return {f"{v.name}.memory": f"{v.plan.needed} B" for v in record.variants}


def _shown(pin: Pin) -> str:
    published = pin.values.get(ACCEPTED) or pin.values.get("published")
    return published or ", ".join(f"{k} {v}" for k, v in pin.values.items()) or pin.hash[:12]
