"""What the rules about comparisons share: wording a reason, a missing step, a way out."""

from __future__ import annotations

from collections.abc import Iterator

from kb.corpus import ClaimEntry
from kb.finding import Label
from kb.rules.declare import Problem
from kb.rules.judged import Judged
from kb.source import Place
from kb.verdict import Reason, Side, StepKind


def refusals(judged: Judged, *axes: str, otherwise: str, at: str = "") -> Iterator[Problem]:
    """One problem for each of `axes` on which the sides differ for good.

    `otherwise` is the remedy where the catalogue has no claim to use instead. `at` is the
    word (`board`, `structured_2_4`) whose side is to blame; the right one by default.
    """
    for reason in judged.differing(*axes):
        side: Side = "left" if at and at in reason.left and at not in reason.right else "right"
        yield Problem(
            judged.place.at(side),
            f"{_side(judged, 'left', reason.left)}, {_side(judged, 'right', reason.right)}: "
            f"{reason.why}",
            way_out(judged, otherwise),
            label=_label(reason, side),
            related=evidence_of(judged, reason.axis),
        )


def unnamed_steps(judged: Judged, *kinds: StepKind, axis: str) -> Iterator[Problem]:
    """One problem for each needed step of some kinds that the record doesn't name."""
    for step in judged.unnamed(*kinds):
        entry = judged.side(step.side)
        name = f"name the step in the record: derivation: [{step.kind}]"
        yield Problem(
            judged.place.at(step.side),
            f"{entry.id} ({printed(entry)}) fits {_other(judged, step.side).id} only after a step "
            f"that the record doesn't name: {step.step}",
            _joined(judged, name),
            label=f"{axis} is {judged.operands[step.side == 'right'].word(axis)}",
            related=evidence_of(judged, axis),
        )


def way_out(judged: Judged, otherwise: str) -> str:
    """The claims to use instead, where the catalogue has some, else `otherwise`."""
    return " or ".join(str(item) for item in judged.instead) or otherwise


def evidence_of(judged: Judged, axis: str) -> tuple[Label, ...]:
    """Where the specifications say what the two sides are on one axis."""
    labels = []
    for entry, operand in zip((judged.left, judged.right), judged.operands, strict=True):
        value = operand.word(axis) if operand.get(axis) is not None else "not stated"
        labels.append(Label(axis_place(entry, axis), f"{axis} of {entry.id}: {value}"))
    return tuple(labels)


def axis_place(entry: ClaimEntry, axis: str) -> Place:
    """Where a claim or its current statement states an axis; the claim where none does."""
    current = entry.claim.current
    if getattr(current, axis, None) is not None:
        return entry.place.at("statements", entry.claim.statements.index(current), axis)
    if getattr(entry.claim, axis, None) is not None:
        return entry.place.at(axis)
    return entry.place.at("id")


def printed(entry: ClaimEntry) -> str:
    """What the claim's current statement prints."""
    return entry.claim.current.published


def _side(judged: Judged, side: Side, value: str) -> str:
    entry = judged.side(side)
    return f"{entry.id} ({printed(entry)}) is {value.replace('_', ' ')}"


def _label(reason: Reason, side: Side) -> str:
    value = reason.left if side == "left" else reason.right
    return f"{reason.axis} is {value}"


def _other(judged: Judged, side: Side) -> ClaimEntry:
    return judged.right if side == "left" else judged.left


def _joined(judged: Judged, name: str) -> str:
    instead = " or ".join(str(item) for item in judged.instead)
    return f"{instead}, or {name}" if instead else name
