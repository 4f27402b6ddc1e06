"""Folders of a submission: system descriptions, load generator logs, accuracy, measurements.

A result is a folder `<division>/<submitter>/results/<system>/<benchmark>/<scenario>` with a
performance log. What describes it lies beside `results`, in `systems` and `measurements`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.corpus import Corpus
from kb.finding import CheckError
from kb.mlperf.accelerators import doubt_figures, product_of
from kb.mlperf.fields import (
    Row,
    UnusableError,
    availability,
    division,
    performance,
    scenario,
    suite,
)
from kb.mlperf.identity import result_id
from kb.mlperf.quality import accuracy, number_formats
from kb.mlperf.text import object_of, read
from kb.model.result import Accelerators, FlagKind, PublishedResult, SkipReason
from kb.qualifiers import RunKind, Scenario, Verification

LOG = "performance/run_1/mlperf_log_summary.txt"

_THROUGHPUT = (
    (r"(?:Completed )?[Tt]okens per second(?: \(inferred\))?", "Tokens/s"),
    (r"(?:Completed )?[Ss]amples per second", "Samples/s"),
)
_LATENCY = {
    Scenario.SINGLE_STREAM: r"90(?:\.00)?(?:th)? percentile latency \(ns\)",
    Scenario.MULTI_STREAM: r"99(?:\.00)?(?:th)? percentile latency \(ns\)",
}
_PLACEHOLDER = re.compile(r"(?:TODO|TBD|FIXME)\b", re.I)


@dataclass(frozen=True)
class Run:
    """One result folder, by its parts."""

    folder: Path
    name: str
    """Relative to the folder that was named, for messages and locators."""

    @property
    def scenario(self) -> str:
        """The last folder."""
        return self.folder.name

    @property
    def benchmark(self) -> str:
        """The folder above the scenario."""
        return self.folder.parent.name

    @property
    def system(self) -> str:
        """The folder above the benchmark."""
        return self.folder.parents[1].name

    @property
    def home(self) -> Path:
        """The submitter's folder."""
        return self.folder.parents[3]


def runs_in(top: Path) -> list[Run]:
    """Every result folder below `top`, sorted; raises `CheckError` where there is none."""
    found: dict[Path, None] = {}
    for pattern in (f"**/results/*/*/*/{LOG}", "**/results/*/*/*/accuracy/accuracy.txt"):
        for path in sorted(top.glob(pattern)):
            depth = 3 if path.name.startswith("mlperf") else 2
            found[path.parents[depth - 1]] = None
    if not found:
        raise CheckError(
            f"{top.name} holds no results of a submission",
            "name the folder that holds closed/ or open/, or a summary_results.json",
        )
    return [Run(path, path.relative_to(top).as_posix()) for path in sorted(found)]


def result_of(run: Run, version: str, corpus: Corpus, *, verified: bool) -> PublishedResult:
    """The result of one folder; raises `UnusableError` where it can't be one."""
    log = _text(run.folder / LOG)
    row = Row(_description(run))
    where = scenario(run.scenario)
    _doubt_log(row, log, run, where)
    rules = division(row.text("division") or run.home.parent.name)
    metric, published, unit = _performance(row, log, where)
    figures = accuracy(
        row, _optional(run.folder / "accuracy/accuracy.txt"), run.benchmark, version, rules
    )
    formats = number_formats(row, _weights(row, run))
    return PublishedResult.model_validate(
        {
            "id": result_id(f"{run.home.name}-{run.system}", run.benchmark, where),
            "entry": "",
            "submitter": row.text("submitter") or run.home.name,
            "system": row.text("system_name") or run.system,
            "benchmark": run.benchmark,
            "model": run.benchmark,
            "version": version,
            "suite": suite(row.text("system_type", needed=True)),
            "division": rules,
            "scenario": where,
            "availability": availability(row.text("status", needed=True)),
            "verification": Verification.VERIFIED if verified else Verification.UNVERIFIED,
            "metric": metric,
            "published": published,
            "printed_unit": unit,
            "valid": _field(log, "Result is") == "VALID",
            "accelerators": _accelerators(row, run, corpus),
            "number_formats": formats,
            "accuracy": figures,
            "run": RunKind.PERFORMANCE,
            "power": None,
            "software": _software(row),
            "notes": row.text("hw_notes"),
            "locator": f"{run.name}/{LOG}",
            "flags": tuple(row.flags),
        }
    )


def _text(path: Path) -> str:
    try:
        return read(path)
    except CheckError as error:
        raise UnusableError(SkipReason.NO_PERFORMANCE, str(error)) from None


def _optional(path: Path) -> str:
    try:
        return read(path) if path.is_file() else ""
    except CheckError:
        return ""


def _description(run: Run) -> Mapping[str, object]:
    path = run.home / "systems" / f"{run.system}.json"
    if not path.is_file():
        reason = f"there is no systems/{run.system}.json, so nothing says what ran"
        raise UnusableError(SkipReason.FIELD_MISSING, reason)
    try:
        return object_of(read(path))
    except (ValueError, CheckError) as error:
        raise UnusableError(SkipReason.UNREADABLE, f"systems/{run.system}.json: {error}") from None


def _field(log: str, name: str) -> str:
    found = re.search(rf"^\s*{name}\s*:\s*(.*?)\s*$", log, re.M)
    return found[1] if found else ""


def _doubt_log(row: Row, log: str, run: Run, where: Scenario) -> None:
    """Flag a run that the load generator itself calls invalid, or a log of another scenario."""
    verdict = _field(log, "Result is")
    if verdict != "VALID":
        row.flag(FlagKind.INVALID_RUN, f"Result is : {verdict or 'not there'}")
    said = _field(log, "Scenario")
    if said and scenario(said) is not where:
        reason = f"the folder says {run.scenario}, its log says {said}"
        raise UnusableError(SkipReason.UNKNOWN_WORD, reason)
    mode = _field(log, "Mode")
    if mode and mode != "PerformanceOnly":
        row.flag(FlagKind.INVALID_RUN, f"Mode : {mode}")


def _performance(row: Row, log: str, where: Scenario) -> tuple[object, str, str]:
    """Metric, printed value and the log's unit. Tokens go before samples, as in the rules."""
    latency = _LATENCY.get(where)
    names = ((latency, "Latency (ns)"),) if latency else _THROUGHPUT
    for name, unit in names:
        if value := _field(log, name):
            metric, published = performance(row, value, unit, where)
            return metric, published, unit
    raise UnusableError(SkipReason.NO_PERFORMANCE, "the log gives no value for this scenario")


def _accelerators(row: Row, run: Run, corpus: Corpus) -> Accelerators:
    printed = row.text("accelerator_model_name")
    product = product_of(row, printed, f"{row.text('system_name')} {run.system}", corpus)
    per_node, nodes = row.count("accelerators_per_node"), row.count("number_of_nodes")
    memory = row.text("accelerator_memory_capacity")
    links = row.text("accelerator_interconnect")
    doubt_figures(row, product, memory, links, corpus)
    left_open = [n for n, v in row.data.items() if _PLACEHOLDER.match(str(v))]
    if left_open:
        row.flag(FlagKind.PLACEHOLDER, ", ".join(left_open))
    if printed and per_node is None:
        row.flag(FlagKind.COUNT_MISSING, "accelerators_per_node is not given")
    return Accelerators(
        printed=printed,
        product=product,
        per_node=per_node if printed else None,
        nodes=nodes or 1,
        processor=row.text("host_processor_model_name"),
        memory=memory,
        interconnect="" if links in ("N/A", "TODO") else links,
    )


def _weights(row: Row, run: Run) -> str:
    """The number formats of the weights, from whichever measurement file states them."""
    top = run.home / "measurements" / run.system / run.benchmark / run.scenario
    for path in sorted(top.glob("*.json")) if top.is_dir() else ():
        try:
            stated = object_of(read(path)).get("weight_data_types")
        except (ValueError, CheckError) as error:
            row.flag(FlagKind.PRECISION_UNSET, f"{path.name}: {error}")
            continue
        if stated:
            return str(stated)
    return ""


def _software(row: Row) -> str:
    stack = row.data.get("other_software_stack")
    more = list(stack.values()) if isinstance(stack, dict) else [stack]
    parts = [row.text("framework"), *(str(item) for item in more if item)]
    return ", ".join(dict.fromkeys(part for part in parts if part))


def round_in(top: Path, runs: list[Run]) -> Iterator[str]:
    """Every round that the path of a submission names: `v4.1`."""
    paths = [str(top.resolve()), *(run.name for run in runs)]
    yield from dict.fromkeys(m for path in paths for m in re.findall(r"v\d+\.\d+", path))
