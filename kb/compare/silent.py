"""Sides that differ in their numbers alone: no judge of an axis has anything to say about them.

Most comparisons of a knowledge base are of this kind: the memory of one GPU against that of
another. Whether the judges are silent depends on the qualifiers of both sides and on a few
facts about their products, so it is found out once for each two profiles. What is said at
all names the two sides, and is never taken from elsewhere.
"""

from __future__ import annotations

from kb.compare.pair import Pair
from kb.kept import kept
from kb.operand import Operand
from kb.qualifiers import Metric

Profiles = tuple[int, int]

MOST = 10_000
"""Profiles that a process keeps apart; the whole catalogue has a few hundred."""

_NUMBERS: dict[object, int] = {}
_SILENT: set[Profiles] = set()


def profiles(pair: Pair) -> Profiles | None:
    """What the judges of axes can read of two sides; None where they may read more than that.

    Two figures of one product can depend on each other, a count is judged by its value, an
    on-chip memory by the id that the catalogue has it under, and what an assessment or a result
    says is not the same for another one.
    """
    left, right = _profile(pair.left), _profile(pair.right)
    if left is None or right is None or pair.same_product:
        return None
    return left, right


def are_silent(found: Profiles) -> bool:
    """Whether every judge of an axis was silent on two profiles."""
    return found in _SILENT


def keep_silent(found: Profiles) -> None:
    """Remember that every judge of an axis is silent on two profiles."""
    _SILENT.add(found)


@kept
def _profile(operand: Operand) -> int | None:
    product = operand.product
    if (
        product is None
        or operand.assessments
        or operand.published is not None
        or operand.identity.candidates
        or operand.metric is Metric.COUNT
        or operand.get("role") == "on_chip_memory"  # judged by the ids of both claims
        or "terms" in operand.axes
    ):
        return None
    mode = product.sparse_mode
    profile = (
        operand.metric,
        operand.quantity.unit.name,
        tuple(operand.axes.items()),
        product.layer,
        product.accelerator,
        tuple(
            (scope, part.of, part.count, part.topology)
            for scope, part in product.composition.items()
        ),
        tuple((links.interface, links.count, links.unit) for links in product.links),
        tuple(licence.interface for licence in product.direction_sums),
        mode and (mode.mode, mode.precisions),
    )
    if len(_NUMBERS) >= MOST:
        return _NUMBERS.get(profile)
    return _NUMBERS.setdefault(profile, len(_NUMBERS))
