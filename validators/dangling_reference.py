"""A record refers to something that is not there.

**Why.** A source, a claim or an evidence record is cited so that a reader can follow it.
A misspelt id leads nowhere, and whatever rests on it was never judged.

**Refused**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-bandwith
    right: acme-x1/chip-hbm-bandwidth
```

**Accepted**

```yaml decision
comparisons:
  - left: bolt-b8/gpu-hbm-bandwidth
    right: acme-x1/chip-hbm-bandwidth
```
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.model.product import Family, Product, Source
from kb.rules import Item, Problem, rule
from kb.rules.declare import AnyRecord
from kb.source import Place

if TYPE_CHECKING:
    from kb.model.artefact import Artefact
    from kb.model.decision import Decision

Reference = tuple[Place, str, str]
"""Where it stands, what kind of thing it names, and the id."""


@rule(over="record")
def dangling_reference(entry: Item, corpus: Corpus) -> Iterator[Problem]:
    """Yield every id that names no record of its kind."""
    for place, kind, name in _references(entry, corpus):
        if not _is_known(kind, name, corpus):
            near = difflib.get_close_matches(name, _names(kind, name, corpus), n=2)
            remedy = f"did you mean {' or '.join(near)}?" if near else f"add the {kind}"
            yield Problem(place, f"there is no {kind} '{name}'", remedy, label=f"names no {kind}")


def _of_compiled(entry: Entry[Artefact]) -> Iterator[Reference]:
    record = entry.value
    yield entry.place.at("target", "product"), "product", record.target.product
    if record.capacity is not None:
        yield entry.place.at("capacity", "claim"), "claim", record.capacity.claim


def _is_known(kind: str, name: str, corpus: Corpus) -> bool:
    if kind != "assessment":
        return any(name in records for records in _kinds(kind, corpus))
    claim, _, axis = name.partition("#")
    entry = corpus.claims.get(claim)
    return entry is not None and any(a.axis == axis for a in entry.claim.assessments)


def _names(kind: str, name: str, corpus: Corpus) -> Collection[str]:
    """What could be meant by a name that is unknown."""
    if kind != "assessment":
        return tuple(chain.from_iterable(_kinds(kind, corpus)))
    claim = name.partition("#")[0]
    there = [claim] if claim in corpus.claims else difflib.get_close_matches(claim, corpus.claims)
    return [f"{one}#{a.axis}" for one in there for a in corpus.claims[one].claim.assessments]


def _kinds(kind: str, corpus: Corpus) -> tuple[Mapping[str, object], ...]:
    """Where records of a kind are looked up."""
    match kind:
        case "claim":
            return (corpus.claims,)
        case "product":
            return (corpus.products,)
        case "source":
            return (corpus.sources,)
        case "decision":
            return (corpus.decisions,)
        case "claim or result":
            return corpus.claims, corpus.results
        case "evidence record":
            return _records(corpus)
        case _:
            return corpus.claims, corpus.results, *_records(corpus)


def _records(corpus: Corpus) -> tuple[Mapping[str, object], ...]:
    return corpus.evidence, corpus.artefacts, corpus.studies, corpus.imports, corpus.kernels


def _references(entry: Item, corpus: Corpus) -> Iterator[Reference]:
    if isinstance(entry, ClaimEntry):
        yield from _of_claim(entry)
        return
    match entry.value:
        case Product() as product:
            yield from _of_product(Entry(product, entry.place))
        case Source(copy_of=original):
            if original is not None:
                yield entry.place.at("copy_of"), "source", original
        case Family(members=members):
            for i, member in enumerate(members):
                yield entry.place.at("members", i), "product", member
        case record:
            yield from _of_record(Entry(record, entry.place), corpus)


def _of_record(entry: Entry[AnyRecord], corpus: Corpus) -> Iterator[Reference]:
    """What a decision or a record of evidence names."""
    # Late, so that a base of specifications is checked without building these models.
    from kb.model.artefact import Artefact
    from kb.model.decision import Decision
    from kb.model.evidence import OTHER, Evidence
    from kb.model.study import Study

    match entry.value:
        case Decision() as decision:
            yield from _of_decision(Entry(decision, entry.place), corpus)
        case Artefact() as compiled:
            yield from _of_compiled(Entry(compiled, entry.place))
        case Evidence() | Study() as record:
            if record.device.product != OTHER:
                yield entry.place.at("device", "product"), "product", record.device.product
            if isinstance(record, Evidence) and record.ceiling is not None:
                yield entry.place.at("ceiling", "claim"), "claim", record.ceiling.claim


def _of_product(entry: Entry[Product]) -> Iterator[Reference]:
    product = entry.value
    for i, other in enumerate(product.not_to_be_confused_with):
        yield entry.place.at("not_to_be_confused_with", i), "product", other
    for scope, part in product.composition.items():
        if part.source is not None:
            yield entry.place.at("composition", scope.value, "source"), "source", part.source
    for i, links in enumerate(product.links):
        yield entry.place.at("links", i, "source"), "source", links.source
    for i, licence in enumerate(product.direction_sums):
        yield entry.place.at("direction_sums", i, "source"), "source", licence.source
    if product.sparse_mode is not None and product.sparse_mode.source is not None:
        yield entry.place.at("sparse_mode", "source"), "source", product.sparse_mode.source


def _of_claim(entry: ClaimEntry) -> Iterator[Reference]:
    claim, place = entry.claim, entry.place
    for i, statement in enumerate(claim.statements):
        if statement.source is not None:
            yield place.at("statements", i, "source"), "source", statement.source
    for axis, source in claim.backed_by.items():
        yield place.at("backed_by", axis), "source", source
    if claim.dense_factor is not None:
        yield place.at("dense_factor", "source"), "source", claim.dense_factor.source
    for i, assessment in enumerate(claim.assessments):
        for j, source in enumerate(assessment.sources):
            yield place.at("assessments", i, "sources", j), "source", source
        for j, record in enumerate(assessment.evidence):
            yield place.at("assessments", i, "evidence", j), "evidence record", record


def _figure(corpus: Corpus) -> str:
    """What an id may name: results only where there are imports, so that wording stays plain."""
    return "claim or result" if corpus.imports else "claim"


def _of_decision(entry: Entry[Decision], corpus: Corpus) -> Iterator[Reference]:
    decision, place = entry.value, entry.place
    for i, refused in enumerate(decision.refused):
        at = place.at("refused", i)
        yield at.at("left"), _figure(corpus), refused.left
        yield at.at("right"), _figure(corpus), refused.right
    for i, comparison in enumerate(decision.comparisons):
        at = place.at("comparisons", i)
        yield at.at("left"), _figure(corpus), comparison.left
        yield at.at("right"), _figure(corpus), comparison.right
        for j, name in enumerate(comparison.assessments):
            yield at.at("assessments", j), "assessment", name
    for i, option in enumerate(decision.options):
        if option.accelerator is not None:
            yield place.at("options", i, "accelerator"), "product", option.accelerator
    lists = {"evidence": "evidence record", "supersedes": "decision", "superseded_by": "decision"}
    for field, kind in lists.items():
        for i, name in enumerate(getattr(decision, field)):
            yield place.at(field, i), kind, name
    for i, pin in enumerate(decision.pins):
        yield place.at("pins", i, "id"), "claim or evidence record", pin.id.partition("#")[0]
