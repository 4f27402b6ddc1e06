"""A verdict in words and as plain data, the same for terminal, JSON and pages."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from kb.qualifiers import words
from kb.quantity import Interval, decimal_text
from kb.verdict import Conditional, Reason, Step, Verdict, VerdictKind

WORDS = {
    VerdictKind.COMPARABLE: "comparable",
    VerdictKind.AFTER_DERIVATION: "comparable after derivation",
    VerdictKind.NOT_COMPARABLE: "not comparable",
    VerdictKind.UNDETERMINED: "undetermined",
}
"""What each verdict is called in a sentence."""
MOST_DIGITS = 12
"""Where a range is narrower than this, its ends are printed alike."""


def ratio_text(ratio: Fraction, interval: Interval | None = None) -> str:
    """A ratio to three digits, with the range that the printed digits allow.

    A narrow range takes more digits, so that the ratio never stands outside of it.
    """
    if interval is None or interval.low == interval.high:
        return decimal_text(ratio, 3)
    digits = 3
    while digits < MOST_DIGITS and not _tells(ratio, interval, digits):
        digits += 1
    low, text, high = _printed(ratio, interval, digits)
    return f"{text} (the digits allow {low} to {high})"


def _tells(ratio: Fraction, interval: Interval, digits: int) -> bool:
    low, text, high = map(Fraction, _printed(ratio, interval, digits))
    return low < high and low <= text <= high


def _printed(ratio: Fraction, interval: Interval, digits: int) -> tuple[str, str, str]:
    low, high = (decimal_text(end, digits + 1) for end in (interval.low, interval.high))
    return low, decimal_text(ratio, digits), high


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """The verdict as plain data; the fields of the design's JSON lines."""
    fraction = verdict.fraction
    return {
        "verdict": verdict.kind.value,
        "ratio": _number(verdict.ratio),
        "ratio_interval": _interval(verdict.interval),
        "conditional": [_conditional(item) for item in verdict.conditional],
        "fraction": None
        if fraction is None
        else {
            "kind": fraction.kind,
            "value": _number(fraction.value),
            "interval": _interval(fraction.interval),
        },
        "reasons": [_reason(reason) for reason in verdict.reasons],
        "cautions": [{"about": c.about, "text": c.text} for c in verdict.cautions],
        "derivation": [
            {
                "step": f"{s.side}: {s.step}",
                "licence": s.licence,
                "kind": s.kind.value,
                "side": s.side,
            }
            for s in verdict.derivation
        ],
        "use_instead": list(verdict.use_instead),
    }


def _reason(reason: Reason) -> dict[str, str]:
    data = {
        "axis": reason.axis,
        "state": reason.state,
        "left": reason.left,
        "right": reason.right,
        "why": reason.why,
    }
    return data | ({"settle": reason.settle} if reason.settle else {})


def _conditional(item: Conditional) -> dict[str, Any]:
    when = [{"side": side, "axis": axis, "value": value} for side, axis, value in item.when]
    return {"when": when, "ratio": _number(item.ratio), "ratio_interval": _interval(item.interval)}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [float(interval.low), float(interval.high)]


def verdict_lines(verdict: Verdict, *, proof: bool = False) -> Iterator[str]:
    """The verdict as lines of text, the answer first."""
    head = WORDS[verdict.kind]
    if verdict.ratio is not None:
        head += f": {ratio_text(verdict.ratio, verdict.interval)}"
    yield head
    yield f"  left:  {verdict.left}"
    yield f"  right: {verdict.right}"
    for reason in verdict.reasons:
        yield from reason_lines(reason)
    yield from _step_lines(verdict, proof=proof)
    for item in verdict.conditional:
        when = " and ".join(f"{side} {axis} is {words(value)}" for side, axis, value in item.when)
        yield f"  if {when}: {ratio_text(item.ratio, item.interval)}"
    if verdict.fraction is not None:
        share = decimal_text(verdict.fraction.value * 100, 4)
        yield f"  {verdict.fraction.kind} fraction: {share} %"
    for caution in verdict.cautions:
        yield f"  caution ({words(caution.about)}): {caution.text}"
    for name in verdict.use_instead:
        yield f"  use instead: {name}"


def reason_lines(reason: Reason) -> Iterator[str]:
    """One reason: the axis with both values, why it matters, what would settle it."""
    verb = "is open" if reason.state == "open" else "differs"
    yield (
        f"  {words(reason.axis)} {verb}: {words(reason.left)} against "
        f"{words(reason.right)}; {reason.why}"
    )
    if reason.settle:
        yield f"    would settle it: {reason.settle}"


def _step_lines(verdict: Verdict, *, proof: bool) -> Iterator[str]:
    if not verdict.derivation:
        return
    done = verdict.kind is VerdictKind.AFTER_DERIVATION
    yield "  steps:" if done else "  licensed steps that would be taken:"
    for number, step in enumerate(verdict.derivation, start=1):
        yield f"    {number}. {step.side}: {step.step} — {step.licence}"
        if proof:
            yield f"       {_effect(step)}"
    if proof and verdict.ratio is not None:
        yield f"    therefore left / right = {ratio_text(verdict.ratio, verdict.interval)}"


def _effect(step: Step) -> str:
    if step.replaces is not None:
        return f"the {step.side} value becomes {step.replaces.text}"
    return f"the {step.side} value is multiplied by {step.factor}"
