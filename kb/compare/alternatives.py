"""Which claims of the catalogue would make a refused comparison possible."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kb.compare.judge import compare
from kb.corpus import ClaimEntry, Corpus
from kb.operand import Operand, operand_of_claim
from kb.published import operand_of_result
from kb.quantity import QuantityError
from kb.verdict import Side, Verdict, VerdictKind


@dataclass(frozen=True, slots=True)
class Alternative:
    """A claim to use on one side in place of what stands there."""

    side: Side
    instead_of: str
    use: str
    """Id of the claim."""
    kind: VerdictKind
    """The verdict that the comparison would then get."""

    def __str__(self) -> str:
        """As a remedy: `use A instead of B`."""
        return f"use {self.use} instead of {self.instead_of}"


def alternatives(
    verdict: Verdict, left: Operand, right: Operand, corpus: Corpus, *, strict: bool = False
) -> tuple[Alternative, ...]:
    """The closest claim on each side that would allow a ratio with the other side.

    At most one a side. Empty where the verdict already allows a ratio, where the catalogue has
    no such claim, and for two figures of one product: what another claim would then compare is
    the other side with itself.
    """
    if verdict.allows_ratio or (left.product is not None and left.product is right.product):
        return ()
    found = []
    for side, own, other in (("left", left, right), ("right", right, left)):
        best = _best(own, other, corpus, left_side=side == "left", strict=strict)
        if best is not None:
            entry, kind = best
            found.append(Alternative(side, own.label, entry.id, kind))  # type: ignore[arg-type]
    return tuple(found)


def explained(left: Operand, right: Operand, corpus: Corpus, *, strict: bool = False) -> Verdict:
    """The verdict of `compare`, with the claims to use instead where it refuses."""
    verdict = compare(left, right, corpus, strict=strict)
    if left.published is not None or right.published is not None:
        return replace(verdict, use_instead=_per_accelerator(verdict, left, right))
    instead = alternatives(verdict, left, right, corpus, strict=strict)
    return replace(verdict, use_instead=tuple(dict.fromkeys(item.use for item in instead)))


def _per_accelerator(verdict: Verdict, left: Operand, right: Operand) -> tuple[str, ...]:
    """The views of two results that compare, where only the size of their systems differs."""
    refused = {reason.axis for reason in verdict.reasons if reason.state == "differs"}
    if refused != {"accelerator_count"} or left.published is None or right.published is None:
        return ()
    one = operand_of_result(left.published, "per_accelerator")
    other = operand_of_result(right.published, "per_accelerator")
    return (one.label, other.label) if compare(one, other).allows_ratio else ()


def _best(
    own: Operand, other: Operand, corpus: Corpus, *, left_side: bool, strict: bool
) -> tuple[ClaimEntry, VerdictKind] | None:
    if own.product is None:
        return None
    best: tuple[tuple[int, int, int], ClaimEntry, VerdictKind] | None = None
    taken = {own.label, other.label, *(entry.id for entry in other.claims)}
    for entry in corpus.claims_of(own.product.product):
        if entry.claim.metric is not other.metric or entry.id in taken:
            continue
        try:
            candidate = operand_of_claim(entry)
        except QuantityError:
            continue
        pair = (candidate, other) if left_side else (other, candidate)
        verdict = compare(*pair, corpus, strict=strict)
        if not verdict.allows_ratio:
            continue
        # Fewest steps first, then what shares most qualifiers with both sides.
        shared = _shared(candidate, own) + _shared(candidate, other)
        rank = (len(verdict.derivation), -shared, len(entry.id))
        if best is None or rank < best[0]:
            best = rank, entry, verdict.kind
    return None if best is None else (best[1], best[2])


def _shared(a: Operand, b: Operand) -> int:
    return sum(1 for axis, value in a.axes.items() if b.axes.get(axis) == value)
