"""A knowledge base of any size that looks like a real one, with mistakes planted on request.

    python benchmarks/generate.py FOLDER --decisions 10000 --specs 1000 --mistakes 1

Products, claims, decisions, prose and evidence are sound and all different; the same seed
gives the same text. A planted mistake is the *Refused* example of a rule, under names of its
own, so that every rule has something to find among records that give it no cause.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from kb.load import load_files
from kb.model import artefact
from kb.model.artefact import Artefact
from kb.model.evidence import Evidence
from kb.model.gates import sealed
from kb.model.result import Import, hash_of, json_text
from kb.records.seal import seal_of
from kb.rules.collect import Rule, collect
from kb.rules.example import EVIDENCE, PUBLISHED, base_files, example_files

VENDORS = ("Arcturus", "Borealis", "Cygnus", "Deneb", "Electra", "Fomalhaut", "Gienah", "Hadar")
PER_VENDOR_SOURCE = 25
"""Products that one source speaks of."""
PRECISIONS = (("bf16", 1), ("fp8", 2), ("int8", 2), ("fp4", 4))
WORKLOADS = ("forecaster", "recommender", "translator", "ranker", "segmenter", "speech encoder")


def knowledge_base(
    decisions: int, specs: int, *, evidence: int = 0, mistakes: int = 0, seed: int = 0
) -> dict[str, str]:
    """Texts by path: so many sound records, and `mistakes` planted ones of every rule.

    Planted mistakes come on top, with the small base that they refer to. Without them no
    rule has anything to say.
    """
    chance = random.Random(seed)  # noqa: S311 - figures for a benchmark, no secrets
    products = [_Product(number, chance) for number in range(specs)]
    files = {f"specs/{p.folder}/{p.id}.yml": p.text for p in products}
    files["specs/sources.yml"] = _sources(specs)
    records = {f"matmul-generated-{n}": products[n % specs] for n in range(evidence)}
    for name, product in records.items():
        files[f"evidence/{name}.json"] = _evidence(name, product, chance)
    names = list(records)
    for number in range(1, decisions + 1):
        path = f"decisions/{number:04d}-{WORKLOADS[number % 6].replace(' ', '-')}.md"
        left, right = chance.sample(products, 2)
        record = names[number % evidence] if evidence else None
        if record is not None and records[record] is not right:
            left = records[record]
        files[path] = _decision(number, left, right, record)
    if mistakes:
        files |= _planted(decisions + 1, mistakes)
    return files


def write(files: dict[str, str], folder: Path) -> None:
    """Write the texts below a folder, which is a project of its own."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    (folder / "pyproject.toml").write_text("[tool.kb]\n", encoding="utf-8")


class _Product:
    """One generated accelerator: its figures, and the text of its specification."""

    def __init__(self, number: int, chance: random.Random) -> None:
        vendor = VENDORS[number % len(VENDORS)]
        self.folder = vendor.lower()
        self.id = f"{self.folder}-g{number}"
        self.name = f"{vendor} G{number}"
        self.source = f"datasheet-{number // PER_VENDOR_SOURCE}"
        self.capacity = chance.randrange(2, 36) * 8
        self.bandwidth = chance.randrange(800, 9000)
        self.link = chance.randrange(2, 18) * 100
        self.rate = chance.randrange(180, 2400)
        self.text = self._text(vendor)

    def _text(self, vendor: str) -> str:
        head = (
            f"product: {self.id}\nname: {self.name}\nvendor: {vendor}\nlayer: accelerator\n"
            f"accelerator: gpu\nsummary: A generated board of eight GPUs.\ncomposition:\n"
            f"  board: {{of: gpu, count: 8, source: {self.source}, locator: overview}}\n"
            f"sparse_mode: {{mode: structured_2_4, source: {self.source}}}\n"
            f"devices: [{{platform: acme, kind: {self.name}}}]\nclaims:\n"
        )
        return head + "".join(self._claims())

    def _claims(self) -> Iterator[str]:
        memory = "interface: hbm", "scope: gpu"
        whole = "interface: hbm", "scope: board"
        capacity, bandwidth = "metric: memory_capacity", "metric: memory_bandwidth"
        advertised, peak = "basis: advertised", "basis: vendor_peak"
        link = "interface: nvlink", "direction: bidirectional_sum", "aggregation: total", peak
        yield self._claim("gpu-hbm-capacity", f"{self.capacity} GB", capacity, *memory, advertised)
        total = f"{self.capacity * 8} GB"
        yield self._claim("board-hbm-capacity", total, capacity, *whole, advertised)
        yield self._claim("gpu-hbm-bandwidth", f"{self.bandwidth} GB/s", bandwidth, *memory, peak)
        total = f"{self.bandwidth * 8} GB/s"
        yield self._claim("board-hbm-bandwidth", total, bandwidth, *whole, peak)
        for scope, count in (("gpu", 1), ("board", 8)):
            metric = "metric: link_bandwidth"
            value = f"{self.link * count} GB/s"
            yield self._claim(f"{scope}-link-bandwidth", value, metric, f"scope: {scope}", *link)
        for precision, factor in PRECISIONS:
            for word, sparsity, more in (("dense", "dense", 1), ("sparse", "structured_2_4", 2)):
                unit = "TOPS" if precision == "int8" else "TFLOP/s"
                yield self._claim(
                    f"gpu-peak-{precision}-{word}",
                    f"{self.rate * factor * more} {unit}",
                    "metric: compute_throughput",
                    "scope: gpu",
                    f"precision: {precision}",
                    f"sparsity: {sparsity}",
                    "engine: matrix",
                    peak,
                )

    def _claim(self, name: str, published: str, *axes: str) -> str:
        lines = "".join(f"    {axis}\n" for axis in axes)
        cited = f"        source: {self.source}\n        locator: table {len(name) % 7}\n"
        day = "        as_of: 2026-08-26\n"
        head = f"  - id: {name}\n{lines}    statements:\n"
        return f'{head}      - published: "{published}"\n{cited}{day}'


def _sources(specs: int) -> str:
    rows = "".join(
        f"  datasheet-{number}:\n    title: Data sheet {number}\n    publisher: Generated\n"
        f"    kind: vendor_page\n    version: edition {number}\n    retrieved: 2026-08-26\n"
        for number in range(specs // PER_VENDOR_SOURCE + 1)
    )
    return f"sources:\n{rows}"


def _decision(number: int, left: _Product, right: _Product, record: str | None) -> str:
    workload = WORKLOADS[number % len(WORKLOADS)]
    fields = {
        "left": left.id, "right": right.id, "left_name": left.name, "right_name": right.name,
        "workload": workload, "id": f"{number:04d}", "rate": left.rate, "other_rate": right.rate,
        "bandwidth": left.bandwidth, "other_bandwidth": right.bandwidth,
        "ratio": f"{left.bandwidth / right.bandwidth:.2f}", "capacity": left.capacity,
        "evidence": f"evidence: [{record}]\n" if record else "",
    }  # fmt: skip
    return DECISION.format(**fields)


DECISION = """\
---
id: "{id}"
title: Run the {workload} on {left_name} or on {right_name}
status: hypothesis
date: 2026-11-30
decision-makers: [serving architect, lead of the {workload}]
question: Which accelerator should run the {workload}, given that the framework stays the same?
options:
  - id: left
    title: JAX on {left_name}
    framework: JAX
    accelerator: {left}
  - id: right
    title: JAX on {right_name}
    framework: JAX
    accelerator: {right}
varied: [accelerator]
controlled:
  - model source, weights and the hash of the lowered program
  - precision policy on storage, multiplication, accumulation and output
comparisons:
  - left: {left}/gpu-hbm-bandwidth
    right: {right}/gpu-hbm-bandwidth
    note: What bounds the steps that reuse little of what they read.
  - left: {left}/gpu-peak-bf16-dense
    right: {right}/gpu-peak-bf16-dense
    note: The ceiling of the dense layers.
{evidence}next_measurement: Warm latency of one step on both, at the shapes of the real windows.
tolerance: 10 %
review_by: 2027-02-28
---

## Context

The team runs the {workload} for many short series. Nobody proposes to leave the framework, so
this record varies the **accelerator** and nothing else. No profile exists on either of them.

## What the specifications allow us to say

One {left_name} reads its memory at [{bandwidth} GB/s](claim:{left}/gpu-hbm-bandwidth), one
{right_name} at [{other_bandwidth} GB/s](claim:{right}/gpu-hbm-bandwidth), so the ratio of
[{ratio}](compare:{left}/gpu-hbm-bandwidth..{right}/gpu-hbm-bandwidth) may be formed. It is a
ratio of ceilings, not of step times.

The dense layers have [{rate} TFLOP/s](claim:{left}/gpu-peak-bf16-dense) and
[{other_rate} TFLOP/s](claim:{right}/gpu-peak-bf16-dense) at most, and the weights must fit into
[{capacity} GB](claim:{left}/gpu-hbm-capacity) beside the buffers of communication.

## What stays open

- Which resource binds: short windows may leave both accelerators waiting for the host.
- Neither target has been checked against the reference, and no price is compared here.
"""


def _evidence(name: str, product: _Product, chance: random.Random) -> str:
    data = json.loads(base_files()[EVIDENCE])
    data["id"], data["workload"]["seed"] = name, chance.randrange(10**6)
    data["device"] |= {"product": product.id, "kind": product.name}
    data["device"]["speaks_for"] = f"Speaks for one {product.name}."
    data["ceiling"]["claim"] = f"{product.id}/gpu-peak-bf16-dense"
    return _sealed(json.dumps(data))


def _sealed(text: str) -> str:
    return json.dumps(sealed(Evidence.model_validate_json(text)).model_dump(mode="json"), indent=2)


def _planted(first: int, times: int) -> dict[str, str]:
    """The base, and `times` copies of the *Refused* example of every rule, each under own names."""
    free = iter(range(first, 10**9))
    base = f"{next(free):04d}"
    shared = {"0001": base}
    files = {
        _renamed(path.replace("specs/sources", "specs/acme/sources"), shared): _renamed(
            text, shared
        )
        for path, text in base_files().items()
    }
    for rule in collect().rules:
        for copy in range(times):
            files |= _mistake(rule, copy, free, base)
    return files


def _mistake(rule: Rule, copy: int, free: Iterator[int], base: str) -> dict[str, str]:
    """The example of one rule, where no other copy of it has the same names."""
    example = example_files(rule.text.blocks("refused"))
    tail = f"{rule.slug}-{copy}"
    names = {"0001": base, **{number: f"{next(free):04d}" for number in ("0002", "0003", "0005")}}
    names |= {name: f"{name}-{tail}" for name in ("example", "loom", "bolt-page")}
    names |= {"Example": f"Example {tail}", "Loom": f"Loom {tail}"}
    own = (Path(path).stem for path in example if path.startswith("evidence/") and path != RESULTS)
    names |= {name: f"{name}-{tail}" for name in own}
    if rule.slug == "confusable-name":
        # Its example takes a name of the base, which other examples need to mean one product.
        names["Bolt B8"] = f"{VENDORS[0]} G0"
    renamed = {_renamed(path, names): _renamed(text, names) for path, text in example.items()}
    if RESULTS in renamed:
        # `published` is a field of many records too, so its name can't be changed word by word.
        texts = {
            path: text.replace("published/", f"published-{tail}/") for path, text in renamed.items()
        }
        texts[f"evidence/published-{tail}.json"] = texts.pop(RESULTS).replace(
            '"id": "published"', f'"id": "published-{tail}"'
        )
        renamed = texts
    if rule.slug in UNSEALED:
        return renamed
    return {path: _sealed_anew(path, text) for path, text in renamed.items()}


RESULTS = f"evidence/{PUBLISHED}.json"
UNSEALED = ("accepted-text-changed", "evidence-hash-mismatch")
"""Rules in whose example the seal or the hash is meant not to fit."""


def _sealed_anew(path: str, text: str) -> str:
    """Seal again what its new names unsealed."""
    if path.endswith(".json"):
        return _sealed_as(json.loads(text)["evidence_class"], text)
    if "\nseal: " not in text:
        return text
    (entry,) = load_files({path: text}).corpus.decisions.values()
    body = text.split("\n---\n", 1)[1]
    return re.sub(r'(?<=\nseal: ")[0-9a-f]{64}', seal_of(entry.value, body), text)


def _sealed_as(kind: str, text: str) -> str:
    if kind == "imported":
        record = Import.model_validate_json(text)
        return json_text(record.model_copy(update={"content_hash": hash_of(record)}))
    if kind == "compiled_not_executed":
        compiled = Artefact.model_validate_json(text)
        made = compiled.model_copy(update={"content_hash": artefact.hash_of(compiled)})
        return json.dumps(made.model_dump(mode="json"), indent=2)
    return _sealed(text)


def _renamed(text: str, names: dict[str, str]) -> str:
    words = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.sub(rf"(?<![\w.-])(?:{words})(?![\w])(?!\.\d)", lambda found: names[found[0]], text)


def main() -> None:
    """Write a knowledge base to a folder."""
    parser = argparse.ArgumentParser(description="Write a knowledge base of any size.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--decisions", type=int, default=1_000)
    parser.add_argument("--specs", type=int, default=100)
    parser.add_argument("--evidence", type=int, default=0)
    parser.add_argument("--mistakes", type=int, default=0, help="copies of every rule's mistake")
    args = parser.parse_args()
    files = knowledge_base(
        args.decisions, args.specs, evidence=args.evidence, mistakes=args.mistakes
    )
    write(files, args.folder)
    print(f"{len(files)} files, {sum(map(len, files.values())):,} characters")


if __name__ == "__main__":
    main()
