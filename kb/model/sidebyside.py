"""Sets two compiled records side by side: what each backend did with the program.

A row says what remains the same and what changes. Nothing is summed into a mark and no side
is called better.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kb.model.artefact import Collective, KernelClass, Variant
from kb.model.share import GROUPS, NO_WORK, share_text
from kb.model.side import NOT_RECORDED, Record, Side, side

NONE = "none"

Said = Callable[[Variant], str]
"""What one variant says in one respect."""


@dataclass(frozen=True, slots=True)
class Row:
    """One respect in which two records are set side by side."""

    what: str
    left: str
    right: str
    note: str = ""

    @property
    def same(self) -> bool:
        """Whether both sides say the same."""
        return self.left == self.right


def differences(left: Record, right: Record) -> tuple[Row, ...]:
    """Every respect, in a fixed order, equal ones included.

    Raises `ValueError` where a record holds no compilation.
    """
    return tuple(_rows(side(left), side(right)))


def _rows(left: Side, right: Side) -> Iterator[Row]:
    both = left, right
    yield Row("record", left.id, right.id)
    yield Row("target", left.target, right.target)
    if left.ran or right.ran:
        yield _row("ran", ["yes" if each.ran else "no, compiled only" for each in both])
    yield Row("versions", left.versions, right.versions)
    yield from _program(left, right)
    if left.refusal or right.refusal:
        yield Row("refusal", left.refusal or NONE, right.refusal or NONE)
    if not (left.variants and right.variants):
        return
    yield from _work(left, right)
    yield from _collectives(left, right)
    yield from _memory(left, right)


def _program(left: Side, right: Side) -> Iterator[Row]:
    both = left, right
    lowered = left.stablehlo_sha256 == right.stablehlo_sha256
    traced = None not in (left.jaxpr_sha256, right.jaxpr_sha256)
    same = left.jaxpr_sha256 == right.jaxpr_sha256 if traced else lowered
    yield _row("program (jaxpr)", [_short(s.jaxpr_sha256) for s in both], _sameness(traced, same))
    note = ""
    if traced and same and not lowered:
        note = "JAX's own lowering rules differ between these platforms"
    yield _row("lowered program (StableHLO)", [_short(s.stablehlo_sha256) for s in both], note)
    yield Row("mesh", left.mesh, right.mesh)


def _sameness(traced: bool, same: bool) -> str:  # noqa: FBT001 - two facts, one sentence
    if same:
        return f"the same {'traced' if traced else 'lowered'} program"
    if traced:
        return "two programs: nothing below is attributable"
    return (
        "a run keeps the lowered program only, and lowering may differ between platforms: "
        "whether these are one program is undetermined"
    )


def _work(left: Side, right: Side) -> Iterator[Row]:
    both = left, right
    yield _pair("kernels", both, lambda v: str(len(v.kernels)), "fewer is not better by itself")
    for kind in KernelClass:
        if any(k.kernel_class is kind for a in both for v in a.variants for k in v.kernels):
            count = functools.partial(_of, kind=kind)
            yield _pair(f"kernels, {kind.replace('_', ' ')}", both, count)
    yield _pair("fusions and calls, in the compiler's words", both, _kinds)
    for group in GROUPS:
        found = [share_text(each, group) for each in both]
        note = "a range where only a device could decide"
        told = note if any(" to " in each and each != NO_WORK for each in found) else ""
        yield _row(f"share of contraction FLOPs, {group.replace('_', '-')}", found, told)
    note = "above 0: computed again, or replicated on several devices"
    yield _row("work against the program's own", [_surplus(each) for each in both], note)
    yield _pair("number formats of contractions", both, _formats)
    yield _pair("matrix instructions", both, _matrix, "a library's own code can't be seen")
    yield _pair("registers at most, spills", both, _registers)
    yield _pair("copies and prefetches", both, lambda v: _counts(v.copies))
    yield _pair("inputs not laid out row-major", both, lambda v: str(v.tiled_inputs))
    yield _pair("layouts of the inputs", both, _layouts)
    yield _pair("undecided without the device", both, _undecided)


def _collectives(left: Side, right: Side) -> Iterator[Row]:
    both = left, right
    yield _row("collectives asked for", [_asked(each) for each in both])
    first = [a.variants[0] for a in both]
    for kind in sorted({c.kind for v in first for c in v.collectives}):
        yield _row(kind, [_collective(v.collectives, kind) for v in first])
    wire = [f"{sum(c.wire_bytes for c in v.collectives):,}" for v in first]
    yield _row("wire bytes of one device", wire, "by the ring factor; no time follows from it")
    sliced = [str(sum(c.then_sliced for c in v.collectives)) for v in first]
    if sliced != ["0", "0"]:
        note = "a reduce-scatter would move half as much"
        yield _row("all-reduce of which a slice is used", sliced, note)
    again = [_again(v.collectives) for v in first]
    if again != [NONE, NONE]:
        yield _row("gathered more than once", again)


def _memory(left: Side, right: Side) -> Iterator[Row]:
    both = left, right
    for field in ("argument", "output", "temporary", "peak"):
        yield _pair(f"memory, {field}", both, functools.partial(_planned, field=field))
    fits = [each.fit for each in both]
    note = " / ".join(fit.why for fit in fits)
    yield _row("memory against capacity", [fit.word.replace("_", " ") for fit in fits], note)


def _row(what: str, both: Sequence[str], note: str = "") -> Row:
    return Row(what, both[0], both[1], note)


def _pair(what: str, both: Sequence[Side], said: Said, note: str = "") -> Row:
    return _row(what, [_over(each, said) for each in both], note)


def _over(record: Side, said: Said) -> str:
    """What the variants of one record say, joined by `|` where they differ."""
    return " | ".join(dict.fromkeys(said(variant) for variant in record.variants))


def _of(variant: Variant, kind: KernelClass) -> str:
    return str(sum(each.kernel_class is kind for each in variant.kernels))


def _kinds(variant: Variant) -> str:
    return _counts(Counter(each.kind for each in variant.kernels))


def _layouts(variant: Variant) -> str:
    """How often each layout occurs: the part in braces that the compiler writes."""
    return _counts(Counter(each.partition("]")[2] or "{}" for each in variant.input_layouts))


def _undecided(variant: Variant) -> str:
    return str(sum(each.undecided for each in variant.kernels))


def _planned(variant: Variant, field: str) -> str:
    return _bytes(getattr(variant.plan, field))


def _formats(variant: Variant) -> str:
    return _counts(Counter(k.operands for k in variant.kernels if k.operands))


def _matrix(variant: Variant) -> str:
    return _counts(Counter(family for k in variant.kernels for family in k.matrix))


def _registers(variant: Variant) -> str:
    known = [k for k in variant.kernels if k.registers is not None]
    if not known:
        return "not given"
    most = max(k.registers or 0 for k in known)
    return f"{most}, {sum(bool(k.spill_bytes) for k in known)} kernels spill"


def _surplus(record: Side) -> str:
    asked = record.contraction
    found = []
    for variant in record.variants:
        done = [k.flops for k in variant.kernels]
        if not asked or None in done:
            found.append("not counted")
        else:
            total = sum(each or 0 for each in done) * record.devices
            found.append(f"{total / asked - 1:+.2%}")
    return " | ".join(dict.fromkeys(found))


def _collective(rows: Sequence[Collective], kind: str) -> str:
    of_kind = [row for row in rows if row.kind == kind]
    parts = Counter[tuple[int, int, str]]()
    payload = sum(row.payload_bytes for row in of_kind)
    for row in of_kind:
        parts[row.groups, row.group_size, row.dtype] += row.executions
    shown = [f"{n} in {g} x {s}, {t}" for (g, s, t), n in sorted(parts.items())]
    return f"{'; '.join(shown)}; payload {payload:,} B" if shown else NONE


def _again(rows: Sequence[Collective]) -> str:
    found = [f"{r.source or 'unnamed'}: {r.executions}" for r in rows
             if r.kind == "all-gather" and r.executions > 1]  # fmt: skip
    return "; ".join(found) or NONE


def _bytes(value: int | None) -> str:
    return "not given" if value is None else f"{value:,} B"


def _counts(counts: dict[str, int] | Counter[str]) -> str:
    return ", ".join(f"{n} {word}" for word, n in sorted(counts.items())) or NONE


def _asked(record: Side) -> str:
    return NOT_RECORDED if record.requested is None else _counts(record.requested)


def _short(digest: str | None) -> str:
    return NOT_RECORDED if digest is None else f"{digest[:12]}…"


def text(rows: Sequence[Row], cannot: str) -> str:
    """The table for a terminal, then what it can't say: a block a row, equal values once."""
    lines = []
    for row in rows:
        if row.same:
            lines.append(f"= {row.what}: {row.left}")
        else:
            lines += [f"≠ {row.what}", f"    left:  {row.left}", f"    right: {row.right}"]
        if row.note and not (row.same and row.left in ("0", NONE, "0.0%")):
            lines.append(f"    ({row.note})")
    return "\n".join([*lines, cannot])
