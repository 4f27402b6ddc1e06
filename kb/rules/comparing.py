"""What the rules about comparisons share: wording a reason, a missing step, a way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.corpus import ClaimEntry
from kb.finding import Label
from kb.qualifiers import words
from kb.rules.declare import Problem
from kb.source import Place
from kb.verdict import Reason, Side, StepKind

if TYPE_CHECKING:
    from kb.rules.judged import Judged  # with all that judges comparisons


def refusals(
    judged: Judged, *axes: str, otherwise: str, at: str = "", side: Side = "right"
) -> Iterator[Problem]:
    """One problem for each of `axes` on which the sides differ for good.

    `otherwise` is the remedy where the catalogue has no claim to use instead. The finding
    points at the side whose value holds the word `at`, else at `side`.
    """
    for reason in judged.differing(*axes):
        blamed: Side = "left" if at and at in reason.left and at not in reason.right else side
        left, right = (_shown(judged, one, reason) for one in _SIDES)
        yield Problem(
            judged.place.at(blamed),
            f"{left} against {right}: {reason.why}",
            way_out(judged, otherwise),
            label=f"{words(reason.axis)} {words(_value(reason, blamed))}",
            related=evidence_of(judged, reason.axis),
        )


def unnamed_steps(judged: Judged, *kinds: StepKind, axis: str) -> Iterator[Problem]:
    """One problem for each needed step of some kinds that the record doesn't name."""
    for step in judged.unnamed(*kinds):
        entry, other = judged.side(step.side), judged.side(_other(step.side))
        name = f"name the step in the record: derivation: [{step.kind}]"
        yield Problem(
            judged.place.at(step.side),
            f"{entry.id} ({printed(entry)}) compares with {other.id} only after a step that the "
            f"record doesn't name: {step.step}",
            f"{instead}, or {name}" if (instead := way_out(judged, "")) else name,
            label=f"{words(axis)} {words(axis_value(judged, step.side, axis))}",
            related=evidence_of(judged, axis),
        )


def way_out(judged: Judged, otherwise: str) -> str:
    """The claims to use instead, where the catalogue has some, else `otherwise`."""
    return ", or ".join(str(item) for item in judged.instead) or otherwise


def evidence_of(judged: Judged, axis: str) -> tuple[Label, ...]:
    """Where the specifications say what the two sides are on one axis."""
    labels = []
    for side in _SIDES:
        entry = judged.side(side)
        text = f"{words(axis)} of {entry.id}: {axis_value(judged, side, axis)}"
        labels.append(Label(axis_place(entry, axis), text))
    return tuple(labels)


def axis_value(judged: Judged, side: Side, axis: str) -> str:
    """What one side is on an axis, in words."""
    operand = judged.operands[side == "right"]
    match axis:
        case "metric":
            return str(operand.metric)
        case "layer":
            return str(operand.layer)
        case "unit":
            return operand.quantity.label
        case "product_identity":
            return operand.quantity.text
        case "terms":
            terms = operand.get("terms")
            stated = terms.items() if isinstance(terms, dict) else ()
            return ", ".join(f"{name} {value}" for name, value in stated) or "not stated"
    return operand.word(axis) if operand.get(axis) is not None else "not stated"


def axis_place(entry: ClaimEntry, axis: str) -> Place:
    """Where a claim, its current statement or its product states an axis; else the claim."""
    claim = entry.claim
    statement = entry.place.at("statements", claim.statements.index(claim.current))
    if axis in ("unit", "product_identity"):
        return statement.at("published")
    if getattr(claim.current, axis, None) is not None:
        return statement.at(axis)
    if getattr(claim, axis, None) is not None:
        return entry.place.at(axis)
    return Place(entry.place.path, ("layer",)) if axis == "layer" else entry.place.at("id")


def printed(entry: ClaimEntry) -> str:
    """What the claim's current statement prints."""
    return entry.claim.current.published


_SIDES: tuple[Side, Side] = ("left", "right")


def _shown(judged: Judged, side: Side, reason: Reason) -> str:
    entry, value = judged.side(side), _value(reason, side)
    if value == printed(entry):
        return f"{entry.id} ({value})"
    return f"{entry.id} ({printed(entry)}, {words(reason.axis)} {words(value)})"


def _value(reason: Reason, side: Side) -> str:
    return reason.left if side == "left" else reason.right


def _other(side: Side) -> Side:
    return "right" if side == "left" else "left"
