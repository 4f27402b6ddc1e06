"""Counting what a run could not judge, so that silence is not taken for soundness."""

from __future__ import annotations

from collections.abc import Collection

from kb.corpus import ClaimEntry, Corpus
from kb.model.claim import AXES
from kb.operand import needed_axes
from kb.qualifiers import UNSTATED
from kb.rules.judged import Judgements
from kb.rules.result import BlindSpots
from kb.verdict import VerdictKind


def blind_spots(corpus: Corpus, judgements: Judgements, unread: Collection[str]) -> BlindSpots:
    """The counts for the project's own records.

    `unread` are the paths with findings made while reading; those that still became a
    record are read after all.
    """
    undetermined = VerdictKind.UNDETERMINED
    return BlindSpots(
        claims_open=sum(1 for e in corpus.claims.values() if e.own and open_axes(e)),
        comparisons_undetermined=sum(
            1 for judged in judgements.judged if judged.verdict.kind is undetermined
        ),
        comparisons_unjudged=judgements.unjudged,
        records_unparsed=len(set(unread) - _recorded(corpus)),
    )


def open_axes(entry: ClaimEntry) -> tuple[str, ...]:
    """Needed axes that the claim leaves open and no assessment settles."""
    claim = entry.claim
    axes = {axis: value for axis in AXES if (value := claim.value_of(axis)) is not None}
    needed = needed_axes(claim.metric, axes, entry.product)
    return tuple(
        axis
        for axis in AXES
        if axis in needed
        and axes.get(axis, UNSTATED) == UNSTATED
        and claim.assessment_of(axis) is None
    )


def _recorded(corpus: Corpus) -> set[str]:
    entries = (
        *corpus.sources.values(),
        *corpus.families,
        *corpus.products.values(),
        *corpus.decisions.values(),
        *corpus.evidence.values(),
        *corpus.imports.values(),
    )
    return {entry.place.path for entry in entries}
