"""A corpus as rows: one function a table, plain dictionaries, no database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from kb.compare import compare
from kb.corpus import ClaimEntry, Corpus
from kb.export import BASE_UNITS, cell
from kb.index import tables
from kb.model.claim import AXES, Statement
from kb.operand import operand_of_claim
from kb.prose.cite import citations
from kb.quantity import Quantity, QuantityError
from kb.rules.result import Report

Fields = dict[str, object]


def all_rows(corpus: Corpus, report: Report) -> dict[type[tables.Row], list[Fields]]:
    """Every row of every table, without its namespace."""
    return {
        tables.ProductRow: list(products(corpus)),
        tables.SourceRow: list(sources(corpus)),
        tables.ClaimRow: list(claims(corpus)),
        tables.StatementRow: list(statements(corpus)),
        tables.AssessmentRow: list(assessments(corpus)),
        tables.DecisionRow: list(decisions(corpus)),
        tables.CitationRow: list(cited(corpus)),
        tables.ComparisonRow: list(comparisons(corpus)),
        tables.EvidenceRow: list(evidence(corpus)),
        tables.SampleRow: list(raw_samples(corpus)),
        tables.RestsOnRow: [
            {"record": record, "other": other} for record, other in sorted(rests_on(corpus))
        ],
        tables.FindingRow: list(findings(report)),
        tables.FileRow: [
            {"path": path, "sha256": hashlib.sha256(document.text.encode()).hexdigest()}
            for path, document in corpus.documents.items()
        ],
    }


def products(corpus: Corpus) -> Iterator[Fields]:
    """One row a product."""
    for key, entry in corpus.products.items():
        product = entry.value
        yield {
            "id": key,
            "name": product.name,
            "vendor": product.vendor,
            "layer": product.layer.value,
            "summary": product.summary,
            "path": entry.place.path,
        }


def sources(corpus: Corpus) -> Iterator[Fields]:
    """One row a source."""
    for key, entry in corpus.sources.items():
        source = entry.value
        yield {
            "id": key,
            "title": source.title,
            "publisher": source.publisher,
            "kind": source.kind,
            "address": source.address,
            "version": source.version,
            "retrieved": _day(source.retrieved),
        }


def claims(corpus: Corpus) -> Iterator[Fields]:
    """One row a claim, with its current statement's value in base units."""
    return (_claim(entry, corpus) for entry in corpus.claims.values())


def _claim(entry: ClaimEntry, corpus: Corpus) -> Fields:
    claim = entry.claim
    document = corpus.documents.get(entry.place.path)
    line = document.locate(entry.place).start.line if document else 1
    axes = {axis: cell(value) or None for axis, value in _axes(entry).items()}
    return {
        "id": entry.id,
        "product": entry.product.product,
        "metric": claim.metric.value,
        "published": claim.current.published,
        **_value(_quantity(claim.current, entry), interval=True),
        **axes,
        "path": entry.place.path,
        "line": line,
    }


def _axes(entry: ClaimEntry) -> dict[str, object]:
    """The qualifiers with what follows from them, such as the role of an interface."""
    try:
        side = operand_of_claim(entry)
    except QuantityError:
        return {axis: entry.claim.value_of(axis) for axis in AXES}
    return {axis: side.get(axis) for axis in AXES}


def _quantity(statement: Statement, entry: ClaimEntry) -> Quantity | None:
    try:
        return statement.quantity(entry.claim.metric)
    except QuantityError:
        return None


def _value(quantity: Quantity | None, *, interval: bool) -> Fields:
    exact = None if quantity is None else str(quantity.base)
    value = None if quantity is None else float(quantity.base)
    fields: Fields = {"exact": exact, "value": value}
    if interval:
        fields["unit"] = None if quantity is None else BASE_UNITS[quantity.unit.kind]
        fields["low"] = None if quantity is None else float(quantity.interval.low)
        fields["high"] = None if quantity is None else float(quantity.interval.high)
    return fields


def statements(corpus: Corpus) -> Iterator[Fields]:
    """One row a statement."""
    for entry in corpus.claims.values():
        for number, statement in enumerate(entry.claim.statements):
            yield {
                "claim": entry.id,
                "number": number,
                "published": statement.published,
                **_value(_quantity(statement, entry), interval=False),
                "status": statement.status,
                "source": statement.source,
                "locator": statement.locator,
                "as_of": _day(statement.as_of),
            }


def assessments(corpus: Corpus) -> Iterator[Fields]:
    """One row an assessment."""
    for entry in corpus.claims.values():
        for item in entry.claim.assessments:
            yield {
                "claim": entry.id,
                "axis": item.axis,
                "value": item.value,
                "reasoning": item.reasoning,
            }


def decisions(corpus: Corpus) -> Iterator[Fields]:
    """One row a decision."""
    for key, entry in corpus.decisions.items():
        decision, seen = entry.value, entry.value.bottleneck
        yield {
            "id": key,
            "title": decision.title,
            "status": decision.status,
            "date": _day(decision.date),
            "question": decision.question,
            "bottleneck": None if seen is None else seen.boundary.value,
            "observed": None if seen is None else seen.observed,
            "next_measurement": decision.next_measurement,
            "review_by": _day(decision.review_by),
            "path": entry.place.path,
        }


def cited(corpus: Corpus) -> Iterator[Fields]:
    """One row a typed citation, with the line that it stands on."""
    for key, entry in corpus.decisions.items():
        document = corpus.documents.get(entry.place.path)
        for number, citation in enumerate(citations(document.body) if document else ()):
            left, dots, right = citation.target.partition("..")
            line = document.body.count("\n", 0, citation.start) if document else 0
            yield {
                "decision": key,
                "number": number,
                "kind": citation.kind,
                "target": citation.target,
                "left_claim": left if dots else None,
                "right_claim": right if dots else None,
                "text": citation.text,
                "line": line + (document.body_line if document else 1),
            }


def comparisons(corpus: Corpus) -> Iterator[Fields]:
    """One row a comparison of a decision; pairs that can't be judged are left out."""
    for key, entry in corpus.decisions.items():
        for number, pair in enumerate(entry.value.comparisons):
            left, right = corpus.claims.get(pair.left), corpus.claims.get(pair.right)
            if left is None or right is None:
                continue
            try:
                verdict = compare(operand_of_claim(left), operand_of_claim(right), corpus)
            except QuantityError:
                continue
            yield {
                "decision": key,
                "number": number,
                "left_claim": pair.left,
                "right_claim": pair.right,
                "verdict": verdict.kind.value,
                "ratio": None if verdict.ratio is None else float(verdict.ratio),
                "reasons": " ".join(reason.axis for reason in verdict.reasons),
                "why": "; ".join(dict.fromkeys(reason.why for reason in verdict.reasons)),
            }


def evidence(corpus: Corpus) -> Iterator[Fields]:
    """One row an evidence record."""
    for key, entry in corpus.evidence.items():
        record = entry.value
        yield {
            "id": key,
            "evidence_class": record.evidence_class.value,
            "workload": record.workload.id,
            "product": record.device.product,
            "created": record.created,
            "content_hash": record.content_hash,
            "path": entry.place.path,
        }


def samples(corpus: Corpus) -> Iterator[Fields]:
    """One row a boundary of an evidence record, with its summary in seconds."""
    for key, entry in corpus.evidence.items():
        record = entry.value
        for seen in record.measurements:
            yield {
                "evidence": key,
                "workload": record.workload.id,
                "product": record.device.product,
                "evidence_class": record.evidence_class.value,
                "boundary": seen.boundary.value,
                "n": seen.n,
                "median": seen.median,
                "minimum": seen.spread.minimum,
                "maximum": seen.spread.maximum,
                "publishable": record.publishable,
            }


def raw_samples(corpus: Corpus) -> Iterator[Fields]:
    """One row a raw sample."""
    for key, entry in corpus.evidence.items():
        for measured in entry.value.measurements:
            for number, value in enumerate(measured.samples):
                boundary = measured.boundary.value
                yield {"evidence": key, "boundary": boundary, "number": number, "seconds": value}


def rests_on(corpus: Corpus) -> set[tuple[str, str]]:
    """Pairs of ids: a record, and what it rests on directly."""
    pairs: set[tuple[str, str]] = set()
    for key, entry in corpus.decisions.items():
        decision = entry.value
        others = {name for pair in decision.comparisons for name in (pair.left, pair.right)}
        others |= set(decision.evidence) | {pin.id for pin in decision.pins}
        pairs |= {(key, other) for other in others}
    for claim in corpus.claims.values():
        named = {statement.source for statement in claim.claim.statements}
        named |= {name for item in claim.claim.assessments for name in item.sources}
        named |= {name for item in claim.claim.assessments for name in item.evidence}
        pairs |= {(claim.id, name) for name in named if name}
    return pairs


def findings(report: Report) -> Iterator[Fields]:
    """One row a finding."""
    for number, located in enumerate(report.findings):
        finding, start = located.finding, located.mark.span.start
        yield {
            "number": number,
            "rule": finding.rule,
            "severity": finding.severity.value,
            "message": finding.message,
            "path": located.mark.path,
            "line": start.line,
            "column": start.column,
        }


def _day(value: object) -> str | None:
    return None if value is None else str(value)
