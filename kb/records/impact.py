"""What rests on what: from a source or a claim to every decision that would feel a change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kb.corpus import ClaimEntry, Corpus
from kb.records.reliance import body_of, cited_in, relied_on

_FILE = re.compile(r"\]\(([^)\s#]+\.md)")

Node = tuple[str, str]
"""Kind (`source`, `product`, `claim`, `evidence`, `decision`) and id."""


@dataclass(frozen=True, slots=True)
class Rests:
    """One thing that rests on another, and how."""

    on: Node
    node: Node
    how: str


def nodes_named(name: str, corpus: Corpus) -> tuple[Node, ...]:
    """Everything that has this id; a product and a source may share one."""
    tables = {
        "source": corpus.sources,
        "product": corpus.products,
        "claim": corpus.claims,
        "evidence": {
            **corpus.evidence,
            **corpus.artefacts,
            **corpus.studies,
            **corpus.imports,
        },
        "result": corpus.results,
        "decision": corpus.decisions,
    }
    return tuple((kind, name) for kind, table in tables.items() if name in table)


def edges(corpus: Corpus) -> Iterator[Rests]:
    """Every direct dependence of the corpus."""
    for claim in corpus.claims.values():
        yield from _of_claim(claim)
    for source_id, source in corpus.sources.items():
        if source.value.copy_of:
            yield Rests(("source", source.value.copy_of), ("source", source_id), "is a copy of it")
    for record_id, record in corpus.evidence.items():
        node = ("evidence", record_id)
        if record.value.ceiling:
            yield Rests(("claim", record.value.ceiling.claim), node, "holds it as its ceiling")
        yield Rests(("product", record.value.device.product), node, "ran on it")
    for study_id, study in corpus.studies.items():
        yield Rests(("product", study.value.device.product), ("evidence", study_id), "ran on it")
    for compiled_id, compiled in corpus.artefacts.items():
        node = ("evidence", compiled_id)
        yield Rests(("product", compiled.value.target.product), node, "was compiled for it")
        if compiled.value.capacity:
            how = "holds its memory plan against it"
            yield Rests(("claim", compiled.value.capacity.claim), node, how)
    for key, published in corpus.results.items():
        yield Rests(("evidence", published.record.id), ("result", key), "came in with it")
    files = {e.place.path.rpartition("/")[2]: key for key, e in corpus.decisions.items()}
    for decision_id in corpus.decisions:
        yield from _of_decision(decision_id, corpus, files)


def direct(corpus: Corpus) -> dict[Node, list[Rests]]:
    """What rests on each thing directly."""
    by: dict[Node, list[Rests]] = {}
    for edge in edges(corpus):
        by.setdefault(edge.on, []).append(edge)
    return by


def impact(name: str, corpus: Corpus) -> tuple[Rests, ...]:
    """Everything that rests on `name`, directly or through others, nearest first.

    Of several ways to one thing the shortest is given.
    """
    found: list[Rests] = []
    queue = list(nodes_named(name, corpus))
    seen = set(queue)
    by = direct(corpus)
    for node in queue:
        for edge in by.get(node, ()):
            if edge.node not in seen:
                seen.add(edge.node)
                queue.append(edge.node)
                found.append(edge)
    return tuple(found)


def _of_claim(entry: ClaimEntry) -> Iterator[Rests]:
    node, claim = ("claim", entry.id), entry.claim
    yield Rests(("product", entry.product.product), node, "is a claim about it")
    for statement in claim.statements:
        if statement.source:
            how = f"{statement.status} statement {statement.published}"
            yield Rests(("source", statement.source), node, how)
    for axis, source in claim.backed_by.items():
        yield Rests(("source", source), node, f"takes its {axis} from it")
    if claim.dense_factor:
        yield Rests(("source", claim.dense_factor.source), node, "takes its dense factor from it")
    for assessment in claim.assessments:
        how = f"assessment of {assessment.axis}"
        for source in assessment.sources:
            yield Rests(("source", source), node, how)
        for record in assessment.evidence:
            yield Rests(("evidence", record), node, how)


def _of_decision(key: str, corpus: Corpus, files: Mapping[str, str]) -> Iterator[Rests]:
    entry = corpus.decisions[key]
    node = ("decision", key)
    for name in relied_on(entry, corpus):
        known = "result" if name in corpus.results else "claim"
        kind = known if "/" in name else "evidence"
        yield Rests((kind, name), node, _how(name, key, corpus))
    for option in entry.value.options:
        if option.accelerator:
            yield Rests(("product", option.accelerator), node, f"has it as option {option.id}")
    for other in entry.value.supersedes:
        yield Rests(("decision", other), node, "supersedes it")
    named = dict.fromkeys(_FILE.findall(body_of(entry, corpus)))
    for other in sorted(files[file] for file in named if file in files):
        if other != key:
            yield Rests(("decision", other), node, "refers to it")


def _how(name: str, key: str, corpus: Corpus) -> str:
    entry = corpus.decisions[key]
    pinned = any(pin.id.partition("#")[0] == name for pin in entry.value.pins)
    quoted = any(name in rest for _, rest in cited_in(body_of(entry, corpus)))
    ways = [word for word, holds in (("pins", pinned), ("quotes", quoted)) if holds]
    return f"{' and '.join(ways) or 'relies on'} it ({entry.value.status})"
