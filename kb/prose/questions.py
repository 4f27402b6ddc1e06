"""What a known number leaves open: the questions that would settle it.

A number may be in the catalogue and still say nothing, because the sentence names no
format, no sparsity, no part or no direction. Then the answer is a question, never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.fit import PART, agrees, conflicts
from kb.prose.known import Known, Slot
from kb.prose.phrase import value_words

Question = tuple[str, str]
"""An axis, and what to ask about it."""
OF_SOURCE = ("the source ", "nor whether ")
"""How a question begins that no author can answer: what the source itself leaves open."""
UNSETTLED = (
    "the text can't settle it: name the source beside the number, and build no ratio on it that "
    "depends on the answer"
)


def remedy(asked: Sequence[Question]) -> str:
    """What to do about questions of which the source leaves each open; else empty."""
    return UNSETTLED if all(text.startswith(OF_SOURCE) for _, text in asked) else ""


def questions(
    bound: Bound, sentence: Sentence, found: list[Slot], slots: Sequence[Slot], known: Known
) -> list[Question]:
    """What must be answered before the number says anything; empty where it is clear."""
    slot = found[0]
    asked = _open_scope(bound, sentence, found)
    if slot.entry.claim.metric == "compute_throughput":
        asked += _open_compute(bound, found)
    if slot.entry.claim.metric == "link_bandwidth":
        asked += _open_link(bound, found)
    asked += _open_product(bound, found, slots)
    if "named" not in bound.tags:
        asked += _open_document(bound, found, known)
    return asked


def _open_document(bound: Bound, found: Sequence[Slot], known: Known) -> list[Question]:
    """Which document or edition is meant, where they differ and none is named."""
    slot, asked = found[0], []
    current = slot.entry.claim.current
    if slot.entry.id in known.contested and not slot.changed:
        rival = next(s for s in slot.entry.claim.statements if s.status == "disputed")
        same_digits = rival.published.split()[0] == slot.quantity.text.split()[0]
        text = f"documents differ ({slot.quantity.text}, {rival.published}): which one is meant?"
        asked.append(("unit" if same_digits else "basis", text))
    if all(s.statement.status == "superseded" for s in found) and "old" not in bound.tags:
        newest = current.quantity(slot.metric).base
        if abs(newest / slot.base - 1) > Fraction(3, 100):
            text = f"{slot.quantity.text} is an older figure; today's is {current.published}: "
            asked.append(("product_identity", f"{text}which edition is meant?"))
    return asked


def _open_scope(bound: Bound, sentence: Sentence, found: Sequence[Slot]) -> list[Question]:
    """A value of another scope than the one that the bare name suggests."""
    levels = {slot.level for slot in found}
    counted = any(a.kind == "count" and a.number > 1 for a in sentence.amounts)
    if bound.values("scope") or "each" in bound.tags or levels & {"", "core"}:
        return []
    if counted and any("scope" in slot.changed or slot.level == "one" for slot in found):
        return []
    sold = bound.values("sold_as")
    if sold and "one" in levels:
        word = min(sold)
        return [("scope", f"is that one accelerator or the whole {word}? It fits one accelerator")]
    if not sold and "one" not in levels and not bound.values("aggregation") - {"total"}:
        scope = found[0].axes.get("scope", "")
        return [("scope", f"for what part? It is the figure of a whole {scope}")]
    return []


def _open_compute(bound: Bound, found: Sequence[Slot]) -> list[Question]:
    asked: list[Question] = []
    formats = {slot.axes.get("precision") for slot in found}
    engines = {slot.axes.get("engine") for slot in found}
    none = found[0].entry.product.is_dense_only
    several = len(formats) > 1 and not none
    if not bound.values("precision") and (several or None in formats):
        asked.append(("precision", "which number format?"))
        if len(engines) > 1:
            asked.append(("engine", "on which engine?"))
    sparsity = {slot.axes.get("sparsity") for slot in found}
    marked = bound.values("sparsity") or "sparsity" not in found[0].axes
    if sparsity == {"structured_2_4"} and not marked:
        asked.append(("sparsity", "it is the rate with structured sparsity: is that meant?"))
    if all("sparsity" in slot.open for slot in found) and not none and not _labelled(bound, found):
        asked.append(("sparsity", "the source marks it neither dense nor sparse"))
    accumulator = bound.values("accumulator")
    if accumulator and all(
        "accumulator" in slot.open or "accumulator" not in slot.axes for slot in found
    ):
        asked.append(("precision", "the source states no accumulator for it"))
    return asked


def _labelled(bound: Bound, found: Sequence[Slot]) -> bool:
    """A claim that is named sparse or dense, though its source leaves the pattern open."""
    return bool(bound.values("sparsity")) and any(
        slot.entry.claim.id.endswith(("-sparse", "-dense")) for slot in found
    )


def _open_link(bound: Bound, found: Sequence[Slot]) -> list[Question]:
    slot = found[0]
    asked: list[Question] = []
    part = slot.axes.get("aggregation")
    each = part in ("per_link", "per_port") and "each" in bound.tags
    if part in PART and part not in bound.values("aggregation") and not each:
        asked.append(("aggregation", f"over what? It is the {part.replace('_', ' ')} figure"))
        if not bound.values("scope"):
            asked.append(("scope", "of which part?"))
    if "direction" in slot.changed and not bound.values("direction"):
        asked.append(("direction", "one direction, or both added? It fits one direction"))
    old = slot.statement.status == "superseded"
    bytes_of_network = slot.axes.get("interface") == "nic" and not slot.quantity.unit.counts_bits
    unclear_link = slot.axes.get("interface") in ("infinity_fabric", "neuronlink")
    if "direction" in slot.open and (old or bytes_of_network or unclear_link):
        asked.append(("direction", "the source doesn't say whether both directions are added"))
        if "aggregation" in slot.open or old:
            asked.append(("scope", "nor whether it is per accelerator or per port"))
    return asked


def _open_product(bound: Bound, found: Sequence[Slot], slots: Sequence[Slot]) -> list[Question]:
    """A family name whose members have different values in this slot."""
    if not bound.family or len(bound.products) < 2:
        return []
    fits = {slot.product for slot in found}
    if bound.form & fits:
        return []  # `H100 SXM5` was said before, and the H100 is still that one
    meant = {p for name in bound.names if fits & set(name.products) for p in name.products}
    others = [
        slot
        for slot in slots
        if slot.product in meant - fits
        and slot.current
        and not conflicts(bound, slot)
        and slot.level == found[0].level
        and all(
            slot.axes.get(a) == found[0].axes.get(a) for a in ("interface", "precision", "sparsity")
        )
        and not agrees(bound.amount, slot.base)
    ]
    if not others:
        return []
    fit = ", ".join(sorted(fits))
    text = f"which one? It fits {fit}; {others[0].product} has {value_words(others[0])}"
    return [("product_identity", text)]
