"""What the product schema adds to the model: units and needed axes of each metric."""

from __future__ import annotations

import re
from typing import Any

from kb.operand import needed_axes
from kb.qualifiers import WIDE, Metric, Precision
from kb.units import KINDS_OF_METRIC, labels

_NUMBER = r"\d(?:[\d,_]*\d)?(?:\.\d+)?(?:[eE][+-]?\d{1,2})?"
_LEAD = r"(?:(?:~|≈|[Aa]bout |[Aa]pprox\.? |[Uu]p to ) ?)*"


def with_metrics(schema: dict[str, Any]) -> dict[str, Any]:
    """The product schema with one condition a metric, and sparsity where it is needed."""
    with_units(schema)
    sparse = {"properties": {"mode": {"const": "none"}}, "required": ["mode"]}
    schema["if"] = {"not": {"properties": {"sparse_mode": sparse}, "required": ["sparse_mode"]}}
    schema["then"] = {"properties": {"claims": {"items": _sparsity()}}}
    return schema


def with_units(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema that holds claims, with the units and axes of each metric."""
    schema["$defs"]["Claim"]["allOf"] = [_condition(metric) for metric in Metric]
    return schema


def _condition(metric: Metric) -> dict[str, Any]:
    """If a claim has this metric, its statements print its units and its axes are there."""
    needed = sorted(needed_axes(metric, {}, None) - {"sparsity"})
    printed = {"properties": {"published": {"pattern": published_pattern(metric)}}}
    statements = {"properties": {"statements": {"items": printed}}}
    return {
        "if": {"properties": {"metric": {"const": metric.value}}, "required": ["metric"]},
        "then": {"allOf": [statements, *(_on_claim_or_statements(axis) for axis in needed)]},
    }


def published_pattern(metric: Metric) -> str:
    """A pattern that a printed value of `metric` fits, with every label of its units."""
    kinds = KINDS_OF_METRIC[metric]
    known = (label for label, unit in labels().items() if unit.kind in kinds)
    words = "|".join(re.escape(label).replace("\\ ", " ") for label in sorted(known))
    return rf"^\s*{_LEAD}{_NUMBER}\s*(?:{words})\s*(?:\([^()]*\)\s*)?$"


def _on_claim_or_statements(axis: str) -> dict[str, Any]:
    """An axis may stand on the claim or on each of its statements."""
    return {
        "anyOf": [
            {"required": [axis], "properties": {axis: {"not": {"type": "null"}}}},
            {"properties": {"statements": {"items": {"required": [axis]}}}},
        ]
    }


def _sparsity() -> dict[str, Any]:
    narrow = [p.value for p in Precision if p not in WIDE and p is not Precision.UNSTATED]
    matrix = {
        "properties": {
            "metric": {"const": Metric.COMPUTE_THROUGHPUT.value},
            "precision": {"enum": narrow},
            "engine": {"enum": ["matrix", "unstated"]},
        },
        "required": ["metric", "precision"],
    }
    return {"if": matrix, "then": _on_claim_or_statements("sparsity")}
