"""Says in a few lines what a compiler made of a program; never a time, a rate or a winner."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from kb.model.artefact import CANNOT, NO_DEVICE, Artefact, ByHand, Kernel, Variant
from kb.model.share import GROUPS, memory_verdict, share_text, shares


def lines(record: Artefact) -> Iterator[str]:
    """The record of one target for a terminal."""
    target, program = record.target, record.program
    yield f"{program.id} for {target.product}, {target.devices} x {target.device_kind}"
    yield f"  program: jaxpr {program.jaxpr_sha256[:12]}, StableHLO {program.stablehlo_sha256[:12]}"
    work = program.flops.contraction
    counted = "not counted" if work is None else f"{work:,} FLOP in contractions"
    yield f"  asks for: {counted}; collectives {_counted(program.requested_collectives) or 'none'}"
    yield from (f"    {reason}" for reason in program.flops.unknown)
    yield from (f"    {_by_hand(each)}" for each in program.by_hand)
    yield f"  traces: {program.traces} for this input signature, asked for twice"
    if record.refusal is not None:
        yield f"  {record.refusal.kind}: {record.refusal.message}"
        yield f"    fix: {record.refusal.remedy}"
        return
    for variant in record.variants:
        yield from _variant(variant, target.devices, work)
    fit = memory_verdict(record)
    yield f"  memory: {fit.word.replace('_', ' ')}. {fit.why}"
    for group in GROUPS:
        if shares(record, group)[1]:
            found = share_text(record, group)
            yield f"  {group.replace('_', '-')} kernels: {found} of contraction FLOPs"
    open_ = undecided(record)
    if open_:
        yield f"  undecided without the device: {len(open_)} of {len(record.variants[0].kernels)}"
        yield from (f"    {line}" for line in textwrap.wrap(", ".join(open_), 92))
        yield f"    {NO_DEVICE}"
    yield f"  {CANNOT}"


def _variant(variant: Variant, devices: int, asked: int | None) -> Iterator[str]:
    yield f"  {variant.name} (HLO {variant.hlo.sha256[:12]}, {variant.hlo.unparsed} lines unparsed)"
    kinds = Counter(str(each.kernel_class) for each in variant.kernels)
    yield f"    kernels: {_counted(kinds) or 'none'}; copies {_counted(variant.copies) or 'none'}"
    done = [each.flops for each in variant.kernels]
    if asked and None not in done:
        surplus = sum(each or 0 for each in done) * devices / asked - 1
        yield f"    contraction work on all devices: {surplus:+.2%} against what the program asks"
    touched = sum(each.bytes for each in variant.kernels)
    yield f"    kernels read and write {touched:,} B on one device, at logical size"
    if variant.xla_flops is not None:
        yield (
            f"    XLA itself counts {variant.xla_flops:,.0f} FLOP on one device: elementwise work "
            "too, and a loop body once"
        )
    yield f"    matrix instructions: {_counted(matrix(variant.kernels)) or 'none visible'}"
    spilled = [each.name for each in variant.kernels if each.spill_bytes]
    if any(each.registers is not None for each in variant.kernels):
        most = max(each.registers or 0 for each in variant.kernels)
        yield f"    at most {most} registers a thread; spills in {len(spilled)} kernels"
    for each in variant.collectives:
        sliced = ", only a slice is used" if each.then_sliced else ""
        yield (
            f"    {each.kind} x{each.executions}: {each.groups} x {each.group_size} devices, "
            f"{each.dtype}, payload {each.payload_bytes:,} B, wire {each.wire_bytes:,} B{sliced}"
        )
    if variant.open_loops:
        yield f"    {variant.open_loops} loops of unknown length, counted once"


def matrix(kernels: Sequence[Kernel]) -> dict[str, int]:
    """How many kernels hold each family of matrix instructions."""
    return dict(Counter(family for each in kernels for family in each.matrix))


def undecided(record: Artefact) -> tuple[str, ...]:
    """Instructions of the first variant whose implementation a device would choose by timing."""
    first = record.variants[0].kernels if record.variants else ()
    return tuple(dict.fromkeys(each.name for each in first if each.undecided))


def _by_hand(kernel: ByHand) -> str:
    rules = [("gradient", kernel.gradient), ("sharding", kernel.sharding)]
    said = (f"{word} {'rule' if has else 'no rule'}" for word, has in rules if has is not None)
    return f"{kernel.primitive} {kernel.name} x{kernel.sites}: {', '.join(said)}"


def _counted(counts: dict[str, int] | Counter[str]) -> str:
    return ", ".join(f"{number} {word}" for word, number in sorted(counts.items()))
