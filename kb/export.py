"""The catalogue for other programs: one row a statement, and how to cite the sources."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from kb.corpus import ClaimEntry, Corpus
from kb.model.claim import AXES, Statement
from kb.quantity import QuantityError

COLUMNS = ("id", "product", "metric", "published", "base_value", "base_unit", "status", "as_of",
           "source", "locator", *AXES)  # fmt: skip
"""Columns of the table, in order; an axis that does not apply is empty."""

BASE_UNITS = {
    "information": "B",
    "information_rate": "B/s",
    "flop_rate": "FLOP/s",
    "op_rate": "OP/s",
    "power": "W",
    "energy": "J",
    "frequency": "Hz",
    "time": "s",
    "token_rate": "tokens/s",
    "sample_rate": "samples/s",
    "query_rate": "queries/s",
    "money_rate": "USD/s",
    "number": "",
}
"""The base unit of each kind of unit."""


def rows(corpus: Corpus) -> Iterator[dict[str, str]]:
    """One row a statement of each claim; the value in base units stands beside the printed one."""
    for entry in corpus.claims.values():
        for statement in entry.claim.statements:
            yield _row(entry, statement)


def _row(entry: ClaimEntry, statement: Statement) -> dict[str, str]:
    claim = entry.claim
    try:
        quantity = statement.quantity(claim.metric)
        value, unit = str(quantity.base), BASE_UNITS[quantity.unit.kind]
    except QuantityError:
        value, unit = "", ""
    axes = {axis: cell(claim.value_of(axis, statement)) for axis in AXES}
    return {
        "id": entry.id,
        "product": entry.product.product,
        "metric": str(claim.metric),
        "published": statement.published,
        "base_value": value,
        "base_unit": unit,
        "status": statement.status,
        "as_of": str(statement.as_of or ""),
        "source": statement.source or "",
        "locator": statement.locator or "",
        **axes,
    }


def cell(value: object) -> str:
    """A qualifier as one cell of a table; empty where it does not apply."""
    if isinstance(value, tuple):
        return "+".join(str(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{key} {item}" for key, item in value.items())
    return "" if value is None else str(value)


def as_csv(corpus: Corpus) -> str:
    """The rows as CSV (RFC 4180, comma, header). Cells can't act as formulas."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for row in rows(corpus):
        writer.writerow({name: inert(cell) for name, cell in row.items()})
    return out.getvalue()


def inert(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    # A spreadsheet runs a cell that begins so; an apostrophe makes it a text.
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def as_json(corpus: Corpus) -> str:
    """Products, claims, statements and sources as one JSON document."""
    products = [
        item.value.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        for item in corpus.products.values()
    ]
    sources = {
        key: item.value.model_dump(mode="json", exclude_none=True)
        for key, item in corpus.sources.items()
    }
    data = {"schema_version": 1, "products": products, "sources": sources}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def as_citations(corpus: Corpus) -> str:
    """Every source as a BibTeX entry, by its id."""
    entries = []
    for key, item in corpus.sources.items():
        source = item.value
        fields = {
            "title": source.title,
            "author": f"{{{source.publisher}}}",
            "howpublished": source.address,
            "note": source.version,
            "urldate": str(source.retrieved) if source.retrieved else None,
        }
        lines = [f"  {name} = {{{_tex(value)}}}," for name, value in fields.items() if value]
        entries.append("\n".join((f"@misc{{{key},", *lines, "}")))
    return "\n\n".join(entries) + "\n"


def _tex(text: str) -> str:
    inner = text.removeprefix("{").removesuffix("}")
    safe = "".join(f"\\{c}" if c in "&%$#_" else c for c in inner if c not in "{}\\")
    return f"{{{safe}}}" if inner != text else safe
