"""May a ratio of two numbers be formed: what the one `compare` refuses or leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.factors import Factor
from kb.prose.fit import agrees
from kb.prose.known import Known, Slot
from kb.prose.phrase import slot_words
from kb.prose.remark import Remark, fine, unclear, wrong
from kb.prose.slots import NO_PEAK, judged, ratio_holds, slots_of
from kb.verdict import StepKind, Verdict, VerdictKind

_STEP_AXES = {
    StepKind.DIVIDE_BY_COUNT: "scope",
    StepKind.MULTIPLY_BY_COUNT: "scope",
    StepKind.LINK_TO_DEVICE: "aggregation",
    StepKind.BOTH_DIRECTIONS_TO_ONE: "direction",
    StepKind.SPARSE_TO_DENSE: "sparsity",
    StepKind.CONVERT_UNIT: "unit",
}


def fails(factor: Factor, one: Bound, two: Bound, known: Known) -> Remark:
    """What the ratio of two numbers is, where another one is stated."""
    real = float(one.amount.base / two.amount.base)
    sides = f"{float(one.amount.number):g} over {float(two.amount.number):g}"
    text = f"{sides} {two.amount.label} is {real:.3g}, not {float(factor.value):g}"
    verdict = _verdict(one, two, known)
    axes = (*(axes_of(verdict) or ("unit",)), "arithmetic")
    # No ratio is suggested that may not be formed.
    right = factor.written(real) if verdict is None or verdict.allows_ratio else ""
    return wrong(factor.start, factor.end, axes, text, right)


def may_be_formed(factor: Factor, one: Bound, two: Bound, known: Known) -> list[Remark]:
    """What `compare` says on a ratio that holds."""
    if told := _half_when_dense(one, two, known):
        return [told]
    left, right = slots_of(one, known), slots_of(two, known)
    if not left or not right:
        if (left or right) and _measured(two if left else one, one if left else two):
            text = "a measured figure set against the printed one of another product"
            return [wrong(factor.start, factor.end, ("basis",), text)]
        return [fine(factor.start, factor.end)] if not (left or right) else []
    best = min(
        ((a, b) for a in _told(left, one)[:4] for b in _told(right, two)[:4]),
        key=lambda pair: BADNESS[judged(*pair, known).kind],
    )
    found = judged_pair(factor, *best, one, two, known)
    printed = left[0], right[0]
    if found[0].level != "fine" or best == printed or any(s.changed for s in printed):
        return found
    # What a step makes of other claims settles nothing that these leave open.
    is_open = judged(*printed, known).kind is VerdictKind.UNDETERMINED
    return judged_pair(factor, *printed, one, two, known) if is_open else found


_DEVICE = frozenset({"device_reported", "usable"})


def _told(slots: list[Slot], bound: Bound) -> list[Slot]:
    """Without what a device reports where the very number is printed and no word says otherwise."""
    exact = any(s.base == bound.amount.base and s.axes.get("basis") not in _DEVICE for s in slots)
    if not exact or bound.strong("basis"):
        return slots
    return [s for s in slots if s.axes.get("basis") not in _DEVICE]


def _half_when_dense(one: Bound, two: Bound, known: Known) -> Remark | None:
    """`half of its 18 PFLOPS sparse FP4 when dense, that is 9`, of a product whose half is 14."""
    small, large = sorted((one, two), key=lambda item: item.amount.base)
    formats = small.values("precision")
    if "dense" not in small.values("sparsity") or len(formats) != 1 or one.products != two.products:
        return None
    sparse = [s for s in slots_of(large, known) if s.axes.get("sparsity") == "structured_2_4"]
    if large.amount.base != 2 * small.amount.base or not sparse:
        return None
    dense = [
        s
        for s in known.of(small.products, small.amount.kind)
        if s.current
        and s.axes.get("sparsity") == "dense"
        and s.axes.get("precision") in formats
        and (s.level, s.product) == (sparse[0].level, sparse[0].product)
    ]
    if not dense or any(agrees(small.amount, s.base) for s in dense):
        return None
    text = f"dense is not half of {slot_words(sparse[0])} here: it is {slot_words(dense[0])}"
    return wrong(small.amount.start, small.amount.end, ("sparsity", "precision"), text)


def _measured(seen: Bound, printed: Bound) -> bool:
    """Whether one number is what a run of another product gave."""
    apart = seen.products and not set(seen.products) & set(printed.products)
    told = seen.strong("basis") & {"measured", "achieved"}
    return bool(told and apart) and not printed.strong("basis") & {"measured", "achieved"}


BADNESS = {
    VerdictKind.COMPARABLE: 0,
    VerdictKind.AFTER_DERIVATION: 1,
    VerdictKind.UNDETERMINED: 2,
    VerdictKind.NOT_COMPARABLE: 3,
}


def judged_pair(
    factor: Factor, left: Slot, right: Slot, one: Bound, two: Bound, known: Known
) -> list[Remark]:
    """What `compare` says on a ratio of two values of the catalogue."""
    verdict = judged(left, right, known)
    axes = axes_of(verdict)
    about = f"{slot_words(left)} against {slot_words(right)}"
    if _two_ways(left, right, one, two):
        text = f"{about}: one direction is set against both added"
        return [wrong(factor.start, factor.end, ("direction",), text)]
    if left.product == right.product and _labelled(axes, one, two):
        return [fine(factor.start, factor.end, about)]
    if verdict.kind is VerdictKind.NOT_COMPARABLE:
        why = "; ".join(r.why for r in verdict.reasons if r.state == "differs")
        axes = tuple(dict.fromkeys((*axes, *_skipped(verdict))))
        return [wrong(factor.start, factor.end, axes, f"{about}: {why}")]
    if verdict.kind is VerdictKind.UNDETERMINED:
        why = "; ".join(r.why for r in verdict.reasons)
        return [unclear(factor.start, factor.end, axes, f"{about}: {why}")]
    if verdict.ratio and not ratio_holds(
        factor.value, factor.half_step * 2, verdict.ratio, Fraction(1)
    ):
        steps = "; ".join(step.step for step in verdict.derivation)
        text = f"{about}: like for like the ratio is {float(verdict.ratio):.3g} ({steps})"
        axes = _skipped(verdict)
        return [wrong(factor.start, factor.end, axes or ("product_identity",), text)]
    return [fine(factor.start, factor.end, about)]


def _skipped(verdict: Verdict) -> tuple[str, ...]:
    """The axes of the steps that the sentence left out."""
    return tuple(_STEP_AXES[s.kind] for s in verdict.derivation if s.kind in _STEP_AXES)


def _two_ways(left: Slot, right: Slot, one: Bound, two: Bound) -> bool:
    """Whether one link is counted in both directions and another one in one, by their words."""
    if left.axes.get("interface") == right.axes.get("interface"):
        return False
    ways = one.strong("direction"), two.strong("direction")
    return all(len(way) == 1 for way in ways) and ways[0] != ways[1]


def _labelled(axes: tuple[str, ...], one: Bound, two: Bound) -> bool:
    """Whether the sentence itself speaks of every axis that differs."""
    return all(one.values(axis) or two.values(axis) for axis in axes)


def axes_of(verdict: Verdict | None) -> tuple[str, ...]:
    """The axes that decide a verdict."""
    if verdict is None:
        return ()
    states = {"differs"} if verdict.kind is VerdictKind.NOT_COMPARABLE else {"open"}
    found = [r.axis for r in verdict.reasons if r.state in states]
    return tuple(dict.fromkeys(axis for axis in found if axis not in NO_PEAK))


def _verdict(one: Bound, two: Bound, known: Known) -> Verdict | None:
    left, right = slots_of(one, known), slots_of(two, known)
    return judged(left[0], right[0], known) if left and right else None


def comparison(one: Bound, two: Bound, known: Known) -> Iterator[Remark]:
    """`A leads`, `B is faster`: two numbers set against each other without a ratio."""
    left, right = slots_of(one, known), slots_of(two, known)
    if not left or not right or one.products == two.products:
        return
    verdict = min(
        (judged(a, b, known) for a in left[:3] for b in right[:3]), key=lambda v: BADNESS[v.kind]
    )
    engines = {s.axes.get("engine") for s in (*left, *right) if not s.changed}
    if axes_of(verdict) == ("engine",) and len(engines) > 2:
        return  # the product prints one rate for all of its engines
    start, end = one.amount.start, two.amount.end
    if verdict.kind is VerdictKind.NOT_COMPARABLE:
        why = "; ".join(r.why for r in verdict.reasons if r.state == "differs")
        yield wrong(start, end, axes_of(verdict), f"{verdict.left} against {verdict.right}: {why}")
    elif verdict.kind is VerdictKind.UNDETERMINED:
        yield unclear(
            start,
            end,
            axes_of(verdict),
            f"{verdict.left} against {verdict.right}: what is open decides",
        )
