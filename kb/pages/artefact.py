"""Pages of compiled records: what a compiler made of a program, and what that can't say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kb.corpus import Corpus
from kb.model.artefact import CANNOT, NO_DEVICE, Artefact, KernelClass, Variant
from kb.model.share import GROUPS, memory_verdict, share_text, touched
from kb.model.sidebyside import Row, differences
from kb.pages.data import record_pages
from kb.pages.text import (
    blocks,
    box,
    bullets,
    chip,
    code,
    esc,
    fold,
    link,
    page,
    stacked,
    table,
    wide,
)
from kb.pages.words import name

_FITS = {"fits": ("yes", "✓ fits"), "does_not_fit": ("no", "✗ does not fit"),
         "undetermined": ("open", "? undetermined")}  # fmt: skip


def artefact_pages(corpus: Corpus) -> dict[str, str]:
    """One page and one JSON file for each compiled record."""
    return record_pages(corpus.artefacts, lambda record: _page(record, corpus))


def with_compiled(index: str, corpus: Corpus) -> str:
    """The index of evidence with the compiled records below the measured ones."""
    if not corpus.artefacts:
        return index
    by_program: dict[str, dict[str, list[Artefact]]] = {}
    for _, entry in sorted(corpus.artefacts.items()):
        programs = by_program.setdefault(entry.value.program.id, {})
        programs.setdefault(entry.value.target.product, []).append(entry.value)
    products = sorted({product for held in by_program.values() for product in held})
    rows = [
        (esc(program), *("<br>".join(map(_listed, held.get(product, ()))) for product in products))
        for program, held in by_program.items()
    ]
    title = "## Compiled, never run { #compiled }"
    note = "One program a row; each record sets the targets side by side in full."
    shown = stacked(table(("program", *map(esc, products)), rows), "kb-compiled")
    return page(index, title, esc(CANNOT), note, shown)


def _listed(record: Artefact) -> str:
    target = f"{record.target.devices} × {esc(record.target.device_kind)}"
    return f"{link(target, f'{record.id}.md')} {memory_chip(record)}"


def memory_chip(record: Artefact) -> str:
    """Whether it fits in memory, or why the compiler refuses it, as a label."""
    if record.refusal is not None:
        return chip("no", f"✗ {name(record.refusal.kind)}", record.refusal.kind.sentence)
    look, label = _FITS[memory_verdict(record).word]
    return chip(look, label)


def _page(record: Artefact, corpus: Corpus) -> str:
    target = record.target
    about = (
        f"{code(record.id)} · {chip('class', 'compiled not executed')} · "
        f"{esc(record.created)} · [the record as JSON]({record.id}.json)"
    )
    parts = [
        f"# {esc(record.program.id)} compiled for {target.devices} × {esc(target.device_kind)}",
        about,
        box("cannot", f"**What this record can't say.** {esc(CANNOT)}"),
        _beside(record, corpus),
    ]
    if record.refusal is not None:
        parts.append(_refused(record))
    else:
        parts += [_shares(record), _kernels(record), _collectives(record)]
    parts.append(_memory(record))
    parts += [_listing(each) for each in record.variants]
    return page(*parts, _fingerprint(record))


def _refused(record: Artefact) -> str:
    seen = record.refusal
    assert seen is not None  # noqa: S101 - asked by the caller
    return blocks(
        "## The compiler refuses it",
        f"**{esc(name(seen.kind))}.** {esc(seen.kind.sentence)} {esc(seen.message)}",
        f"What to do: {esc(seen.remedy)}",
    )


def _shares(record: Artefact) -> str:
    rows = [
        (
            esc(name(group)),
            share_text(record, group),
            share_text(record, group, touched),
        )
        for group in GROUPS
    ]
    head = ("who wrote the kernels", "of contraction FLOPs", "of bytes read and written")
    open_ = sorted({k.source for v in record.variants for k in v.kernels if k.undecided})
    why = blocks(NO_DEVICE, fold("What is undecided", bullets(code(each) for each in open_)))
    note = "On a TPU, library stands for routines inside the compiler."
    return blocks("## Who wrote the work", wide(table(head, rows, "lrr")), note,
                  why if open_ else "")  # fmt: skip


def _kernels(record: Artefact) -> str:
    rows = []
    for kind in KernelClass:
        counts = [sum(k.kernel_class is kind for k in v.kernels) for v in record.variants]
        if any(counts):
            rows.append((esc(name(kind)), *map(str, counts), esc(kind.sentence)))
    names = [name(v.name) for v in record.variants]
    head = ("class", *names, "means")
    matrix = [f"{esc(n)}: {_families(v)}" for n, v in zip(names, record.variants, strict=True)]
    return blocks(
        "## Kernels of one device",
        wide(table(head, rows, "l" + "r" * len(names)), told=True),
        "Matrix instructions, by the number of kernels that hold them. What is inside a "
        "library can't be seen.",
        bullets(matrix),
    )


def _families(variant: Variant) -> str:
    found = Counter(family for each in variant.kernels for family in each.matrix)
    shown = ", ".join(f"{count} with {code(family)}" for family, count in sorted(found.items()))
    return shown or "none visible"


def _collectives(record: Artefact) -> str:
    rows = [
        (
            esc(each.kind),
            f"{each.groups} × {each.group_size}",
            esc(each.dtype),
            str(each.executions),
            f"{each.payload_bytes:,}",
            f"{each.wire_bytes:,}",
            "only a slice is used" if each.then_sliced else "",
            code(each.source) if each.source else "",
        )
        for each in record.variants[0].collectives
    ]
    head = ("kind", "groups", "type", "times", "payload, B", "on the wire, B", "", "from")
    note = "Of one device and one step. Bytes on the wire follow from the ring factor of each kind."
    return blocks("## Collectives", note if rows else "None.", wide(table(head, rows, "lllrrr")))


def _memory(record: Artefact) -> str:
    fit = memory_verdict(record)
    look, label = _FITS[fit.word]
    rows = []
    for field in ("argument", "output", "temporary", "alias", "generated_code", "peak"):
        values = [getattr(each.plan, field) for each in record.variants]
        rows.append((esc(name(field)), *("not given" if v is None else f"{v:,}" for v in values)))
    head = ("bytes of one device", *(name(each.name) for each in record.variants))
    shown = wide(table(head, rows, "l" + "r" * len(record.variants))) if record.variants else ""
    return blocks("## Memory", f"{chip(look, label)} {esc(fit.why)}", shown)


def _beside(record: Artefact, corpus: Corpus) -> str:
    """The newest record of the same program for another product, row by row."""
    others = [
        entry.value
        for _, entry in sorted(corpus.artefacts.items())
        if entry.value.program.jaxpr_sha256 == record.program.jaxpr_sha256
        and entry.value.target.product != record.target.product
    ]
    if not others:
        return ""
    other = max(others, key=lambda each: (each.created, each.id))
    rows = [_row(each) for each in differences(record, other) if each.what != "record"]
    head = ("", esc(record.target.product), link(esc(other.target.product), f"{other.id}.md"))
    return blocks(
        "## Side by side: the same program for another target { #side-by-side }",
        "What remains and what changes. No row says that one is better.",
        wide(table(head, rows), kind="kb-sides"),
    )


def _row(row: Row) -> tuple[str, str, str]:
    mark = "=" if row.same else "≠"
    noted = f"<br>*{esc(row.note)}*" if row.note else ""
    return f"{mark} {esc(row.what)}{noted}", esc(row.left), esc(row.right)


def _listing(variant: Variant) -> str:
    rows = [
        (
            code(each.name),
            esc(name(each.kernel_class)),
            code(each.kind),
            str(each.executions),
            "not seen" if each.flops is None else f"{each.flops:,}",
            f"{each.bytes:,}",
            "" if each.registers is None else str(each.registers),
            "" if each.spill_bytes is None else str(each.spill_bytes),
        )
        for each in variant.kernels
    ]
    head = ("kernel", "class", "kind", "times", "FLOP", "bytes", "registers", "spilled bytes")
    options = ", ".join(f"{code(k)} {code(v)}" for k, v in sorted(variant.options.items()))
    about = (
        f"Options: {options or 'none'}. HLO {code(variant.hlo.file)}, SHA-256 "
        f"{code(variant.hlo.sha256)}: {variant.hlo.instructions} instructions, "
        f"{variant.hlo.unparsed} not understood by our reader, "
        f"{variant.open_loops} loops of unknown length."
    )
    told = blocks(about, wide(table(head, rows, "lllrrrrr")))
    return fold(f"Every kernel of the variant {esc(name(variant.name))}", told)


def _fingerprint(record: Artefact) -> str:
    rows = [(what, value) for what, value in _facts(record) if value]
    return blocks("## Fingerprint", wide(table(("what", "value"), rows)))


def _facts(record: Artefact) -> Iterator[tuple[str, str]]:
    program, target = record.program, record.target
    yield "made by", code(record.command)
    yield "function", code(program.function)
    yield "mesh", esc(" × ".join(f"{axis.name} {axis.size}" for axis in program.mesh))
    for each in program.inputs:
        spec = ", ".join(axis or "–" for axis in each.spec) or "replicated"
        shape = " × ".join(map(str, each.shape))
        yield f"input {esc(each.name)}", f"{shape}, {esc(each.dtype)}, split over {esc(spec)}"
    yield "traced program (SHA-256)", code(program.jaxpr_sha256)
    yield "lowered program (SHA-256)", code(program.stablehlo_sha256)
    work = program.flops.contraction
    yield (
        "contraction FLOPs, counted on the program",
        "not counted" if work is None else f"{work:,}",
    )
    yield "not counted", esc("; ".join(program.flops.unknown))
    xla = record.variants[0].xla_flops if record.variants else None
    yield "XLA's own figure for one device", "not given" if xla is None else f"{xla:,.0f}"
    yield "target", esc(f"{target.product} {target.topology}, {target.platform_version}")
    yield "description of the target", esc(target.description)
    yield "its hash", code(target.description_sha256) if target.description_sha256 else ""
    for package, number in sorted(record.versions.items()):
        yield esc(package), esc(number)
    yield "content hash", code(record.content_hash)
