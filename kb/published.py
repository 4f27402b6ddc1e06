"""Published benchmark results as sides of a comparison.

A result is named by its id, as published. What follows from it is asked for by a word
behind `#`: `per_accelerator`, `per_watt` and `power`. So nobody gets a derived metric who
did not ask for one.
"""

from __future__ import annotations

from typing import Literal

from kb.corpus import Corpus, Identity, ResultEntry
from kb.model.result import PublishedResult
from kb.operand import Operand
from kb.qualifiers import UNSTATED, Basis, Metric, Normalisation, Precision
from kb.quantity import Quantity, parse_quantity

View = Literal["total", "per_accelerator", "per_watt", "power"]
VIEWS: tuple[View, ...] = ("total", "per_accelerator", "per_watt", "power")
"""What a result may be looked at as; the first one goes without saying."""


def named(name: str, corpus: Corpus) -> tuple[ResultEntry, View] | None:
    """The result and the view that `<import>/<result>#<view>` names; None for anything else."""
    key, _, word = name.partition("#")
    entry = corpus.results.get(key)
    view = next((v for v in VIEWS if v == (word or "total")), None)
    return None if entry is None or view is None else (entry, view)


def operand_of_result(entry: ResultEntry, view: View = "total") -> Operand:
    """The side that a published result makes.

    Raises `ValueError` for `power` and `per_watt` of a result without measured power.
    """
    result = entry.result
    if view in ("power", "per_watt") and result.power is None:
        raise ValueError(
            f"{entry.id} has no measured power, and neither a TDP nor a rating may stand in for it"
        )
    metric, quantity = _value(result, view)
    return Operand(
        label=entry.id if view == "total" else f"{entry.id}#{view}",
        identity=Identity(_name(result)),
        metric=metric,
        quantity=quantity,
        axes=_axes(result, view),
        published=entry,
    )


def _value(result: PublishedResult, view: View) -> tuple[Metric, Quantity]:
    if view == "power" and result.power is not None:
        return result.power.metric, parse_quantity(result.power.published, result.power.metric)
    return result.metric, result.quantity


def _name(result: PublishedResult) -> str:
    held = result.accelerators
    counted = "" if held.total is None else f"{held.total} × "
    return f"{result.submitter}, {counted}{held.printed or held.processor}"


def _axes(result: PublishedResult, view: View) -> dict[str, object]:
    base, _, target = result.benchmark.rpartition("-")
    two_targets = target in ("99", "99.9")
    plain = "total" if view == "power" else view
    return {
        "basis": Basis.MEASURED,
        "benchmark": base if two_targets else result.benchmark,
        "accuracy_target": f"{target} %" if two_targets else "the benchmark's only one",
        "model": result.model,
        "version": result.version,
        "suite": result.suite,
        "division": result.division,
        "scenario": result.scenario,
        "run": result.run,
        "normalisation": Normalisation.of(plain),
        "accelerator_count": result.accelerators.total or UNSTATED,
        "nodes": result.accelerators.nodes,
        "availability": result.availability,
        "verification": result.verification,
        "number_formats": result.formats if _known_formats(result) else UNSTATED,
    }


def _known_formats(result: PublishedResult) -> bool:
    return all(part.precision is not Precision.UNSTATED for part in result.number_formats)
