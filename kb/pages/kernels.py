"""Pages of compile matrices: what CUDA compilers made of hand-written kernels, never run."""

from __future__ import annotations

from collections.abc import Iterator

from kb.corpus import Corpus
from kb.model.kernels import CANNOT, FAMILIES, Built, KernelMatrix
from kb.pages import links
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
    plural,
    stacked,
    table,
    wide,
)

ARTEFACTS = (
    "A **cubin** holds machine code of one architecture and runs there as it is. **PTX** is "
    "compiled once more, by the driver of the machine that runs it, so its registers and spills "
    "are open until then; PTX for an architecture with an `a` runs on that one alone."
)


def kernel_pages(corpus: Corpus) -> dict[str, str]:
    """One page and one JSON file for each compile matrix."""
    return record_pages(corpus.kernels, _page)


def with_kernels(index: str, corpus: Corpus) -> str:
    """The index of evidence with the compile matrices below everything else."""
    rows = [
        (
            link(code(key), f"{key}.md"),
            plural(len({b.kernel for b in entry.value.built}), "kernel"),
            esc(", ".join(architectures(entry.value))),
            f"{plural(len(entry.value.spilled), 'build')} with spills",
        )
        for key, entry in sorted(corpus.kernels.items())
    ]
    if not rows:
        return index
    head = ("record", "kernels", "architectures", "registers")
    title = "## CUDA kernels, compiled and never run { #kernels }"
    return page(index, title, esc(CANNOT), stacked(table(head, rows)))


def architectures(record: KernelMatrix) -> list[str]:
    """The architectures of a matrix, in the order in which they were compiled."""
    return list(dict.fromkeys(built.architecture for built in record.built))


def _page(record: KernelMatrix) -> str:
    about = (
        f"{code(record.id)} · {chip('class', 'compiled not executed')} · "
        f"{esc(record.created)} · [the record as JSON]({record.id}.json)"
    )
    parts = [
        f"# CUDA kernels compiled for {esc(', '.join(architectures(record)))}",
        about,
        box("cannot", f"**What this record can't say.** {esc(CANNOT)}"),
        ARTEFACTS,
    ]
    parts += [_architecture(record, architecture) for architecture in architectures(record)]
    parts += [_differences(record), _untested(record), _made(record)]
    return page(*parts)


def _architecture(record: KernelMatrix, architecture: str) -> str:
    """Registers, spills, shared memory and instructions of every kernel."""
    here = [built for built in record.built if built.architecture == architecture]
    rows = [_row(b) for b in here if b.refusal is None and b.artefact == "cubin"]
    head = (
        "kernel",
        "compiler",
        "artefact",
        "registers",
        "spills",
        "shared memory",
        "matrix instructions",
    )
    refused: dict[tuple[str, str], list[str]] = {}
    for built in here:
        if built.refusal is not None:
            refused.setdefault((built.kernel, built.refusal), []).append(built.compiler)
    refusals = bullets(
        f"{code(kernel)} ({' and '.join(tools)}): {esc(why)}"
        for (kernel, why), tools in refused.items()
    )
    note = "Not for this architecture, in the compilers' own words:" if refusals else ""
    name = esc(architecture)
    return blocks(
        f"## {name} {{ #{links.anchor(architecture)} }}",
        wide(table(head, rows, "lllrrrl")),
        _texts(here),
        note,
        refusals,
    )


def _texts(here: list[Built]) -> str:
    """What each compiler gave beside machine code."""
    texts = [b for b in here if b.artefact == "ptx"]
    targets = ", ".join(sorted({esc(str(b.artefact_for)) for b in texts}))
    return f"Each also came as PTX for {targets}, {len(texts)} texts in all." if texts else ""


def _row(built: Built) -> tuple[str, ...]:
    families = ", ".join(
        f'{count} × <abbr title="{FAMILIES[family]}">{esc(family)}</abbr>'
        for family, count in built.matrix.items()
    )
    kind = f"{built.artefact} for {built.artefact_for}"
    spills = (built.spill_store_bytes or 0) + (built.spill_load_bytes or 0)
    return (
        code(built.kernel),
        built.compiler,
        esc(kind),
        str(built.registers),
        f"{spills} B" if spills else "none",
        _shared(built),
        families or "none",
    )


def _shared(built: Built) -> str:
    """Declared and asked-for shared memory of a block."""
    total = (built.static_shared_bytes or 0) + built.dynamic_shared_bytes
    return f"{total:,} B" if total else "none"


def _differences(record: KernelMatrix) -> str:
    """Kernels that the two compilers give other registers, though the source is the same."""
    by_place: dict[tuple[str, str], dict[str, int]] = {}
    for built in record.built:
        if built.registers is not None:
            place = by_place.setdefault((built.kernel, built.architecture), {})
            place[built.compiler] = built.registers
    rows = [
        (code(kernel), esc(architecture), *(str(seen.get(tool, "–")) for tool in ("nvrtc", "nvcc")))
        for (kernel, architecture), seen in by_place.items()
        if len(set(seen.values())) > 1
    ]
    if not rows:
        return ""
    return blocks(
        "## Where the two compilers differ { #differ }",
        "One source, one version number, and yet another number of registers: a figure belongs "
        "to the compiler that gave it.",
        wide(table(("kernel", "architecture", "NVRTC", "nvcc"), rows, "llrr")),
    )


def _untested(record: KernelMatrix) -> str:
    """The lines that no CPU test reaches."""
    rows = [
        (code(source.file), esc(", ".join(_lines(source.untested))))
        for source in record.sources
        if source.untested
    ]
    whole = [source.file for source in record.sources if not source.untested]
    return blocks(
        "## Lines that no test on a CPU reaches { #untested }",
        "The kernels also run on the CPU, against float64, from this very source. A shim stands "
        "in for what only a GPU has; the lines that it replaces are these:",
        wide(table(("source", "lines"), rows)),
        f"In {', '.join(map(code, whole))} nothing is replaced. The shim runs a multiplication "
        "when it is issued, so waits and fences are replaced by nothing and stay untested too.",
    )


def _lines(parts: tuple[tuple[int, int], ...]) -> Iterator[str]:
    for first, last in parts:
        yield str(first) if first == last else f"{first}–{last}"


def _made(record: KernelMatrix) -> str:
    made_by = [f"{esc(name)} {esc(version)}" for name, version in record.versions.items()]
    sources = [f"{code(s.file)} {code(s.sha256[:12])}" for s in record.sources]
    body = bullets([f"command: {code(record.command)}", *made_by, *sources])
    return fold("How it was made", body)
