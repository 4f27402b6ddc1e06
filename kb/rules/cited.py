"""What the rules about cited evidence share: the gates that a record misses, as problems."""

from __future__ import annotations

from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.finding import Label
from kb.model.decision import Decision
from kb.model.evidence import Evidence, Gate, GateName
from kb.model.gates import gates
from kb.rules.declare import Problem

_NEEDS_SAMPLES = (GateName.SYNCHRONISED, GateName.STEADY, GateName.PHYSICALLY_POSSIBLE)


def missed_gates(
    entry: Entry[Decision],
    corpus: Corpus,
    name: GateName,
    *,
    field: str,
    label: str,
    remedy: str,
) -> Iterator[Problem]:
    """One problem for each record that a decision cites and that misses the gate `name`.

    The gate is computed anew; a stored outcome is not believed. `field` is where in the
    record the reason stands.
    """
    for index, cited in enumerate(entry.value.evidence):
        record = corpus.evidence.get(cited)
        if record is None:
            continue  # dangling-reference says so
        missed = {gate.gate: gate for gate in gates(record.value) if not gate.passed}
        if name not in missed or _follows(record.value, name, missed):
            continue
        yield Problem(
            entry.place.at("evidence", index),
            f"{cited} misses the gate '{name.value}': {missed[name].why}",
            remedy,
            label=label,
            related=(Label(record.place.at(field), f"{field} of the record"),),
        )


def _follows(record: Evidence, name: GateName, missed: dict[GateName, Gate]) -> bool:
    """Whether the gate is missed only because there are too few samples: one mistake."""
    if GateName.ENOUGH_SAMPLES not in missed or name not in _NEEDS_SAMPLES:
        return False
    warm = record.primary
    return warm is None or (name is GateName.STEADY and warm.drift is None)
