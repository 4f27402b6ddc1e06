"""Decision pages: the question, what may be compared, what it rests on, and what is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision, Option
from kb.pages import life, links
from kb.pages.cite import Citer
from kb.pages.evidence import standing
from kb.pages.feed import PATH as FEED
from kb.pages.figures import figures
from kb.pages.prose import citations, prose
from kb.pages.published import decision_refusals, decision_results
from kb.pages.text import (
    blocks,
    box,
    bullets,
    chip,
    code,
    esc,
    link,
    page,
    stacked,
    table,
    unsearched,
)
from kb.pages.timeline import timeline
from kb.pages.verdicts import answer, judge, verdict_fold
from kb.pages.words import name
from kb.records.impact import Node, Rests, direct
from kb.records.people import without_addresses
from kb.records.placeholders import answered
from kb.records.reliance import relied_on

STATUS = {
    "draft": "Not yet put forward.",
    "hypothesis": "Put forward, but nothing measured can carry it yet.",
    "accepted": "Decided, on evidence that carries it.",
    "rejected": "Decided against.",
    "superseded": "Replaced by a later decision.",
    "deprecated": "No longer followed, without a successor.",
}
"""What each status means."""

SUSPECT = chip("no", "✗ suspect", "Something that it relies on has changed since.")

FACTS = (
    "workload",
    "chosen",
    "bottleneck",
    "quality_target",
    "tolerance",
    "deployment",
    "portability",
    "cost",
)


def decision_pages(corpus: Corpus) -> dict[str, str]:
    """One page a decision, and the index of them."""
    resting = direct(corpus)
    paths = {entry.place.path: key for key, entry in corpus.decisions.items()}
    pages = {
        links.decision_path(key): _decision(corpus, key, paths, resting) for key in corpus.decisions
    }
    drawn, shown = life.picture(corpus)
    return {links.DECISIONS: _index(corpus, shown), **pages, **drawn, **timeline(corpus)}


def status_chip(decision: Decision) -> str:
    """The status as a label."""
    return chip(decision.status, decision.status, STATUS[decision.status])


def _index(corpus: Corpus, picture: str) -> str:
    rows = []
    doubtful = life.suspects(corpus)
    for key, entry in sorted(corpus.decisions.items()):
        decision = entry.value
        review = str(decision.review_by or "not set")
        rows.append(
            (
                link(f"{key}: {esc(decision.title)}", f"{key}.md"),
                status_chip(decision) + (f" {SUSPECT}" if key in doubtful else ""),
                str(decision.date),
                review,
            )
        )
    words = [f"{chip(status, status)} {meaning}" for status, meaning in STATUS.items()]
    return page(
        "# Decisions",
        "A decision is accepted only on evidence that can carry it. Until "
        "then it is a hypothesis that names the next measurement.",
        stacked(table(("decision", "status", "since", "review by"), rows), "kb-decisions")
        if rows
        else "No decision has been written yet.",
        f"[Timeline]({links.way(links.DECISIONS, links.TIMELINE)}) · "
        f"[feed of changes]({links.way(links.DECISIONS, FEED)}) · "
        f"[as CSV]({links.way(links.DECISIONS, 'api/decisions.csv')})",
        picture,
        life.to_look_at(corpus),
        "## What the statuses mean",
        bullets(words),
    )


def _decision(
    corpus: Corpus,
    key: str,
    paths: Mapping[str, str],
    resting: Mapping[Node, Sequence[Rests]],
) -> str:
    entry, at = corpus.decisions[key], links.decision_path(key)
    decision = entry.value
    document = corpus.documents.get(entry.place.path)
    body = document.body if document else ""
    citer = Citer(at, corpus, paths)
    return page(
        f"# {key}: {esc(decision.title)}",
        _standing(at, entry, corpus),
        _banner(decision),
        life.doubt(entry, corpus),
        f"**Question.** {esc(decision.question)}" if decision.question else "",
        _options(at, decision, corpus),
        prose(_without_title(body), citer.resolve),
        _comparisons(at, decision, citations(body), corpus),
        decision_refusals(at, decision, corpus),
        decision_results(at, decision, corpus),
        _figures(at, citations(body), corpus),
        life.rule(entry, corpus),
        _evidence(at, decision, corpus),
        _rests(at, entry, resting, corpus),
        _facts(decision),
        life.history(entry, corpus),
    )


def _without_title(body: str) -> str:
    """The prose without a first heading of level 1, since the page has one."""
    lines = body.lstrip("\n").split("\n")
    return "\n".join(lines[1:]) if lines[0].startswith("# ") else body


def _standing(at: str, entry: Entry[Decision], corpus: Corpus) -> str:
    decision = entry.value
    parts = [status_chip(decision), f"since {decision.date}"]
    if decision.review_by:
        parts.append(f"review by {decision.review_by}")
    for label, others in (
        ("replaces", decision.supersedes),
        ("replaced by", decision.superseded_by),
    ):
        shown = [
            link(esc(other), links.way(at, links.decision_path(other)))
            if other in corpus.decisions
            else esc(other)
            for other in others
        ]
        parts += [f"{label} {', '.join(shown)}"] if shown else []
    return " · ".join([*parts, f"[the same as JSON]({decision.id}.json)"])


def _banner(decision: Decision) -> str:
    if decision.status not in ("hypothesis", "draft"):
        return ""
    head = {
        "hypothesis": "Hypothesis: not accepted, because no evidence can carry it yet.",
        "draft": "Draft: nothing here is decided.",
    }[decision.status]
    if decision.kind == "project":
        return box("hypothesis", f"**{head}**")
    asked = decision.next_measurement
    named = asked if asked and answered("next_measurement", asked) else "none is named yet"
    missing = f"**Next measurement:** {esc(named)}"
    return box("hypothesis", blocks(f"**{head}**", missing))


def _options(at: str, decision: Decision, corpus: Corpus) -> str:
    if not decision.options:
        return ""
    if decision.kind == "project":
        return blocks("## Options", bullets(_titled(each, decision) for each in decision.options))
    rows = []
    for option in decision.options:
        product = corpus.products.get(option.accelerator or "")
        shown = (
            link(esc(product.value.name), links.way(at, links.product_path(product.value.product)))
            if product
            else esc(option.accelerator or "")
        )
        rows.append(
            (
                _titled(option, decision),
                esc(option.framework or ""),
                esc(option.compute_api or ""),
                esc(option.kernel or ""),
                shown,
            )
        )
    head = ("option", "framework", "compute API", "kernels", "accelerator")
    return blocks("## Options", stacked(table(head, rows), "kb-options"), _varied(decision))


def _titled(option: Option, decision: Decision) -> str:
    """An option's title; the chosen one says so."""
    return f"**{esc(option.title)}**" + (" (chosen)" if option.id == decision.chosen else "")


def _varied(decision: Decision) -> str:
    layers = [name(layer) for layer in decision.varied]
    if not layers:
        return "The record does not say which layer it varies."
    text = f"Varied: **{esc(' and '.join(layers))}**."
    if len(layers) > 1:
        text += " Two layers vary at once, so no difference may be put down to one of them."
    held = bullets(esc(item) for item in decision.controlled)
    return blocks(text, "Held equal:" if held else "", held)


def _comparisons(at: str, decision: Decision, cited: Sequence[str], corpus: Corpus) -> str:
    """The record's comparisons and those that its prose cites, each once."""
    pairs: dict[tuple[str, str], str] = {}
    for item in decision.comparisons:
        named = [name(step) for step in item.derivation] + [code(a) for a in item.assessments]
        note = f"{esc(item.note)} " if item.note else ""
        pairs[item.left, item.right] = note + (
            f"The record accepts: {', '.join(named)}." if named else ""
        )
    for target in cited:
        if target.startswith("compare:"):
            left, _, right = target.removeprefix("compare:").partition("..")
            pairs.setdefault((left, right), "Cited in the text.")
    found = [(judge(corpus, *pair), note) for pair, note in pairs.items()]
    rows = [
        (f"[{code(j.left.id)}<br>{code(j.right.id)}](#{j.anchor})", answer(j.verdict), note)
        for j, note in found
        if j
    ]
    if not rows:
        return ""
    head = ("left, right", "verdict", "what for")
    return blocks(
        "## Comparisons",
        stacked(table(head, rows), told=True),
        *(verdict_fold(at, j, corpus) for j, _ in found if j),
    )


def _figures(at: str, cited: Sequence[str], corpus: Corpus) -> str:
    """Every claim that the prose cites, with all its qualifiers."""
    named = [target.removeprefix("claim:") for target in cited if target.startswith("claim:")]
    shown = figures(at, named, corpus)
    return blocks(unsearched("Figures cited"), shown) if shown else ""


def _evidence(at: str, decision: Decision, corpus: Corpus) -> str:
    if decision.kind == "project" and not decision.evidence:
        return ""  # what such a record cites in its prose stands under what it rests on
    items = []
    for record in decision.evidence:
        entry = corpus.evidence.get(record)
        shown = (
            link(code(record), links.way(at, links.evidence_path(record)))
            if record in corpus.records
            else code(record)
        )
        items.append(f"{shown} {standing(entry.value) if entry else ''}".rstrip())
    return blocks("## Evidence", bullets(items) or "No evidence is cited.")


def _rests(
    at: str, entry: Entry[Decision], resting: Mapping[Node, Sequence[Rests]], corpus: Corpus
) -> str:
    """Both directions: what would make this decision doubtful, and what this one would."""
    below = [_record_link(at, name, corpus) for name in relied_on(entry, corpus)]
    above = [
        f"{_record_link(at, rests.node[1], corpus)}: {esc(rests.how)}"
        for rests in resting.get(("decision", entry.value.id), ())
    ]
    return blocks(
        unsearched("What it rests on"),
        bullets(below) or "It cites no claim and no record.",
        unsearched("What rests on it"),
        bullets(above) or "Nothing refers to it yet.",
    )


def _record_link(at: str, name: str, corpus: Corpus) -> str:
    target = links.record_target(name, corpus)
    return code(name) if target is None else link(code(name), links.way(at, target))


def _facts(decision: Decision) -> str:
    return blocks("## The record", table(("field", "value"), _rows(decision)))


def _rows(decision: Decision) -> Iterator[tuple[str, str]]:
    for field in FACTS if decision.kind == "stack" else ("chosen", "confirmation"):
        yield esc(name(field)), life.fact(getattr(decision, field))
    named = without_addresses(decision)
    for field in ("decision_makers", "consulted", "informed"):
        yield esc(name(field)), esc(", ".join(getattr(named, field)) or "not stated")
