"""JSON Schemas of every file and every `--json` output, generated from the models.

They serve editors and other languages. They are no second judge: a schema can't know that
two claims are incomparable. What it can know, the units and axes of a metric, it checks.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, TypeAdapter

from kb.model.artefact import Artefact
from kb.model.decision import Decision
from kb.model.evidence import Evidence
from kb.model.kernels import KernelMatrix
from kb.model.product import Override, Product, SourceList
from kb.model.result import Import
from kb.model.study import Study
from kb.schema import api, compiling, lint, measuring, outputs
from kb.schema.describe import describe
from kb.schema.imported import ImportOutput
from kb.schema.spec import with_metrics, with_units

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _file(model: type[BaseModel]) -> dict[str, Any]:
    return describe(model.model_json_schema(by_alias=True), model)


def _evidence() -> dict[str, Any]:
    """A measured, a compiled or an imported record, or a study: all lie in one folder."""
    kinds: Any = Evidence | Artefact | KernelMatrix | Study | Import
    schema: dict[str, Any] = TypeAdapter(kinds).json_schema(by_alias=True)
    for kind in (Evidence, Artefact, KernelMatrix, Study, Import):
        schema = describe(schema, kind)
    return schema


def _output(shape: Any) -> dict[str, Any]:  # noqa: ANN401 - a typed dictionary or a union
    return TypeAdapter(shape).json_schema()


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "product": lambda: with_metrics(_file(Product)),
    "override": lambda: with_units(_file(Override)),
    "sources": lambda: _file(SourceList),
    "decision": lambda: _file(Decision),
    "evidence": _evidence,
    "compare-output": lambda: _output(outputs.CompareOutput),
    "compare-line": lambda: _output(outputs.CompareLine),
    "show-output": lambda: _output(outputs.ShowOutput),
    "list-output": lambda: _output(outputs.ListOutput),
    "check-output": lambda: _output(outputs.CheckOutput),
    "lint-line": lambda: _output(lint.LintLine),
    "rules-output": lambda: _output(outputs.RulesOutput),
    "explain-output": lambda: _output(outputs.ExplainOutput),
    "roofline-output": lambda: _output(outputs.RooflineOutput),
    "fit-output": lambda: _output(outputs.FitOutput),
    "diff-output": lambda: _output(outputs.DiffOutput),
    "import-output": lambda: _output(ImportOutput),
    "review-output": lambda: _output(outputs.ReviewOutput),
    "measure-compile-output": lambda: _output(compiling.MeasureCompileOutput),
    "measure-diff-output": lambda: _output(compiling.MeasureDiffOutput),
    "measure-run-output": lambda: _output(measuring.MeasureRunOutput),
    "measure-study-output": lambda: _output(measuring.MeasureStudyOutput),
    "measure-sweep-output": lambda: _output(measuring.MeasureSweepOutput),
    "measure-device-output": lambda: _output(measuring.MeasureDeviceOutput),
    "measure-list-output": lambda: _output(measuring.MeasureListOutput),
    "measure-cuda-output": lambda: _output(measuring.MeasureCudaOutput),
    "measure-failure-output": lambda: _output(measuring.MeasureFailureOutput),
    "audit-output": lambda: _output(compiling.AuditOutput),
    "api-index": lambda: _output(api.Index),
    "api-table": lambda: _output(api.Table),
    "api-chooser": lambda: _output(api.Chooser),
    "api-verdicts": lambda: _output(api.Verdicts),
}
"""Every schema by name; `schemas/<name>.schema.json` holds it."""


def schema_text(name: str) -> str:
    """The file content of one schema."""
    schema = {"$schema": DIALECT, **SCHEMAS[name]()}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
