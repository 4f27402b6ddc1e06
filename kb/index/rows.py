"""A corpus as rows: one function a table, plain dictionaries, no database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.export import BASE_UNITS, cell
from kb.index import evidence_tables, tables
from kb.index.evidence_rows import SAMPLES, Fields, evidence, evidence_rows, samples
from kb.index.row import Row, key_of, storable
from kb.model.claim import AXES, Statement
from kb.operand import operand_of_claim
from kb.prose.cite import citations
from kb.quantity import Quantity, QuantityError
from kb.records.impact import edges
from kb.rules.judged import judge_decision
from kb.rules.result import Report
from kb.verdict import Verdict

__all__ = ["Fields", "all_rows", "claims", "columns", "decisions", "evidence", "findings",
           "samples", "statements"]  # fmt: skip


def all_rows(corpus: Corpus, report: Report, *, raw: bool = True) -> dict[type[Row], list[Fields]]:
    """Every row of every table, without its namespace; of two with one key the first.

    Without what is `raw` the table of single samples stays empty.
    """
    found: dict[type[Row], Iterable[Fields]] = {
        tables.ProductRow: list(products(corpus)),
        tables.SourceRow: list(sources(corpus)),
        tables.ClaimRow: list(claims(corpus)),
        tables.StatementRow: list(statements(corpus)),
        tables.AssessmentRow: list(assessments(corpus)),
        tables.DecisionRow: list(decisions(corpus)),
        tables.CitationRow: list(cited(corpus)),
        tables.ComparisonRow: list(comparisons(corpus)),
        **evidence_rows(corpus, raw=raw),
        tables.RestsOnRow: list(rests_on(corpus)),
        tables.RuleRow: list(rules(report)),
        tables.FindingRow: list(findings(report)),
        tables.FileRow: [
            {"path": path, "sha256": hashlib.sha256(document.text.encode()).hexdigest()}
            for path, document in corpus.documents.items()
        ],
    }
    return {table: _once(rows, key_of(table)) for table, rows in found.items()}


def columns(table: str) -> tuple[str, ...]:
    """What a row of one of the tables for data frames holds, also where there is no row."""
    if table == "samples":
        return SAMPLES
    kinds = {
        "claims": tables.ClaimRow,
        "statements": tables.StatementRow,
        "evidence": evidence_tables.EvidenceRow,
        "decisions": tables.DecisionRow,
        "findings": tables.FindingRow,
    }
    return tuple(name for name in kinds[table].model_fields if name != "namespace")


def _once(rows: Iterable[Fields], key: tuple[str, ...]) -> list[Fields]:
    """Records that a check would refuse may hold a name twice; a table can't."""
    known = {tuple(storable(row[name]) for name in key): row for row in reversed([*rows])}
    return list(known.values())[::-1]


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
    """One row a comparison of a decision, of claims or of published results, with its verdict."""
    for key, entry in corpus.decisions.items():
        judged = judge_decision(entry, corpus)
        found = {one.place: one.verdict for one in judged.judged}
        why = {one.place: one.missing for one in judged.results if one.verdict is None}
        found |= {one.place: one.verdict for one in judged.results if one.verdict is not None}
        for number, pair in enumerate(entry.value.comparisons):
            place = entry.place.at("comparisons", number)
            yield {
                "decision": key,
                "number": number,
                "left_claim": pair.left,
                "right_claim": pair.right,
                **_verdict(found.get(place), why.get(place) or UNJUDGED),
            }


UNJUDGED = "a side is missing or can't be read"


def _verdict(verdict: Verdict | None, missing: str) -> Fields:
    if verdict is None:
        empty = dict.fromkeys(("verdict", "ratio", "low", "high"))
        return {**empty, "reasons": "", "why": missing, "cautions": "", "derivation": ""}
    interval = verdict.interval
    return {
        "verdict": verdict.kind.value,
        "ratio": None if verdict.ratio is None else float(verdict.ratio),
        "low": None if interval is None else float(interval.low),
        "high": None if interval is None else float(interval.high),
        "reasons": " ".join(reason.axis for reason in verdict.reasons),
        "why": "; ".join(dict.fromkeys(reason.why for reason in verdict.reasons)),
        "cautions": "; ".join(dict.fromkeys(caution.text for caution in verdict.cautions)),
        "derivation": "; ".join(step.step for step in verdict.derivation),
    }


def rests_on(corpus: Corpus) -> Iterator[Fields]:
    """One row each direct dependence, as `kb impact` follows it."""
    for edge in edges(corpus):
        (other_kind, other), (kind, record) = edge.on, edge.node
        yield {
            "kind": kind,
            "record": record,
            "other_kind": other_kind,
            "other": other,
            "how": edge.how,
        }


def rules(report: Report) -> Iterator[Fields]:
    """One row a rule, and a kind of finding that reading the files may give."""
    for note in report.notes:
        yield {"id": note.slug, "severity": note.severity.value, "sentence": note.message}


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
