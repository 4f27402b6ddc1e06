"""Two sides on the bench: what each has on an axis, and how an open axis may be settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from kb.corpus import Corpus
from kb.operand import Operand, needed_axes
from kb.qualifiers import UNSTATED, Basis, Scope, words
from kb.verdict import Caution, Reason, Side, Step, StepKind

Item = Reason | Caution | Step
"""What judging an axis may yield."""

SIDES: tuple[Side, Side] = ("left", "right")

SETTLES = {
    "unit": "what the number counts",
    "layer": "whether the number belongs to a framework, a compute API or an accelerator",
    "direction": "whether the figure counts one direction or adds both",
    "sparsity": "whether the rate is dense or counts structural zeros",
    "precision": "the number format of the rate",
    "scope": "which part of the product the figure is about",
    "interface": "which memory or link the figure is about",
    "role": "what the memory or link is for",
    "aggregation": "over which links the figure is added up",
    "boundary": "what the timed interval encloses",
    "engine": "which unit of the accelerator does the arithmetic",
    "basis": "whether the figure is a peak, reported by the device, or measured",
    "accumulator": "the number format of the accumulator",
    "terms": "its currency, term, region and date",
}
"""What a source would have to say to settle an axis."""


@dataclass(frozen=True)
class Pair:
    """The two sides of one comparison."""

    left: Operand
    right: Operand
    corpus: Corpus | None = None
    strict: bool = False
    """Ignore assessments: take only what sources state."""
    presume: bool = True
    """Take an axis that both leave open for the same, where `one_open_value` allows it."""

    def side(self, side: Side) -> Operand:
        """The operand on one side."""
        return self.left if side == "left" else self.right

    def is_copy(self, source: str | None) -> bool:
        """Whether a source is known to be somebody's copy of what a vendor published."""
        entry = self.corpus.sources.get(source or "") if self.corpus else None
        return entry is not None and entry.value.kind == "third_party_copy"

    @property
    def published(self) -> bool:
        """Whether a side is a published benchmark result, which has rules of its own."""
        return self.left.published is not None or self.right.published is not None

    @cached_property
    def same_product(self) -> bool:
        """Whether both numbers are about one product."""
        a, b = self.left.product, self.right.product
        if a is not None and b is not None:
            return a is b or a.product == b.product
        return self.left.identity.name.casefold() == self.right.identity.name.casefold()

    @cached_property
    def needed(self) -> dict[Side, set[str]]:
        """The axes that each side needs."""
        return {"left": self._needed(self.left), "right": self._needed(self.right)}

    def _needed(self, operand: Operand) -> set[str]:
        return needed_axes(operand.metric, operand.axes, operand.product)

    @cached_property
    def one_open_value(self) -> bool:
        """Whether an axis that both leave open must have the same value on both.

        It must for two vendor figures of one product, metric and interface at two scopes.
        """
        if not self.presume or not self.same_product:
            return False
        scopes = self.left.get("scope"), self.right.get("scope")
        levels = [scope.level for scope in scopes if isinstance(scope, Scope)]
        bases = [operand.get("basis") for operand in (self.left, self.right)]
        vendor = all(isinstance(b, Basis) and b.family == "vendor" for b in bases)
        return (
            vendor
            and self.left.metric is self.right.metric
            and self.left.get("interface") == self.right.get("interface")
            and len(levels) == 2
            and scopes[0] != scopes[1]
            and not levels[0] == levels[1] == 2
        )

    def value(self, side: Side, axis: str) -> object:
        """The qualifier of one side; a needed axis that is missing counts as unstated."""
        value = self.side(side).get(axis)
        if value is None and axis in self.needed[side]:
            return UNSTATED
        return value

    def assessed(self, side: Side, axis: str) -> tuple[object, list[Item]]:
        """The qualifier after assessments, with the step and caution that this costs."""
        value, operand = self.value(side, axis), self.side(side)
        assessment = operand.assessments.get(axis)
        if value != UNSTATED or assessment is None or self.strict:
            return value, []
        carried = ", ".join((*assessment.sources, *assessment.evidence))
        text = f"{words(axis)} of {operand.label} is assessed as {words(assessment.value)}"
        step = Step(StepKind.ASSESSED, side, text, f"{assessment.reasoning} [{carried}]")
        return assessment.value, [step, Caution(axis, f"{text}; the source leaves it open")]

    def settle(self, axis: str) -> tuple[object, object, list[Item], bool]:
        """Both qualifiers on an axis, what settling them costs, and whether one stays open."""
        raw = self.value("left", axis), self.value("right", axis)
        if raw == (UNSTATED, UNSTATED) and self.one_open_value:
            note = Caution(
                axis,
                f"{axis} is unstated on both sides; it is the same for both, "
                "since they are two scopes of one product",
            )
            return None, None, [note], False
        left, left_items = self.assessed("left", axis)
        right, right_items = self.assessed("right", axis)
        return left, right, left_items + right_items, UNSTATED in (left, right)

    def open(self, axis: str, why: str, *who: Side, settles: str = "") -> Reason:
        """The reason that an axis stays open.

        `who` are the sides whose source leaves it open, should the axis itself not tell;
        `settles` says what a source would have to state, should it be more than the axis.
        """
        shown = {side: _plain(self.value(side, axis)) for side in SIDES}
        values = {side: self.assessed(side, axis)[0] for side in SIDES}
        silent = who or tuple(side for side in SIDES if values[side] == UNSTATED)
        silent = silent or tuple(side for side in SIDES if values[side] is None) or SIDES
        settle = "; ".join(
            f"a source for {operand.label} ({operand.quantity.text}) that states "
            f"{settles or SETTLES.get(axis, 'it')}"
            for operand in map(self.side, silent)
        )
        return Reason(axis, "open", shown["left"], shown["right"], why, settle)

    def differs(self, axis: str, why: str, left: object = None, right: object = None) -> Reason:
        """The reason that two definite qualifiers differ."""
        shown_left = self.left.word(axis) if left is None else str(left)
        shown_right = self.right.word(axis) if right is None else str(right)
        return Reason(axis, "differs", shown_left, shown_right, why)

    def unlicensed(
        self, side: Side, axis: str, why: str, left: object = None, right: object = None
    ) -> Reason:
        """The reason that no step brings `side` to the other one.

        Open while the product is: one of those that it may be may license the step.
        """
        reason, named = self.differs(axis, why, left, right), self.side(side).identity
        if not named.candidates:
            return reason
        settle = f"the exact product instead of '{named.name}'"
        return replace(reason, state="open", why="which product it is decides it", settle=settle)


Judge = Callable[[Pair], Iterator[Item]]
"""A function that judges one axis of a pair."""


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(str(item) for item in value.values()) or "not stated"
    return "not stated" if value is None else str(value)
