"""The life of a decision on its page: doubts, its rule with break-even points, pins and log."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.corpus import Corpus, Entry
from kb.model.base import Record
from kb.model.decision import Decision
from kb.pages.drawing import drawn
from kb.pages.evidence import timed
from kb.pages.text import blocks, box, bullets, chip, code, esc, link, stacked, table
from kb.pages.words import name
from kb.records.graph import graph_of, svg
from kb.records.life import DECIDED
from kb.records.people import without_addresses
from kb.records.pins import Move, MoveKind, moves
from kb.records.sensitivity import apply

GRAPH = "decisions/graph.svg"
SMALL = 40
"""Decisions up to which the picture stands in the page itself."""

_LOOK = {
    MoveKind.SAME: ("yes", "as pinned"),
    MoveKind.WITHIN: ("open", "moved within the tolerance"),
    MoveKind.BEYOND: ("no", "moved beyond the tolerance"),
    MoveKind.MEANING: ("no", "means something else now"),
    MoveKind.EDITED: ("no", "was edited"),
    MoveKind.GONE: ("no", "is gone"),
}


def fact(value: object) -> str:
    """A field of the record in words; a typed one as its parts."""
    if value is None or value == ():
        return "not stated"
    if isinstance(value, Record):
        return "; ".join(esc(part) for part in _parts(value)) or "not stated"
    return esc(value)


def suspects(corpus: Corpus) -> dict[str, list[Move]]:
    """Accepted decisions that rest on something which moved too far, with what moved."""
    found: dict[str, list[Move]] = {}
    for key, entry in sorted(corpus.decisions.items()):
        if seen := _moved(entry, corpus):
            found[key] = seen
    return found


def _moved(entry: Entry[Decision], corpus: Corpus) -> list[Move]:
    """What an accepted decision rests on that moved too far; empty for one of another status."""
    if entry.value.status != "accepted":
        return []
    return [m for m in moves(entry, corpus) if m.kind.doubtful or m.kind is MoveKind.GONE]


def to_look_at(corpus: Corpus) -> str:
    """Suspect decisions, then the open ones by the day on which to look at them again."""
    rows = [
        (link(f"{key}: {esc(corpus.decisions[key].value.title)}", f"{key}.md"), _why(move))
        for key, seen in suspects(corpus).items()
        for move in seen
    ]
    due = sorted(
        (entry.value.review_by, key)
        for key, entry in corpus.decisions.items()
        if entry.value.review_by and entry.value.status in ("draft", "hypothesis", "accepted")
    )
    listed = [
        f"{day}: {link(f'{key}: {esc(corpus.decisions[key].value.title)}', f'{key}.md')}"
        for day, key in due
    ]
    return blocks(
        "## To look at again",
        stacked(table(("suspect decision", "what moved"), rows), told=True)
        if rows
        else "No decision is suspect: all that accepted ones pin is within their tolerance.",
        "By the day on which somebody promised to look again. Past that day a decision is "
        "overdue; <code>kb review</code> lists those."
        if listed
        else "",
        bullets(listed),
    )


def picture(corpus: Corpus) -> tuple[dict[str, str], str]:
    """The graph of all decisions as a file, and the Markdown that shows it."""
    if not corpus.decisions:
        return {}, ""
    graph = graph_of(corpus)
    told = [f"{esc(a[1])} {esc(how)} {esc(b[1])}" for a, b, how in graph.arrows]
    shown = "[All decisions as a picture](graph.svg)"
    if len(graph.labels) <= SMALL:
        shown = blocks(drawn(graph), shown)
    text = blocks("## Which replaces which", bullets(told) or "None replaces another.", shown)
    return {GRAPH: svg(graph)}, text


def doubt(entry: Entry[Decision], corpus: Corpus) -> str:
    """What stands on top of a suspect decision: before and after, for each thing that moved."""
    seen = _moved(entry, corpus)
    if not seen:
        return ""
    rows = [(code(m.pin.id), esc(m.before), esc(m.after), esc(m.why)) for m in seen]
    head = ("relies on", "when accepted", "now", "change")
    text = "**Suspect: something that this decision relies on has changed since.**"
    return box("hypothesis", blocks(text, table(head, rows)))


def rule(entry: Entry[Decision], corpus: Corpus) -> str:
    """The rule, what it gives today, and where each input would flip it."""
    stated, outcome = entry.value.rule, apply(entry, corpus)
    if stated is None or outcome is None:
        return ""
    told = (
        f"Choose **{esc(stated.choose)}** if {code(stated.when)}, otherwise "
        f"**{esc(stated.otherwise)}**."
    )
    if outcome.option is None:
        return blocks("## Rule", told, "The rule can't be applied to what is cited.")
    rows = [(code(p.input.name), code(p.input.target), esc(p.text())) for p in outcome.break_evens]
    return blocks(
        "## Rule",
        told,
        f"On the values cited today it gives **{esc(outcome.option)}**.",
        stacked(table(("input", "stands for", "value and break-even point"), rows), told=True),
        "Each break-even point holds with all other inputs as they are.",
    )


_SECONDS = re.compile(r"(?<![\w.])(\d[\d.]*(?:e[+-]?\d+)?) s\b")


def _values(move: Move) -> tuple[str, str]:
    """What was pinned and what it is now; times as people read them, where nothing moved."""
    if move.kind is not MoveKind.SAME:
        return esc(move.before), esc(move.after)
    shown = _SECONDS.sub(lambda found: timed(float(found[1])), move.before)
    return esc(shown), "the same"


def history(entry: Entry[Decision], corpus: Corpus) -> str:
    """Pins as they stand, approvals, and the log."""
    decision = without_addresses(entry.value)
    pins = [(code(m.pin.id), *_values(m), chip(*_LOOK[m.kind])) for m in moves(entry, corpus)]
    log = [
        (str(line.date), esc(line.event), esc(line.by or ""), esc(line.note or ""))
        for line in decision.log
    ]
    approved = [f"{esc(item.by)}, {item.date}" for item in decision.approvals]
    seal = decision.seal if decision.status in DECIDED else None
    return blocks(
        "## Pins" if pins else "",
        stacked(table(("relies on", "pinned", "now", "state"), pins)) if pins else "",
        "## History" if log or approved else "",
        f"Approved by {'; '.join(approved)}." if approved else "",
        f"Sealed as {code(seal[:12])}: what was accepted stays as it was." if seal else "",
        stacked(table(("day", "event", "by", "note"), log), told=True) if log else "",
    )


def _why(move: Move) -> str:
    return f"{code(move.pin.id)} was {esc(move.before)}, is {esc(move.after)}: {esc(move.why)}"


def _parts(value: Record) -> Iterator[str]:
    for field in type(value).model_fields:
        held = getattr(value, field)
        if held is None or held == ():
            continue
        if isinstance(held, Record):
            yield f"{name(field)}: {', '.join(_parts(held))}"
        elif isinstance(held, tuple):
            inner = [", ".join(_parts(i)) if isinstance(i, Record) else str(i) for i in held]
            yield f"{name(field)}: {' / '.join(inner)}"
        else:
            yield str(held) if field == "note" else f"{name(field)}: {held}"
