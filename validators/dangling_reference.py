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

import difflib
from collections.abc import Collection, Iterator

from kb.corpus import ClaimEntry, Corpus, Entry
from kb.model.artefact import Artefact
from kb.model.decision import Decision
from kb.model.evidence import OTHER
from kb.model.product import Product
from kb.rules import Problem, rule
from kb.source import Place

Reference = tuple[Place, str, str]
"""Where it stands, what kind of thing it names, and the id."""


@rule(over="corpus")
def dangling_reference(corpus: Corpus) -> Iterator[Problem]:
    """Yield every id that names no record of its kind."""
    known: dict[str, Collection[str]] = {
        "source": corpus.sources,
        "product": corpus.products,
        "claim": corpus.claims,
        "evidence record": corpus.records,
        "decision": corpus.decisions,
        "assessment": {
            f"{entry.id}#{assessment.axis}"
            for entry in corpus.claims.values()
            for assessment in entry.claim.assessments
        },
    }
    known["claim or result"] = {*corpus.claims, *corpus.results}
    known["claim or evidence record"] = {*known["claim or result"], *known["evidence record"]}
    for place, kind, name in _references(corpus):
        if name not in known[kind]:
            near = difflib.get_close_matches(name, known[kind], n=2)
            remedy = f"did you mean {' or '.join(near)}?" if near else f"add the {kind}"
            yield Problem(place, f"there is no {kind} '{name}'", remedy, label=f"names no {kind}")


def _references(corpus: Corpus) -> Iterator[Reference]:
    for product in corpus.products.values():
        if product.own:
            yield from _of_product(product)
    for claim in corpus.claims.values():
        if claim.own:
            yield from _of_claim(claim)
    for decision in corpus.decisions.values():
        yield from _of_decision(decision, corpus)
    yield from _of_sources(corpus)
    for record in corpus.evidence.values():
        if record.value.device.product != OTHER:
            yield record.place.at("device", "product"), "product", record.value.device.product
        if record.value.ceiling is not None:
            yield record.place.at("ceiling", "claim"), "claim", record.value.ceiling.claim
    for study in corpus.studies.values():
        if study.value.device.product != OTHER:
            yield study.place.at("device", "product"), "product", study.value.device.product
    for compiled in corpus.artefacts.values():
        yield from _of_compiled(compiled)


def _of_compiled(entry: Entry[Artefact]) -> Iterator[Reference]:
    record = entry.value
    yield entry.place.at("target", "product"), "product", record.target.product
    if record.capacity is not None:
        yield entry.place.at("capacity", "claim"), "claim", record.capacity.claim


def _of_sources(corpus: Corpus) -> Iterator[Reference]:
    for source in corpus.sources.values():
        if source.own and source.value.copy_of is not None:
            yield source.place.at("copy_of"), "source", source.value.copy_of
    for family in corpus.families:
        for i, member in enumerate(family.value.members):
            yield family.place.at("members", i), "product", member


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
