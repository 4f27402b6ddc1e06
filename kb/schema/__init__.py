"""JSON Schemas of every file and every `--json` output, generated from the models.

They serve editors and other languages. They are no second judge: a schema can't know that
two claims are incomparable. What it can know, the units and axes of a metric, it checks.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import TypeAdapter

from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.model.product import Product, SourceList
from kb.schema import outputs
from kb.schema.spec import with_metrics

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _of(shape: object) -> Callable[[], dict[str, Any]]:
    return lambda: TypeAdapter[Any](shape).json_schema(by_alias=True)


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "product": lambda: with_metrics(_of(Product)()),
    "sources": _of(SourceList),
    "decision": _of(Decision),
    "evidence": _of(Evidence),
    "compare-output": _of(outputs.CompareOutput),
    "compare-line": _of(outputs.CompareLine),
    "show-output": _of(outputs.ShowOutput),
    "list-output": _of(outputs.ListOutput),
}
"""Every schema by name; `schemas/<name>.schema.json` holds it."""


def schema_text(name: str) -> str:
    """The file content of one schema."""
    schema = {"$schema": DIALECT, **SCHEMAS[name]()}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
