"""Judging one number: is it what the catalogue has for this product under these words.

Known under the stated words: fine. Known only under other words: wrong, and the axis says
how. Not known at all: explained where arithmetic shows the mistake, else left open. A guess
is never given as a fact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kb.prose.bind import Bound
from kb.prose.context import Sentence
from kb.prose.explain import division, explain, relabelled
from kb.prose.fit import PART, agrees, conflicts, matching
from kb.prose.known import Known, Slot
from kb.prose.phrase import slot_words, value_words
from kb.prose.remark import Remark, fine, unclear, wrong

TOO_FAST = Fraction(102, 100)


def judge(
    bound: Bound, sentence: Sentence, known: Known, *, scope_shown: bool = False
) -> Remark | None:
    """The judgement on one number; None where nothing is known about such a thing.

    `scope_shown`: arithmetic in the sentence shows what the number is about.
    """
    amount = bound.amount
    if not bound.products or "deny" in bound.tags:
        return None
    slots = known.of(bound.products, amount.kind)
    if not slots:
        return None
    same = matching(amount, slots)
    fitting = [slot for slot in same if not conflicts(bound, slot)]
    settled = [
        slot
        for slot in fitting
        if slot.statement.status != "disputed"
        # A value that nobody printed must fit every word of the sentence.
        and not (slot.changed and conflicts(bound, slot, weak=True))
    ]
    if settled:
        return _known(bound, sentence, _best(settled, bound), slots, known, scope_shown=scope_shown)
    if fitting and "named" in bound.tags:
        return fine(amount.start, amount.end, slot_words(fitting[0]))
    if above := _above_peak(bound, sentence, slots):
        return above
    if _observed(bound, sentence):
        return None
    disputed = next((s for s in fitting if s.statement.status == "disputed"), None)
    if disputed:
        return explain(bound, sentence, slots, known, disputed=disputed)
    if same and (found := division(bound, sentence, slots)):
        return found
    unlike = same and all("interface" in conflicts(bound, s) or s.changed for s in same)
    if unlike and (found := relabelled(bound, [], slots, known)):
        return found
    if same and all(s.changed and len(conflicts(bound, s)) > 1 for s in same):
        # Two slips at once and a step between: another mistake is likelier.
        return explain(bound, sentence, slots, known) or _other_words(
            bound, same, slots, sentence, known
        )
    same = [s for s in same if conflicts(bound, s)]
    if same:
        return _other_words(bound, same, slots, sentence, known)
    return explain(bound, sentence, slots, known)


def _best(slots: Sequence[Slot], bound: Bound) -> list[Slot]:
    """The slots that fit best: no doubt from elsewhere, printed rather than derived."""

    def rank(slot: Slot) -> tuple[int, int, bool, int]:
        older = "old" in bound.tags
        unit, printed = bound.amount.unit, slot.quantity
        literal = unit is not None and (printed.unit.name, printed.number) == (
            unit.name,
            bound.amount.number,
        )
        return (
            len(conflicts(bound, slot, weak=True)),
            len(slot.changed) + ("direction" in slot.changed and not bound.values("direction")),
            not literal,
            0 if slot.current or older else 1,
        )

    best = min(rank(slot) for slot in slots)
    return [slot for slot in slots if rank(slot) == best]


def _known(
    bound: Bound,
    sentence: Sentence,
    found: list[Slot],
    slots: Sequence[Slot],
    known: Known,
    *,
    scope_shown: bool,
) -> Remark:
    """The value is known under the stated words; what do the words leave open?"""
    amount = bound.amount
    questions = _open(bound, sentence, found, slots, known)
    if scope_shown:
        questions = [(a, text) for a, text in questions if a not in ("scope", "aggregation")]
    if questions:
        axes = tuple(dict.fromkeys(axis for axis, _ in questions))
        return unclear(amount.start, amount.end, axes, "; ".join(text for _, text in questions))
    return fine(amount.start, amount.end, slot_words(found[0]))


def _open(
    bound: Bound, sentence: Sentence, found: list[Slot], slots: Sequence[Slot], known: Known
) -> list[tuple[str, str]]:
    slot = found[0]
    questions = []
    questions += _open_scope(bound, sentence, found)
    if slot.entry.claim.metric == "compute_throughput":
        questions += _open_compute(bound, found)
    if slot.entry.claim.metric == "link_bandwidth":
        questions += _open_link(bound, found)
    questions += _open_product(bound, found, slots)
    named = "named" in bound.tags
    if slot.entry.id in known.contested and not slot.changed and not named:
        contested = next(s for s in slot.entry.claim.statements if s.status == "disputed")
        digits = contested.published.split()[0] == slot.quantity.text.split()[0]
        axis = "unit" if digits else "basis"
        text = (
            f"documents differ ({slot.quantity.text}, {contested.published}): which one is meant?"
        )
        questions.append((axis, text))
    if all(s.statement.status == "superseded" for s in found) and not (
        named or "old" in bound.tags
    ):
        newest = slot.entry.claim.current.quantity(slot.metric).base
        if abs(newest / slot.base - 1) > Fraction(3, 100):
            text = f"{slot.quantity.text} is an older figure; today's is {slot.entry.claim.current.published}: which edition is meant?"
            questions.append(("product_identity", text))
    return questions


def _open_scope(bound: Bound, sentence: Sentence, found: Sequence[Slot]) -> list[tuple[str, str]]:
    """A value of another scope than the one that the bare name suggests."""
    levels = {slot.level for slot in found}
    counted = any(a.kind == "count" and a.number > 1 for a in sentence.amounts)
    if bound.values("scope") or "each" in bound.tags or levels & {"", "core"}:
        return []
    if counted and any("scope" in slot.changed or slot.level == "one" for slot in found):
        return []
    sold = bound.values("sold_as")
    if sold and "one" in levels:
        if not any(name.words for name in bound.names) or found[0].entry.product.claims == ():
            return []
        word = next(iter(sold))
        return [("scope", f"is that one accelerator or the whole {word}? It fits one accelerator")]
    if not sold and "one" not in levels and not bound.values("aggregation") - {"total"}:
        scope = found[0].axes.get("scope", "")
        return [("scope", f"for what part? It is the figure of a whole {scope}")]
    return []


def _open_compute(bound: Bound, found: Sequence[Slot]) -> list[tuple[str, str]]:
    questions = []
    formats = {slot.axes.get("precision") for slot in found}
    engines = {slot.axes.get("engine") for slot in found}
    sparse_mode = found[0].entry.product.sparse_mode
    several = len(formats) > 1 and not (sparse_mode and sparse_mode.mode == "none")
    if not bound.values("precision") and (several or None in formats):
        questions.append(("precision", "which number format?"))
        if len(engines) > 1:
            questions.append(("engine", "on which engine?"))
    sparsity = {slot.axes.get("sparsity") for slot in found}
    marked = bound.values("sparsity") or "sparsity" not in found[0].axes
    if sparsity == {"structured_2_4"} and not marked:
        questions.append(("sparsity", "it is the rate with structured sparsity: is that meant?"))
    none = sparse_mode is not None and sparse_mode.mode == "none"
    if all("sparsity" in slot.open for slot in found) and not none and not _labelled(bound, found):
        questions.append(("sparsity", "the source marks it neither dense nor sparse"))
    accumulator = bound.values("accumulator")
    if accumulator and all(
        "accumulator" in slot.open or "accumulator" not in slot.axes for slot in found
    ):
        questions.append(("precision", "the source states no accumulator for it"))
    return questions


def _labelled(bound: Bound, found: Sequence[Slot]) -> bool:
    """A claim that is named sparse or dense, though its source leaves the pattern open."""
    return bool(bound.values("sparsity")) and any(
        slot.entry.claim.id.endswith(("-sparse", "-dense")) for slot in found
    )


def _open_link(bound: Bound, found: Sequence[Slot]) -> list[tuple[str, str]]:
    slot = found[0]
    questions = []
    part = slot.axes.get("aggregation")
    if (
        part in PART
        and part not in bound.values("aggregation")
        and not bound.values("link") & {"each"}
    ):
        if not ({"per_link", "per_port"} & {part} and bound.tags & {"each"}):
            questions.append(
                ("aggregation", f"over what? It is the {part.replace('_', ' ')} figure")
            )
            if not bound.values("scope"):
                questions.append(("scope", "of which part?"))
    if "direction" in slot.changed and not bound.values("direction"):
        questions.append(("direction", "one direction, or both added? It fits one direction"))
    old = slot.statement.status == "superseded"
    bytes_of_network = slot.axes.get("interface") == "nic" and not slot.quantity.unit.counts_bits
    unclear_link = slot.axes.get("interface") in ("infinity_fabric", "neuronlink")
    if "direction" in slot.open and (old or bytes_of_network or unclear_link):
        questions.append(("direction", "the source doesn't say whether both directions are added"))
        if "aggregation" in slot.open or old:
            questions.append(("scope", "nor whether it is per accelerator or per port"))
    return questions


def _open_product(
    bound: Bound, found: Sequence[Slot], slots: Sequence[Slot]
) -> list[tuple[str, str]]:
    """A family name whose members have different values in this slot."""
    if not bound.family or len(bound.products) < 2:
        return []
    fits = {slot.product for slot in found}
    others = [
        slot
        for slot in slots
        if slot.product not in fits
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
    text = f"which one? It fits {', '.join(sorted(fits))}; {others[0].product} has {value_words(others[0])}"
    return [("product_identity", text)]


def _observed(bound: Bound, sentence: Sentence) -> bool:
    """Whether the number is what somebody saw or needs, and not what a product has."""
    told = bound.strong("basis") & {"device_reported", "usable"}
    return (
        bool(told)
        or "measured" in bound.values("basis")
        or (
            # A job may need any amount of memory; a rate belongs to a machine.
            "use" in bound.tags and bound.amount.kind == "information"
        )
    )


def _above_peak(bound: Bound, sentence: Sentence, slots: Sequence[Slot]) -> Remark | None:
    """A measured rate above everything that the product is printed with."""
    if bound.amount.kind not in ("operations", "information_rate") or not _observed(
        bound, sentence
    ):
        return None
    group = bound.values("scope") and not bound.values("scope") & {"chip", "gpu", "device"}
    fair = [s for s in slots if not conflicts(bound, s) and (group or s.level == "one")]
    if not fair or bound.amount.base <= max(s.base for s in fair) * TOO_FAST:
        return None
    top = max(fair, key=lambda slot: slot.base)
    return wrong(
        bound.amount.start,
        bound.amount.end,
        ("basis", "timing_boundary"),
        f"a measured rate can't be above the peak, {slot_words(top)}: the clock stopped before "
        "the work was done, or operations were miscounted",
    )


def _other_words(
    bound: Bound, same: list[Slot], slots: Sequence[Slot], sentence: Sentence, known: Known
) -> Remark:
    """The value is known, but under other words than those at the number."""
    printed = [s for s in same if s.statement.status != "disputed"] or same
    slot = min(printed, key=lambda s: _distance(bound, s))
    axes = tuple(sorted(conflicts(bound, slot), key=_WEIGHT.index))
    if slot.statement.status == "superseded" and not slot.current:
        return explain(bound, sentence, slots, known) or unclear(
            bound.amount.start, bound.amount.end, axes, f"{slot_words(slot)} is an older figure"
        )
    right = [s for s in slots if not conflicts(bound, s) and s.current and not s.changed]
    instead = f"; under these words it is {value_words(right[0])}" if right else ""
    message = f"this is {slot_words(slot)}{instead}"
    suggestion = right[0].quantity.text if len({s.base for s in right}) == 1 else ""
    return wrong(bound.amount.start, bound.amount.end, axes, message, suggestion)


def _distance(bound: Bound, slot: Slot) -> tuple[int, int, list[int], bool]:
    axes = conflicts(bound, slot)
    return len(axes), len(slot.changed), sorted(map(_WEIGHT.index, axes)), not slot.current


_WEIGHT = [
    "interface",
    "sparsity",
    "precision",
    "direction",
    "scope",
    "aggregation",
    "engine",
    "basis",
    "power_state",
]
"""Which axis names the mistake where several differ."""
