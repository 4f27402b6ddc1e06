"""Evidence of every kind as rows: one function a table, plain dictionaries, no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kb.corpus import Corpus, Entry
from kb.export import BASE_UNITS, cell
from kb.index import evidence_tables as tables
from kb.index.row import Row
from kb.model.artefact import Artefact, Variant
from kb.model.evidence import Evidence
from kb.model.kernels import KernelMatrix
from kb.model.measurement import Measurement
from kb.model.result import Import
from kb.model.study import Study
from kb.quantity import QuantityError

Fields = dict[str, object]

LARGEST = 2**63 - 1
"""The largest whole number that both databases hold."""


def evidence_rows(corpus: Corpus, *, raw: bool = True) -> dict[type[Row], list[Fields]]:
    """Every row of every table of evidence; without what is `raw`, no single samples."""
    return {
        tables.EvidenceRow: list(evidence(corpus)),
        tables.SeriesRow: list(series(corpus)),
        tables.SampleRow: list(raw_samples(corpus)) if raw else [],
        tables.StageRow: list(stages(corpus)),
        tables.GateRow: list(gates(corpus)),
        tables.FigureRow: list(figures(corpus)),
        tables.StudyRow: list(studies(corpus)),
        tables.CompilationRow: list(compilations(corpus)),
        tables.KernelRow: list(kernels(corpus)),
        tables.CollectiveRow: list(collectives(corpus)),
        tables.CudaBuildRow: list(cuda_builds(corpus)),
        tables.ResultRow: list(results(corpus)),
    }


def evidence(corpus: Corpus) -> Iterator[Fields]:
    """One row an evidence record of any kind."""
    for run in corpus.evidence.values():
        ran = run.value
        about: Fields = {"product": ran.device.product, "sound": ran.publishable}
        yield _record("run", run, ran.workload.id, about)
    for compiled in corpus.artefacts.values():
        made = compiled.value
        refusal = None if made.refusal is None else made.refusal.kind.value
        about = {"product": made.target.product, "refusal": refusal}
        yield _record("compiled", compiled, made.program.id, about)
    for matrix in corpus.kernels.values():
        names = " ".join(dict.fromkeys(built.kernel for built in matrix.value.built))
        yield _record("cuda_kernels", matrix, names, {})
    for study in corpus.studies.values():
        asked = study.value
        about = {"product": asked.device.product, "sound": asked.sound}
        yield _record("study", study, asked.subject, about)
    for taken in corpus.imports.values():
        yield _record("imported", taken, taken.value.source, {})


AnyEvidence = Evidence | Artefact | KernelMatrix | Study | Import


def _record(kind: str, entry: Entry[AnyEvidence], workload: str, about: Fields) -> Fields:
    record = entry.value
    return {
        "id": record.id,
        "kind": kind,
        "evidence_class": str(record.evidence_class),
        "workload": workload,
        "product": None,
        "created": record.created,
        "command": record.command,
        "sound": None,
        "refusal": None,
        "content_hash": record.content_hash,
        "path": entry.place.path,
        **about,
    }


SAMPLES = ("evidence", "workload", "product", "evidence_class", "boundary", "n", "median",
           "minimum", "maximum", "publishable")  # fmt: skip
"""What a row of `samples` holds."""


def samples(corpus: Corpus) -> Iterator[Fields]:
    """One row a boundary of a run, with its summary in seconds."""
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


def series(corpus: Corpus) -> Iterator[Fields]:
    """One row a series: a boundary of a run, or what a study set side by side."""
    for key, run in corpus.evidence.items():
        for seen in run.value.measurements:
            yield _series(key, seen)
    for key, study in corpus.studies.items():
        for each in study.value.series:
            yield {
                "evidence": key,
                "name": each.name,
                "boundary": each.boundary.value,
                "title": each.title,
                "n": len(each.samples),
                "median": each.median,
                "low": None,
                "high": None,
                "minimum": min(each.samples, default=None),
                "maximum": max(each.samples, default=None),
            }


def _series(key: str, seen: Measurement) -> Fields:
    return {
        "evidence": key,
        "name": seen.boundary.value,
        "boundary": seen.boundary.value,
        "title": seen.includes,
        "n": bounded(seen.n),
        "median": seen.median,
        "low": seen.interval and seen.interval.low,
        "high": seen.interval and seen.interval.high,
        "minimum": seen.spread.minimum,
        "maximum": seen.spread.maximum,
    }


def raw_samples(corpus: Corpus) -> Iterator[Fields]:
    """One row a raw sample, in the order taken."""
    found = [
        (key, seen.boundary.value, seen.boundary.value, seen.samples)
        for key, run in corpus.evidence.items()
        for seen in run.value.measurements
    ] + [
        (key, each.name, each.boundary.value, each.samples)
        for key, study in corpus.studies.items()
        for each in study.value.series
    ]
    for key, name, boundary, values in found:
        for number, value in enumerate(values):
            yield {
                "evidence": key,
                "series": name,
                "number": number,
                "boundary": boundary,
                "seconds": value,
            }


def stages(corpus: Corpus) -> Iterator[Fields]:
    """One row a step of a run."""
    for key, entry in corpus.evidence.items():
        for number, stage in enumerate(entry.value.stages):
            yield {
                "evidence": key,
                "number": number,
                "boundary": stage.boundary.value,
                "seconds": stage.seconds,
                "includes": stage.includes,
            }


def gates(corpus: Corpus) -> Iterator[Fields]:
    """One row a gate of a run or a check of a study."""
    for key, run in corpus.evidence.items():
        for name, gate in {g.gate.value: g for g in run.value.gates}.items():
            yield {"evidence": key, "name": name, "passed": gate.passed, "why": gate.why}
    for key, study in corpus.studies.items():
        for name, check in {c.name: c for c in study.value.checks}.items():
            yield {"evidence": key, "name": name, "passed": check.passed, "why": check.why}


def figures(corpus: Corpus) -> Iterator[Fields]:
    """One row a figure that prose may cite, medians among them."""
    for key, entry in corpus.studies.items():
        for name, figure in entry.value.values().items():
            yield {"evidence": key, **figure.model_dump(), "name": name}


def studies(corpus: Corpus) -> Iterator[Fields]:
    """One row a study."""
    for key, entry in corpus.studies.items():
        study, pair = entry.value, entry.value.pair
        yield {
            "evidence": key,
            "study": study.study.value,
            "functional_only": study.functional_only,
            "cannot": study.cannot,
            "varied": pair and pair.varied,
            "margin": pair and pair.margin,
            "verdict": pair and pair.verdict.value,
        }


def _variants(corpus: Corpus) -> Iterator[tuple[str, Variant]]:
    """Every compilation: of compiled records, and of programs that also ran."""
    for key, compiled in corpus.artefacts.items():
        for variant in {one.name: one for one in compiled.value.variants}.values():
            yield key, variant
    for key, run in corpus.evidence.items():
        record: Evidence = run.value
        if record.compiled is not None:
            yield key, record.compiled


def compilations(corpus: Corpus) -> Iterator[Fields]:
    """One row a compilation, with the memory plan of one device."""
    for key, variant in _variants(corpus):
        plan = variant.plan
        yield {
            "evidence": key,
            "variant": variant.name,
            **_whole(plan.model_dump(exclude={"peak"})),
            "needed": bounded(plan.needed),
            "open_loops": bounded(variant.open_loops),
            "tiled_inputs": bounded(variant.tiled_inputs),
            "file": variant.hlo.file,
            "sha256": variant.hlo.sha256,
        }


def kernels(corpus: Corpus) -> Iterator[Fields]:
    """One row a kernel of a compilation."""
    for key, variant in _variants(corpus):
        for number, kernel in enumerate(variant.kernels):
            plain = kernel.model_dump(mode="json", exclude={"config_sha256", "matrix"})
            yield {
                "evidence": key,
                "variant": variant.name,
                "number": number,
                **_whole(plain),
                "matrix": cell(kernel.matrix),
            }


def collectives(corpus: Corpus) -> Iterator[Fields]:
    """One row a kind of collective of a compilation."""
    for key, variant in _variants(corpus):
        for number, collective in enumerate(variant.collectives):
            plain = _whole(collective.model_dump(mode="json"))
            yield {"evidence": key, "variant": variant.name, "number": number, **plain}


def cuda_builds(corpus: Corpus) -> Iterator[Fields]:
    """One row a CUDA kernel, architecture and compiler."""
    for key, entry in corpus.kernels.items():
        for number, built in enumerate(entry.value.built):
            plain = _whole(built.model_dump(mode="json", exclude={"matrix"}))
            yield {"evidence": key, "number": number, **plain, "matrix": cell(built.matrix)}


SAID = ("entry", "submitter", "system", "benchmark", "model", "version", "suite", "division",
        "scenario", "availability", "verification", "metric", "published", "valid", "formats",
        "software", "locator")  # fmt: skip
"""Fields of a published result that are columns as they are."""


def results(corpus: Corpus) -> Iterator[Fields]:
    """One row a published result."""
    for key, entry in corpus.results.items():
        result, did = entry.result, entry.result.accelerators
        try:
            quantity = result.quantity
        except QuantityError:
            quantity = None
        plain = {name: getattr(result, name) for name in SAID}
        yield {
            "id": key,
            "evidence": entry.record.id,
            **{name: str(v) if isinstance(v, str) else v for name, v in plain.items()},
            "exact": quantity and str(quantity.base),
            "value": quantity and float(quantity.base),
            "unit": quantity and BASE_UNITS[quantity.unit.kind],
            "accelerator": did.printed,
            "product": did.product,
            "accelerators": bounded(did.total),
            "nodes": bounded(did.nodes),
            "power": result.power and result.power.published,
            "flags": " ".join(dict.fromkeys(flag.kind.value for flag in result.flags)),
        }


def bounded(value: int | None) -> int | None:
    """A count, or None where it is larger than a database's whole numbers."""
    return value if value is not None and abs(value) <= LARGEST else None


def _whole(fields: Mapping[str, object]) -> Fields:
    """Fields with every count bounded."""
    return {name: bounded(value) if type(value) is int else value for name, value in fields.items()}
