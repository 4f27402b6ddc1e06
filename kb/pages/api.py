"""The catalogue as files for programs: JSON and CSV tables, their list with hashes, the schemas.

Every row names its record by the id that pages and database use, and the content file that
it was read from with that file's SHA-256, so that copies can be held against each other.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel

from kb.compare.text import WORDS
from kb.corpus import Corpus
from kb.export import as_citations, as_csv, inert
from kb.pages import links
from kb.pages.pairs import Matrix
from kb.pages.words import claim_title
from kb.rules.collect import Rule
from kb.source import Place

Row = dict[str, str]

LISTING = "api/index.json"

SCHEMA = {
    "products": "product",
    "sources": "sources",
    "decisions": "decision",
    "evidence": "evidence",
    "compiled": "evidence",
}
"""The schema of the records behind each table."""


def api_files(
    corpus: Corpus, pairs: Sequence[Matrix], rules: Sequence[Rule], schemas: Mapping[str, str]
) -> dict[str, str]:
    """Every table as JSON and as CSV, statements, citations, schemas, and the list of them."""
    files: dict[str, str] = {}
    for table, rows in tables(corpus, pairs, rules).items():
        data = {"schema_version": 1, "table": table, "rows": rows}
        files[f"api/{table}.json"] = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        files[f"api/{table}.csv"] = _csv(rows)
    files["api/statements.csv"] = as_csv(corpus)
    files["api/sources.bib"] = as_citations(corpus)
    files |= {f"api/schemas/{name}": text for name, text in schemas.items()}
    return files


def listing(files: Mapping[str, str | bytes]) -> str:
    """`api/index.json`: every file below `api/` with its size, hash and schema."""
    found = []
    for path, content in sorted(files.items()):
        told = path.startswith("api/") and not path.startswith("api/verdicts/")
        if told and path != LISTING:
            data = content.encode() if isinstance(content, str) else content
            entry = {
                "path": path.removeprefix("api/"),
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            schema = SCHEMA.get(path.removeprefix("api/").partition(".")[0])
            if schema:
                entry["records"] = f"schemas/{schema}.schema.json"
            found.append(entry)
    about = {
        "schema_version": 1,
        "verdicts": "verdicts/<product>/<claim>.json, for the claims of chooser.json",
        "record": "each row's `page` without its anchor has the whole record beside it as JSON",
    }
    return json.dumps({**about, "files": found}, ensure_ascii=False, indent=1) + "\n"


def tables(corpus: Corpus, pairs: Sequence[Matrix], rules: Sequence[Rule]) -> dict[str, list[Row]]:
    """Every table, its rows in the order of their ids."""
    hashes = {
        path: hashlib.sha256(document.text.encode()).hexdigest()
        for path, document in corpus.documents.items()
    }

    def whence(place: Place) -> Row:
        return {"path": place.path, "sha256": hashes.get(place.path, "")}

    return {
        "products": [
            {**_row(key, links.product_path(key), entry.value, ("name", "vendor", "layer")),
             **whence(entry.place)}
            for key, entry in sorted(corpus.products.items())
        ],
        "claims": [{**row, **whence(corpus.claims[row["id"]].place)} for row in _claims(corpus)],
        "sources": [
            {**_row(key, links.source_target(key), entry.value,
                    ("title", "publisher", "kind", "address", "version", "retrieved")),
             **whence(entry.place)}
            for key, entry in sorted(corpus.sources.items())
        ],
        "decisions": [
            {**_row(key, links.decision_path(key), entry.value,
                    ("title", "status", "date", "review_by", "question", "next_measurement")),
             **whence(entry.place)}
            for key, entry in sorted(corpus.decisions.items())
        ],
        "evidence": [
            {**_row(key, links.evidence_path(key), entry.value,
                    ("evidence_class", "created", "content_hash")),
             "workload": entry.value.workload.id, "product": entry.value.device.product,
             **whence(entry.place)}
            for key, entry in sorted(corpus.evidence.items())
        ],
        "compiled": [
            {**_row(key, links.evidence_path(key), entry.value, ("created", "content_hash")),
             "program": entry.value.program.id, "product": entry.value.target.product,
             **whence(entry.place)}
            for key, entry in sorted(corpus.artefacts.items())
        ],
        "comparisons": list(_comparisons(pairs)),
        "rules": [
            {"id": rule.slug, "page": links.address(links.rule_path(rule.slug)),
             "severity": rule.declared.severity.value, "looks_at": str(rule.declared.over),
             "message": rule.text.message}
            for rule in sorted(rules, key=lambda rule: rule.slug)
        ],
    }  # fmt: skip


def _row(key: str, target: str, record: BaseModel, fields: Sequence[str]) -> Row:
    values = {field: getattr(record, field) for field in fields}
    shown = {field: "" if value is None else str(value) for field, value in values.items()}
    return {"id": key, "page": links.address(target), **shown}


def _claims(corpus: Corpus) -> Iterator[Row]:
    for key, entry in sorted(corpus.claims.items()):
        yield {
            "id": key,
            "page": links.address(links.claim_target(key)),
            "product": entry.product.product,
            "product_name": entry.product.name,
            "metric": entry.claim.metric.value,
            "title": claim_title(entry.claim),
            "published": entry.claim.current.published,
            "source": entry.claim.current.source or "",
        }


def _comparisons(pairs: Sequence[Matrix]) -> Iterator[Row]:
    for matrix in pairs:
        for group in matrix.groups:
            for item in group.judged:
                found = item.verdict.ratio
                yield {
                    "id": f"{item.left.id}..{item.right.id}",
                    "page": links.address(links.pair_path(matrix.left, matrix.right)),
                    "left": item.left.id,
                    "right": item.right.id,
                    "verdict": item.verdict.kind.value,
                    "says": WORDS[item.verdict.kind],
                    "ratio": "" if found is None else str(found),
                    "reasons": " ".join(reason.axis for reason in item.verdict.reasons),
                }


def _csv(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    columns = list(rows[0]) if rows else ["id", "page"]
    writer = csv.DictWriter(out, columns, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({key: inert(value) for key, value in row.items()} for row in rows)
    return out.getvalue()
