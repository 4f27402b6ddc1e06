"""Rows of MLCommons' `summary_results.json`, one result each."""

from __future__ import annotations

from collections.abc import Mapping

from kb.corpus import Corpus
from kb.mlperf.accelerators import product_of
from kb.mlperf.fields import (
    Row,
    availability,
    digits,
    division,
    performance,
    scenario,
    suite,
)
from kb.mlperf.identity import result_id, round_of
from kb.mlperf.quality import accuracy, number_formats
from kb.model.result import Accelerators, FlagKind, Power, PublishedResult
from kb.qualifiers import Metric, RunKind, Verification

REVIEWED = "https://github.com/mlcommons/inference_results_"
"""Addresses of results that went through the review: MLCommons' own repositories."""

POWER_UNITS = {
    "watts": (Metric.POWER, "W"),
    "millijoules": (Metric.ENERGY, "mJ"),
    "joules": (Metric.ENERGY, "J"),
}


def result_of(data: Mapping[str, object], number: int, corpus: Corpus) -> PublishedResult:
    """Row `number` (from 1) as a result; raises `UnusableError` where it can't be one."""
    row = Row(data)
    where = scenario(row.text("Scenario", needed=True))
    rules = division(row.text("Category", needed=True))
    benchmark = row.text("Model", needed=True)
    version = round_of(row.text("version", needed=True))
    metric, published = performance(
        row, data.get("Performance_Result"), row.text("Performance_Units"), where
    )
    if row.text("inferred") not in ("", "0", "False"):
        row.flag(FlagKind.INFERRED, f"inferred: {row.text('inferred')}")
    if row.text("compliance") not in ("", "1") or row.text("errors") not in ("", "0"):
        said = f"compliance {row.text('compliance')}, errors {row.text('errors')}"
        row.flag(FlagKind.NOT_COMPLIANT, said)
    system = row.text("System") or row.text("Platform", needed=True)
    entry, location = row.text("ID"), row.text("Location")
    power = _power(row)
    figures = accuracy(row, row.text("Accuracy"), benchmark, version, rules)
    return PublishedResult(
        id=result_id(entry or row.text("Platform"), benchmark, where),
        entry=entry,
        submitter=row.text("Submitter", needed=True),
        system=system,
        benchmark=benchmark,
        model=row.text("UsedModel") or benchmark,
        version=version,
        suite=suite(row.text("Suite", needed=True)),
        division=rules,
        scenario=where,
        availability=availability(row.text("Availability", needed=True)),
        verification=_verification(row),
        metric=metric,
        published=published,
        printed_unit=row.text("Performance_Units"),
        valid=None,
        accelerators=_accelerators(row, corpus),
        number_formats=number_formats(row, row.text("weight_data_types")),
        accuracy=figures,
        run=RunKind.POWER if _announced(row) else RunKind.PERFORMANCE,
        power=power,
        software=row.text("Software"),
        notes=row.text("Notes"),
        locator=f"row {number}, {location}" if location else f"row {number}",
        flags=tuple(row.flags),
    )


def _verification(row: Row) -> Verification:
    reviewed = row.text("Details").startswith(REVIEWED)
    return Verification.VERIFIED if reviewed else Verification.UNVERIFIED


def _announced(row: Row) -> bool:
    return row.text("has_power").lower() in ("true", "1")


def _power(row: Row) -> Power | None:
    """The measured power or energy, only where the row says that it is a power run."""
    if not _announced(row):
        return None
    value, unit = digits(row.data.get("Power_Result")), row.text("Power_Units")
    known = POWER_UNITS.get(unit.lower())
    if value is None or known is None:
        said = f"{row.text('Power_Result') or 'nothing'} {unit}".strip()
        row.flag(FlagKind.POWER_MISSING, f"power: {said}")
        return None
    metric, label = known
    return Power.model_validate({"published": f"{value} {label}", "metric": metric})


def _accelerators(row: Row, corpus: Corpus) -> Accelerators:
    printed = row.text("Accelerator")
    system = f"{row.text('System')} {row.text('Platform')}"
    product = product_of(row, printed, system, corpus)
    per_node, nodes = row.count("a#"), row.count("Nodes")
    if printed and per_node is None:
        row.flag(FlagKind.COUNT_MISSING, f"a# is {row.text('a#')!r}")
    return Accelerators(
        printed=printed,
        product=product,
        per_node=per_node if printed else None,
        nodes=nodes or 1,
        processor=row.text("Processor"),
        memory="",
        interconnect="",
    )
