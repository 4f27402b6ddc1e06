"""A small sound knowledge base, and examples laid over it.

The base holds two invented products, their sources, one decision and one evidence
record. A validator's docstring shows only what matters for its rule; here that fragment
becomes whole files on top of the base, so that every example is executed. Authors of own
validators test with `kb rules --test`, or with `example_files` and `judge_files`.
"""

from __future__ import annotations

import datetime
import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kb.load import load_files
from kb.load.nodes import compose
from kb.model import artefact
from kb.model.evidence import Evidence
from kb.model.gates import plain, sealed
from kb.model.result import (
    Import,
    PublishedResult,
    Tally,
    flag_counts,
    hash_of,
    json_text,
)
from kb.rules.catalogue import Block
from kb.rules.collect import Collected, Rule
from kb.rules.result import Located, Report
from kb.rules.run import judge

TODAY = datetime.date(2026, 11, 30)
"""The day on which examples are judged."""

EVIDENCE = "evidence/matmul-acme-x1-1.json"
ARTEFACT = Path(__file__).with_name("artefact.json")
"""One program compiled for an invented product; laid into an example only where it is named."""

DECISION = "decisions/0002-example.md"
SPEC = "specs/example/example.yml"

_DECISION_FIELDS = {
    "id": '"0002"',
    "title": "An example",
    "status": "draft",
    "date": "2026-11-30",
}
_SPEC_FIELDS = {
    "product": "example",
    "name": "Example",
    "vendor": "Example",
    "layer": "accelerator",
    "accelerator": "gpu",
    "summary": "An example.",
    "sparse_mode": "{mode: structured_2_4, source: bolt-datasheet}",
}
PUBLISHED = "published"
_RESULT: dict[str, Any] = {
    "id": "result",
    "entry": "",
    "submitter": "Acme",
    "system": "Acme X1 node",
    "benchmark": "stable-diffusion-xl",
    "model": "stable-diffusion-xl",
    "version": "v5.1",
    "suite": "datacenter",
    "division": "closed",
    "scenario": "offline",
    "availability": "available",
    "verification": "verified",
    "metric": "rate",
    "published": "20.5 samples/s",
    "printed_unit": "Samples/s",
    "valid": True,
    "accelerators": {
        "printed": "Acme X1",
        "product": "acme-x1",
        "per_node": 8,
        "nodes": 1,
        "processor": "CPU",
        "memory": "",
        "interconnect": "",
    },
    "number_formats": [{"name": "all", "printed": "fp8", "precision": "fp8"}],
    "accuracy": [],
    "run": "performance",
    "power": None,
    "software": "JAX",
    "notes": "",
    "locator": "row 1",
    "flags": [],
}
_HARDWARE_FIELDS = ("accelerator", "sparse_mode")


@functools.cache
def base_files() -> Mapping[str, str]:
    """The sound knowledge base: text by path."""
    top = Path(__file__).with_name("base")
    files = sorted(path for path in top.rglob("*") if path.is_file())
    return {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in files}


def example_files(blocks: Iterable[Block]) -> dict[str, str]:
    """Whole files for the examples of a docstring.

    A block says in its first line what it is a part of: `yaml spec` (fields of a product;
    those that every product needs are added), `yaml decision` (front matter, likewise),
    `markdown decision` (a whole file), `yaml sources`, `yaml evidence` (fields laid over
    the base's record, which is sealed anew; another `id` makes a record beside it), `yaml
    evidence as written` (not sealed), `yaml results` (a list of published results, each
    laid over a sound one; they are called `published/<id>`), `yaml artefact` (fields laid
    over a compiled record that is not in the base, sealed likewise).
    Raises `ValueError` for any other kind.
    """
    files: dict[str, str] = {}
    for block in blocks:
        path, text = _file(block)
        if path in files:
            raise ValueError(f"two examples for {path}; put them into one block")
        files[path] = text
    return files


def judge_files(files: Mapping[str, str], collected: Collected) -> Report:
    """Judge files laid over the base; a file of the same path replaces the base's own."""
    return judge(load_files({**base_files(), **files}), collected, TODAY)


def example_faults(rule: Rule, collected: Collected) -> Iterator[str]:
    """What the examples of a rule's docstring don't show as they say.

    What is refused yields findings of this rule and of no other, what is accepted yields none.
    What a rule finds in the base itself, which nobody wrote for it, doesn't count.
    """
    bare = {_key(item) for item in judge_files({}, collected).findings}
    for part in ("refused", "accepted"):
        try:
            report = judge_files(example_files(rule.text.blocks(part)), collected)
        except ValueError as error:
            yield f"its {part} example can't be laid down: {error}"
            continue
        yield from (f"rule {c.rule} did not finish on it: {c.reason}" for c in report.crashes)
        told = {i.finding.rule: i.finding for i in report.findings if _key(i) not in bare}
        if part == "refused" and told.pop(rule.slug, None) is None:
            yield "its refused example is not refused"
        for slug, finding in sorted(told.items()):
            yield f"its {part} example is refused by {slug}: {finding.message}"


def _key(item: Located) -> tuple[str, str, str]:
    return item.finding.rule, item.mark.path, item.finding.message


def _file(block: Block) -> tuple[str, str]:
    match (block.language, block.kind.strip()):
        case ("yaml", "spec"):
            fields, text = _completed(block.text, _SPEC_FIELDS)
            return f"specs/example/{fields.get('product', 'example')}.yml", text
        case ("yaml", "decision"):
            fields, text = _completed(block.text, _DECISION_FIELDS)
            return f"decisions/{fields.get('id', '0002')}-example.md", f"---\n{text}---\n"
        case ("markdown", "decision"):
            return DECISION, block.text
        case ("yaml", "sources"):
            return "specs/example/sources.yml", block.text
        case ("yaml", "evidence" | "evidence as written" as kind):
            return _patched(block.text, seal=kind == "evidence")
        case ("yaml", "results"):
            return f"evidence/{PUBLISHED}.json", _results(block.text)
        case ("yaml", "artefact"):
            return _compiled(block.text)
    raise ValueError(f"an example can't be of kind '{block.language} {block.kind}'")


def _completed(text: str, needed: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    """A fragment's own fields, and its text behind the needed fields that it lacks."""
    data = compose(text, "example").data
    fields = data if isinstance(data, dict) else {}
    # A framework has no accelerator of its own and no matrix units.
    hardware = fields.get("layer", "accelerator") == "accelerator"
    missing = [
        f"{name}: {value}\n"
        for name, value in needed.items()
        if name not in fields and (hardware or name not in _HARDWARE_FIELDS)
    ]
    return fields, "".join(missing) + text


def _patched(text: str, *, seal: bool) -> tuple[str, str]:
    """The base's record with fields laid over it; another `id` makes it a second record."""
    data = json.loads(base_files()[EVIDENCE])
    _lay_over(data, compose(text, "example").data)
    if seal:
        # Through JSON, since the model is strict and the patch holds plain data.
        record = sealed(Evidence.model_validate_json(json.dumps(data, default=float)))
        data = plain(record)
    path = EVIDENCE.replace("matmul-acme-x1-1", str(data["id"]))
    return path, json.dumps(data, indent=2, default=float) + "\n"


def _results(text: str) -> str:
    """An import of published results, each of them the sound one with fields laid over it."""
    results = []
    for fields in compose(text, "example").data:
        data = json.loads(json.dumps(_RESULT))
        _lay_over(data, fields)
        results.append(PublishedResult.model_validate_json(json.dumps(data)))
    tally = Tally(
        read=len(results),
        imported=len(results),
        flagged=flag_counts(tuple(results)),
        skipped={},
    )
    record = Import(
        schema_version=1,
        id=PUBLISHED,
        evidence_class="imported",
        created="2026-11-30T12:00:00Z",
        retrieved="2026-11-30",
        command="kb import mlperf summary_results.json",
        publisher="MLCommons",
        source="summary_results.json",
        source_sha256="0" * 64,
        tally=tally,
        skipped=(),
        results=tuple(results),
        content_hash="0" * 64,
    )
    return json_text(record.model_copy(update={"content_hash": hash_of(record)}))


def _compiled(text: str) -> tuple[str, str]:
    """The compiled record for Bolt B8 with fields laid over it."""
    data = json.loads(ARTEFACT.read_text("utf-8"))
    _lay_over(data, compose(text, "example").data)
    record = artefact.sealed(artefact.parse(json.dumps(data)))
    return f"evidence/{record.id}.json", record.model_dump_json(indent=1) + "\n"


def _lay_over(under: dict[str, Any] | list[Any], over: Mapping[str, Any]) -> None:
    """Put the fields of `over` on `under`; items of a list go by their number."""
    for key, value in over.items():
        inner = under[int(key)] if isinstance(under, list) else under.get(key)
        if isinstance(value, dict) and isinstance(inner, (dict, list)):
            _lay_over(inner, value)
        elif isinstance(under, list):
            under[int(key)] = value
        else:
            under[key] = value
