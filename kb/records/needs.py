"""What a decision lacks before it may be accepted, each with what to type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.corpus import Corpus, Entry
from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.model.gates import refusal
from kb.model.grounds import Deployment
from kb.qualifiers import Boundary
from kb.records.life import before_acceptance
from kb.records.pins import tolerance_of
from kb.records.placeholders import answered, untouched
from kb.records.reliance import body_of
from kb.source import Route

NO_WORK = (Boundary.TRACE, Boundary.LOWER, Boundary.DISPATCH_ONLY, Boundary.UNSTATED)
"""Boundaries at which nothing that a device does can be seen to bind."""


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that acceptance needs and the record doesn't have."""

    route: Route
    """Where it is missing; the status where the field isn't there at all."""
    what: str
    remedy: str


def needs(entry: Entry[Decision], corpus: Corpus) -> tuple[Need, ...]:
    """Everything that is missing, whatever the status is now."""
    decision = entry.value
    found = _project(decision) if decision.kind == "project" else _stack(decision, corpus)
    return (*found, *_words(entry, corpus), *_people(decision))


def evidence_need(decision: Decision, corpus: Corpus) -> Need | None:
    """The first need of all, which `accepted-without-evidence` judges; None where it is met."""
    if grounded(decision, corpus):
        return None
    products = dict.fromkeys(option.accelerator for option in decision.options)
    named = " or ".join(product for product in products if product) or "an option's accelerator"
    return Need(
        ("evidence",),
        f"evidence that was executed on {named}; what was only compiled or ran elsewhere "
        "can't carry it",
        "measure with `kb measure run` on that machine and cite the record under 'evidence'",
    )


def grounded(decision: Decision, corpus: Corpus) -> bool:
    """Whether anything speaks for a decision; where nothing does, all else can wait."""
    return decision.kind == "project" or bool(carrying(decision, corpus))


def carrying(decision: Decision, corpus: Corpus) -> list[Evidence]:
    """The cited records that were executed on an option's accelerator."""
    cited = [corpus.evidence[name].value for name in decision.evidence if name in corpus.evidence]
    products = {option.accelerator for option in decision.options if option.accelerator}
    return [r for r in cited if any(refusal(r, product) is None for product in products)]


def _project(decision: Decision) -> Iterator[Need]:
    if not answered("confirmation", decision.confirmation):
        yield Need(
            ("confirmation",) if decision.confirmation else ("status",),
            "anything that keeps watch over it",
            "write 'confirmation: …' with the test, contract or file that would show a breach",
        )
    if decision.options and decision.chosen is None:
        yield _missing("the chosen option", "chosen: <option id>")


def _stack(decision: Decision, corpus: Corpus) -> Iterator[Need]:
    records = carrying(decision, corpus)
    yield from _bottleneck(decision, records)
    yield from _choice(decision, records)
    if tolerance_of(decision) is None:
        yield _at(decision, "tolerance", "a tolerance with one percentage", "tolerance: 10 %")
    if not answered("quality_target", decision.quality_target):
        yield _at(decision, "quality_target", "a quality target", "quality_target: …")
    yield from _deployment(decision.deployment or Deployment(), records)
    yield from _cost(decision)
    if decision.portability is None and any(option.framework for option in decision.options):
        yield _missing(
            "a word on portability: a framework moves the question, it doesn't close it",
            "portability: open",
        )


def _bottleneck(decision: Decision, records: list[Evidence]) -> Iterator[Need]:
    seen = decision.bottleneck
    if seen is None:
        text = "bottleneck: {boundary: warm_host, observed: …, evidence: …}"
        yield _missing("an observed bottleneck", text)
        return
    route = ("bottleneck", "boundary")
    if seen.boundary in NO_WORK:
        yield Need(
            route,
            f"a bottleneck that was seen on a device: {seen.boundary} encloses no device work",
            "name the boundary of an interval that ends when the work is done, such as warm_host",
        )
    elif records and not any(record.measurement(seen.boundary) for record in records):
        have = sorted({str(m.boundary) for record in records for m in record.measurements})
        yield Need(
            route,
            f"evidence at {seen.boundary}; the cited records hold {', '.join(have)}",
            f"measure at {seen.boundary}, or name a boundary that was measured",
        )


def _choice(decision: Decision, records: list[Evidence]) -> Iterator[Need]:
    if len(decision.varied) != 1:
        named = " and ".join(decision.varied) or "none"
        yield _at(
            decision,
            "varied",
            f"exactly one layer that it varies; it names {named}",
            "varied: [<layer>]; split the decision where two layers vary",
        )
    option = next((o for o in decision.options if o.id == decision.chosen), None)
    if option is None:
        ids = ", ".join(o.id for o in decision.options)
        text = f"chosen: one of {ids}" if ids else "options: [{id: …, title: …}]' and 'chosen: <id>"
        yield _at(decision, "chosen", "the chosen option", text)
    elif (
        option.accelerator
        and records
        and all(refusal(record, option.accelerator) for record in records)
    ):
        yield Need(
            ("chosen",),
            f"evidence that ran on {option.accelerator}, the accelerator of the chosen option",
            f"measure on {option.accelerator} and cite the record under 'evidence'",
        )


def _deployment(target: Deployment, records: list[Evidence]) -> Iterator[Need]:
    texts = {
        "accelerators": ("the number of accelerators", "accelerators: 8"),
        "shapes": ("the shapes that will occur", 'shapes: ["512x512, 512x512"]'),
        "service_objective": ("a service objective", "service_objective: …"),
        "failure_domain": ("the failure domain", "failure_domain: …"),
    }
    # One remedy for them all: a second 'deployment:' would be a duplicate key.
    lacking = [texts[field] for field in texts if not getattr(target, field)]
    if lacking:
        whole = len(lacking) == len(texts)
        fields = ", ".join(text for _, text in lacking)
        yield Need(
            ("status",),
            f"{_and([what for what, _ in lacking])}, in 'deployment'",
            f"write 'deployment: {{{fields}{'' if whole else ', …'}}}'",
        )
    largest = max((record.device.count for record in records), default=0)
    if records and target.accelerators and largest < target.accelerators:
        yield Need(
            ("deployment", "accelerators"),
            f"evidence at its scale: {target.accelerators} accelerators are deployed, and the "
            f"largest cited run had {largest}",
            f"measure on {target.accelerators} accelerators, or deploy on {largest}",
        )
    yield from _shapes(target, records)


def _and(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if parts[1:] else parts)


def _shapes(target: Deployment, records: list[Evidence]) -> Iterator[Need]:
    covered = {shapes_of(record) for record in records}
    for index, wanted in enumerate(target.shapes):
        if records and _plain(wanted) not in covered:
            yield Need(
                ("deployment", "shapes", index),
                f"evidence at the shape {wanted}; measured were {' and '.join(sorted(covered))}",
                "measure at that shape, or leave it out of the deployment",
            )
    if len(target.shapes) == 1 and target.narrow is None:
        yield Need(
            ("deployment", "shapes"),
            "a word on its reach: it covers one shape only",
            "add 'narrow: …' to the deployment, which says why one shape is enough",
        )


def shapes_of(record: Evidence) -> str:
    """The shapes of a record's inputs, as a deployment writes them."""
    return ", ".join("x".join(map(str, item.shape)) or "scalar" for item in record.workload.inputs)


def _plain(text: str) -> str:
    return ", ".join("".join(part.split()) for part in text.replace("×", "x").split(","))


def _cost(decision: Decision) -> Iterator[Need]:
    cost = decision.cost
    if cost is None or cost.engineering is None:
        yield _missing(
            "the cost of engineering", "cost: {engineering: {low: 3, high: 8, by: <name>}, …}"
        )
    if cost is None or all(price.option != decision.chosen for price in cost.operation):
        yield _missing(
            "the cost of operating the chosen option",
            "cost: {operation: [{option: …, price: 4.10 USD/h, currency: USD, region: …, term: …, "
            "date: …, source: …}]}",
        )


def _words(entry: Entry[Decision], corpus: Corpus) -> Iterator[Need]:
    if untouched(body_of(entry, corpus)):
        yield Need(
            ("status",),
            "a word of its reasons: every section below the front matter is empty",
            "write under its headings what was found, what was decided and why",
        )


def _people(decision: Decision) -> Iterator[Need]:
    if not any(answered("decision-makers", each) for each in decision.decision_makers):
        yield _missing("anyone who decides", "decision-makers: [<name>]")
    if not decision.approvals or decision.seal is None:
        what = "an approval" if not decision.approvals else "a seal"
        yield Need(
            ("status",),
            f"{what}, without which nobody would see a change",
            f"write 'status: {before_acceptance(decision)}' and type: "
            f"kb status {decision.id} accepted",
        )


def _missing(what: str, text: str) -> Need:
    return Need(("status",), what, text if text.startswith("kb ") else f"add '{text}'")


def _at(decision: Decision, field: str, what: str, text: str) -> Need:
    there = bool(getattr(decision, field))
    return Need((field,) if there else ("status",), what, f"write '{text}'")
