"""The words of the trade for readers: display names, sentences, and the glossary page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kb.model.claim import AXES, AXIS_WORDS, Claim
from kb.pages import links
from kb.pages.text import blocks, chip, chip_link, esc, page, plural, stacked, table
from kb.qualifiers import RESULT_AXES, UNSTATED, EvidenceClass, Metric, Word
from kb.verdict import StepKind, VerdictKind

NAMES = {
    "hbm": "HBM",
    "on_chip": "on-chip memory",
    "on_chip_memory": "on-chip memory",
    "host_dram": "host DRAM",
    "lpddr": "LPDDR",
    "ici": "ICI",
    "nvlink": "NVLink",
    "nvlink_c2c": "NVLink-C2C",
    "pcie": "PCIe",
    "nic": "NIC",
    "infinity_fabric": "Infinity Fabric",
    "neuronlink": "NeuronLink",
    "gpu": "GPU",
    "ethernet_scale_up": "scale-up Ethernet",
    "die_to_die": "die to die",
    "structured_2_4": "2:4 sparse",
    "bidirectional_sum": "both directions added",
    "one_way": "one way",
    "vendor_peak": "vendor's peak",
    "vendor_typical": "vendor's typical",
    "device_reported": "reported by the device",
    "per_device": "all of one accelerator",
    "total": "total of the scope",
    "to_one_peer": "to one peer",
    "scale_up_link": "scale-up link",
    "scale_out_network": "scale-out network",
    "chip_to_chip": "chip-to-chip link",
    "all_reduce_payload": "all-reduce payload",
    "profile_device": "device profile",
    "multiply_add_is_two": "multiply-add counts as 2",
    "multiply_add_is_one": "multiply-add counts as 1",
    "warm_host": "warm call, host clock",
    "int4": "INT4",
    "int8": "INT8",
    "int32": "INT32",
    "tf32": "TF32",
    "bf16": "BF16",
    "fp4": "FP4",
    "fp6": "FP6",
    "fp8": "FP8",
    "fp16": "FP16",
    "fp32": "FP32",
    "fp64": "FP64",
    "compute_api": "compute API",
    "power_state": "power state",
    "end_to_end": "end to end",
    "number_formats": "number formats",
    "rdi": "research, development or internal",
    "single_stream": "single stream",
    "multi_stream": "multi-stream",
}
"""Words whose spelling for readers is more than blanks for underscores."""

QUESTIONS = {
    "scope": "Which part of the product is the number about?",
    "interface": "Which memory or link does it describe?",
    "role": "What is that memory or link for?",
    "direction": "Does a link's figure count one direction, or add both?",
    "aggregation": "Over what is it added up?",
    "sparsity": "Are multiplications by structural zeros counted as work?",
    "precision": "In which number format are the operands?",
    "engine": "Which unit does the arithmetic?",
    "basis": "Is it a promise, a report of the device, or an observation?",
    "boundary": "What does a measured interval enclose?",
    "layer": "On which layer of the stack does it live?",
    "arithmetic": "Does the format run natively?",
    "counting": "How are operations counted?",
    "power_state": "For which power limit or clock does it hold?",
    "suite": "For which kind of system is the benchmark laid out?",
    "division": "Under which rules was the result submitted?",
    "scenario": "How does the load generator send its queries?",
    "run": "Did a power meter run along?",
    "normalisation": "Is it the whole system's figure, or was it divided?",
    "availability": "Can what was measured be had?",
    "verification": "Did the benchmark's owner review it?",
}
"""The question that each axis answers."""

SHORT = {
    Metric.MEMORY_CAPACITY: "capacity",
    Metric.MEMORY_BANDWIDTH: "bandwidth",
    Metric.LINK_BANDWIDTH: "bandwidth",
    Metric.COMPUTE_THROUGHPUT: "compute",
}
"""Metrics that need fewer words beside the interface or the number format."""

USUAL = {
    "engine": ("matrix", UNSTATED),
    "sparsity": (UNSTATED,),
    "scope": (UNSTATED,),
    "aggregation": ("per_device", "total", UNSTATED),
    "direction": (UNSTATED,),
    "power_state": (UNSTATED,),
    "basis": ("vendor_peak", "vendor_typical", "advertised", UNSTATED),
}
"""Axes that a title may name, and the words on them that go without saying there."""

VERDICT_LOOK = {
    VerdictKind.COMPARABLE: ("yes", "✓ comparable"),
    VerdictKind.AFTER_DERIVATION: ("steps", "✓ after derivation"),
    VerdictKind.NOT_COMPARABLE: ("no", "✗ not comparable"),
    VerdictKind.UNDETERMINED: ("open", "? undetermined"),
}
"""Look and label of each verdict; the sign carries it where there is no colour."""


def name(word: object) -> str:
    """A word of an axis as a reader sees it."""
    text = str(word)
    return NAMES.get(text, text.replace("_", " "))


def claim_title(claim: Claim) -> str:
    """A claim's slot in words: `HBM bandwidth, chip`; a count is called what it counts."""
    if claim.metric is Metric.COUNT:
        return claim.id.replace("-", " ")
    subject = claim.value_of("interface") or claim.value_of("precision")
    kind = SHORT.get(claim.metric, name(claim.metric))
    parts = [kind if subject in (None, UNSTATED) else f"{name(subject)} {kind}"]
    for axis, usual in USUAL.items():
        value = claim.value_of(axis)
        if value is not None and value not in usual:
            parts.append(name(value))
    return ", ".join(parts)


def titles(claims: Iterable[Claim]) -> dict[str, str]:
    """The title of each claim by its id; claims that would share one show their id too."""
    named = {claim.id: claim_title(claim) for claim in claims}
    shared = Counter(named.values())
    return {key: title if shared[title] == 1 else f"{title}: {key}" for key, title in named.items()}


def qualifiers(claim: Claim, axes: tuple[str, ...] = AXES) -> list[tuple[str, object]]:
    """Every qualifier of the current statement, in the order of the axes."""
    found = [(axis, claim.value_of(axis)) for axis in axes]
    return [(axis, value) for axis, value in found if value is not None]


def badge(at: str, axis: str, value: object, claim: Claim | None = None) -> str:
    """One qualifier as a label on the page `at`: the word, or how an unstated one is assessed.

    A word of an axis leads to its entry in the glossary and says its meaning on hovering.
    """
    if value == UNSTATED:
        settled = claim.assessment_of(axis) if claim else None
        look, label, told = "unstated", f"{name(axis)}: unstated", "The source does not say."
        if settled is not None:
            label = f"{name(axis)}: unstated, assessed as {name(settled.value)}"
            look, told = "assessed", settled.reasoning
        return chip_link(look, label, links.way(at, links.word_target(axis)), told)
    if isinstance(value, tuple):
        return chip("word", f"includes {' + '.join(name(item) for item in value)}")
    if isinstance(value, dict):
        return chip("word", ", ".join(f"{k} {v}" for k, v in sorted(value.items())))
    if isinstance(value, int):
        return chip("word", plural(value, "accelerator"))
    if isinstance(value, Word):
        target = links.way(at, links.word_target(axis, value))
        return chip_link("word", name(value), target, value.sentence)
    return chip("word", name(value))


def badges(at: str, claim: Claim) -> str:
    """All qualifiers of a claim as labels; what follows from the interface is left out."""
    shown = [(axis, value) for axis, value in qualifiers(claim) if axis not in ("role", "layer")]
    return " ".join(badge(at, axis, value, claim) for axis, value in shown)


def verdict_chip(kind: VerdictKind) -> str:
    """A verdict as a label."""
    look, label = VERDICT_LOOK[kind]
    return chip(look, label, kind.sentence)


def verdict_counts(counts: Mapping[VerdictKind, int]) -> str:
    """How many verdicts there are of each kind; a number stays on the line of its label."""
    return ", ".join(
        f'<span class="kb-count">{counts.get(kind, 0)} {verdict_chip(kind)}</span>'
        for kind in VerdictKind
    )


def glossary() -> dict[str, str]:
    """The page of axes and words, made from the enumerations themselves."""
    axes: dict[str, type[Word]] = {"metric": Metric, **AXIS_WORDS}
    axes |= {axis: words for axis, words in RESULT_AXES.items() if words is not None}
    intro = (
        "Every number here is qualified on these axes. Two numbers compare when they agree on "
        "all of them, or when a licensed step joins them. *Unstated* is a word of its own: the "
        "source leaves the axis open, and nothing is filled in silently."
    )
    parts = ["# Words", intro, "Every field of a file is in the [data dictionary](dictionary.md)."]
    parts += [_axis(axis, words) for axis, words in axes.items()]
    parts += [
        _axis("verdict", VerdictKind),
        _axis("step", StepKind),
        _axis("evidence-class", EvidenceClass),
    ]
    return {links.WORDS: page(*parts)}


def _axis(axis: str, words: type[Word]) -> str:
    rows = []
    for word in words:
        anchor = links.anchor(f"{axis}-{word}")
        rows.append(
            (f'<span id="{anchor}">{esc(name(word))}</span>', f"`{word}`", esc(word.sentence))
        )
    title = f"## {esc(name(axis).capitalize())} {{ #{links.anchor(axis)} }}"
    shown = stacked(table(("word", "in files", "means"), rows), told=True)
    return blocks(title, QUESTIONS.get(axis, ""), shown)
