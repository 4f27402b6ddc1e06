"""What sources printed for a claim: the current statement, and the others folded beneath."""

from __future__ import annotations

from collections import Counter

from kb.corpus import Corpus
from kb.model.claim import AXES, Assessment, Claim, Statement
from kb.pages import links
from kb.pages.text import blocks, box, chip, code, esc, fold, link, plural, stacked, table
from kb.pages.words import name

COPY = chip("third", "third-party copy", "Read in a copy, not on the publisher's own page.")


def citation(page: str, source: str | None, corpus: Corpus) -> str:
    """A source as a link to its entry in the list of sources."""
    if source is None:
        return "no source"
    entry = corpus.sources.get(source)
    if entry is None:
        return esc(source)
    known = entry.value
    text = link(esc(known.title), links.way(page, links.source_target(source)))
    return f"{text}, {esc(known.publisher)}" + (f" {COPY}" if "copy" in known.kind else "")


def cited_line(page: str, statement: Statement, corpus: Corpus) -> str:
    """Source, place in it and date of one statement."""
    parts = [citation(page, statement.source, corpus)]
    if statement.locator:
        parts.append(esc(statement.locator))
    if statement.header:
        parts.append(f"table header “{esc(statement.header)}”")
    return "; ".join([*parts, _day(statement)])


def _day(statement: Statement) -> str:
    return f"as of {statement.as_of}" if statement.as_of else "undated"


def assessment_box(
    page: str, product: str, claim: Claim, assessment: Assessment, corpus: Corpus
) -> str:
    """An assessment, marked as a judgement that is not the vendor's word."""
    axis, value = esc(name(assessment.axis)), esc(name(assessment.value))
    carried = [citation(page, source, corpus) for source in assessment.sources]
    carried += [
        link(esc(record), links.way(page, links.evidence_path(record)))
        if record in corpus.evidence
        else esc(record)
        for record in assessment.evidence
    ]
    return box(
        "assessment",
        blocks(
            f"**Assessment, not the vendor's word: {axis} is {value}.** "
            f"{esc(assessment.reasoning)}",
            f"Carried by {'; '.join(carried) or 'no source'}. A record that rests on it cites "
            f"{code(f'{product}/{claim.id}#{assessment.axis}')}.",
        ),
    )


def other_statements(page: str, claim: Claim, corpus: Corpus) -> str:
    """The superseded and disputed statements, folded; empty where there is only one."""
    others = [statement for statement in claim.statements if statement is not claim.current]
    if not others:
        return ""
    counts = Counter(statement.status for statement in others)
    listed = ", ".join(f"{number} {status}" for status, number in sorted(counts.items()))
    rows = [
        (
            f"**{esc(statement.published)}**",
            chip(statement.status, statement.status),
            cited_line(page, statement, corpus),
            _remarks(statement),
        )
        for statement in others
    ]
    head = ("printed", "standing", "source", "remarks")
    return fold(
        f"{plural(len(others), 'other statement')}: {listed}", stacked(table(head, rows), told=True)
    )


def _remarks(statement: Statement) -> str:
    """The qualifiers that this source states itself, and its note."""
    own = [
        f"{esc(name(axis))}: {esc(name(value))}"
        for axis in AXES
        if (value := getattr(statement, axis)) is not None and not isinstance(value, dict)
    ]
    return ". ".join(
        [*(["; ".join(own)] if own else []), *([esc(statement.note)] if statement.note else [])]
    )
