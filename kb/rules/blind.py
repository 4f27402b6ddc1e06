"""Axes that a claim leaves open, so that silence is not taken for soundness."""

from __future__ import annotations

from kb.corpus import ClaimEntry
from kb.model.claim import AXES
from kb.operand import needed_axes
from kb.qualifiers import UNSTATED


def open_axes(entry: ClaimEntry) -> tuple[str, ...]:
    """Needed axes that the claim leaves open and no assessment settles."""
    claim = entry.claim
    axes = entry.axes
    needed = needed_axes(claim.metric, axes, entry.product)
    return tuple(
        axis
        for axis in AXES
        if axis in needed
        and axes.get(axis, UNSTATED) == UNSTATED
        and claim.assessment_of(axis) is None
    )
