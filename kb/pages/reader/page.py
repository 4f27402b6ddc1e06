"""The reader as one page: every path, stage and boundary as text, with anchors to link to."""

from __future__ import annotations

from kb.corpus import Corpus
from kb.model.artefact import CANNOT, Artefact
from kb.model.share import share_text
from kb.pages import links
from kb.pages.artefact import memory_chip
from kb.pages.figures import figures
from kb.pages.reader.cells import CELLS
from kb.pages.reader.code import PIECES, Piece
from kb.pages.reader.parts import EDGES, INCLUDED, Cell, Edge, Path, Stage
from kb.pages.text import blocks, box, bullets, code, esc, link, page, table, wide
from kb.pages.words import name

PATHS = {Path.JAX_GPU: "JAX on B200", Path.JAX_TPU: "JAX on v6e", Path.CUDA: "direct CUDA"}
STAGES = {
    Stage.COMPILE: "trace and compile",
    Stage.EXECUTION: "execution",
    Stage.SCALING: "scaling",
}
ASKS = (
    ("retracing", "Are we retracing?"),
    ("moving", "Are we moving data?"),
    ("waiting", "Are we waiting on the device?"),
    ("communicating", "Are we communicating?"),
)
QUESTIONS = (
    (
        "Which transformations remain from GPU to TPU?",
        (
            "The trace and most of what it records. Layouts, fusions, number formats and the "
            "collectives are chosen anew; what was written for one vendor's device does not come "
            "along. The compiled records of one program for both targets list it row by row."
        ),
    ),
    (
        "Why does timing the dispatch answer the wrong question?",
        (
            "Because the call returns when the work is enqueued. That time says how fast the host "
            "can ask, not when the device is done."
        ),
    ),
    (
        "Why do explicit kernels give neither sharding nor free communication?",
        (
            "A kernel is work inside one device. Where pieces live, who sends what to whom, and "
            "when all are done is a program above it, which somebody has to write and to measure."
        ),
    ),
)


def reader_pages(corpus: Corpus) -> dict[str, str]:
    """The page of the reader."""
    at = links.READER
    return {
        at: page(
            "# Execution reader",
            "Who is responsible for what, where one responsibility ends and the next begins, and "
            "which boundary to look at next. It is a map: switching the path **runs nothing and "
            "computes no speed**. No throughput, latency, cost or energy winner stands here.",
            "Choose a path and a stage:",
            f'<div class="kb-grid" markdown="1">\n\n{_grid()}\n\n</div>',
            *(_cell(at, cell, corpus) for cell in CELLS),
            "## Four boundaries { #boundaries }",
            *(_edge(edge) for edge in Edge),
            "## What each time encloses { #enclosed }",
            "Two times compare only when they enclose the same.",
            bullets(
                f"**{esc(what)}** ({esc(why)}): {', '.join(map(esc, parts))}."
                for what, (why, parts) in INCLUDED.items()
            ),
            "## Three questions to leave with { #questions }",
            *(f"**{esc(asked)}** {esc(answer)}" for asked, answer in QUESTIONS),
        )
    }


def _grid() -> str:
    """The nine cells as a table of links; the chooser in the browser is made from it."""
    rows = [
        [
            f"**{PATHS[path]}**",
            *(
                f'[{told}](#{path}-{stage} "{PATHS[path]}: {told}")'
                for stage, told in STAGES.items()
            ),
        ]
        for path in Path
    ]
    return table(["path", *(STAGES[stage] for stage in Stage)], rows)


def _edge(edge: Edge) -> str:
    told, look, trap = EDGES[edge]
    return blocks(
        f"### {edge.value.capitalize()} boundary {{ #{_edge_anchor(edge)} }}",
        f"*{edge.sentence}* {told}",
        f"**Look at:** {look}",
        f"**Trap:** {trap}",
    )


def _edge_anchor(edge: Edge) -> str:
    return f"boundary-{edge}"


def _cell(at: str, cell: Cell, corpus: Corpus) -> str:
    title = f"{PATHS[cell.path]}: {STAGES[cell.stage]}"
    asked = [f"**{words}** {esc(getattr(cell.asks, field))}" for field, words in ASKS]
    measured = ", ".join(
        link(esc(name(edge)), links.way(at, links.word_target("boundary", edge)))
        for edge in cell.seen_at
    )
    body = blocks(
        f"## {title[0].upper()}{title[1:]} {{ #{cell.anchor} }}",
        "**Who is responsible**",
        bullets(f"**{esc(who)}**: {esc(what)}" for who, what in cell.duties),
        f"**Boundary to inspect:** [{cell.edge}](#{_edge_anchor(cell.edge)}). {cell.inspect}",
        bullets(asked),
        *(_piece(PIECES[key]) for key in cell.code),
        f"**Next measurement:** {cell.next_}" + _command(cell),
        f"Taken at: {measured}.",
        _figures(at, cell, corpus),
        _compiled(at, cell, corpus),
    )
    return f'<div class="kb-cell" markdown="1">\n\n{body}\n\n</div>'


def _command(cell: Cell) -> str:
    if cell.command:
        return f" Begin with {code(cell.command)}."
    return " This needs the device and a program of your own; `kb measure` does not take it."


def _piece(piece: Piece) -> str:
    return f"**{piece.title}**\n\n```{piece.language}\n{piece.text}```"


def _figures(at: str, cell: Cell, corpus: Corpus) -> str:
    shown = figures(at, cell.figures, corpus)
    if not shown:
        return ""
    return blocks("**Figures that bound it**, as vendors print them; none is a result:", shown)


def _compiled(at: str, cell: Cell, corpus: Corpus) -> str:
    """The newest compiled record of each program for this path's product."""
    newest: dict[str, Artefact] = {}
    for _, entry in sorted(corpus.artefacts.items(), key=lambda item: item[1].value.created):
        record = entry.value
        if record.target.product == cell.product and record.program.id in cell.programs:
            newest[record.program.id] = record
    rows = [_row(at, newest[key]) for key in cell.programs if key in newest]
    if not rows:
        return ""
    head = ("compiled program", "generated", "library", "hand-written", "collectives", "memory")
    return blocks(
        "**What the compiler made of it**, as shares of contraction FLOPs:",
        wide(table(head, rows, "lrrrr")),
        box("cannot", esc(CANNOT)),
    )


def _row(at: str, record: Artefact) -> tuple[str, ...]:
    target = link(code(record.program.id), links.way(at, links.evidence_path(record.id)))
    if record.refusal is not None:
        return (target, "", "", "", "", memory_chip(record))
    return (
        target,
        share_text(record, "generated"),
        share_text(record, "library"),
        share_text(record, "hand_written"),
        str(len(record.variants[0].collectives)),
        memory_chip(record),
    )
