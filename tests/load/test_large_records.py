"""A compiled program with thousands of kernels is read; what no program holds is not."""

from __future__ import annotations

import json

import pytest

from kb.load import load_files
from kb.model.artefact import Artefact, sealed
from kb.rules.example import ARTEFACT


def _unrolled(kernels: int) -> Artefact:
    data = json.loads(ARTEFACT.read_text("utf-8"))
    of_one = data["variants"][0]["kernels"]
    data["variants"][0]["kernels"] = (of_one * kernels)[:kernels]
    return sealed(Artefact.model_validate_json(json.dumps(data)))


@pytest.mark.slow
def test_a_program_of_six_thousand_kernels_is_a_record() -> None:
    record = _unrolled(6_000)
    path = f"evidence/{record.id}.json"
    loaded = load_files({path: record.model_dump_json(indent=1) + "\n"})
    assert [finding.message for finding in loaded.findings] == []
    assert len(loaded.corpus.artefacts[record.id].value.variants[0].kernels) == 6_000


@pytest.mark.parametrize(
    ("rows", "limit"),
    [
        ('"variants": [' + "{}, " * 20_000 + "{}]", "20,002 objects and 2 fields; 10,000 objects"),
        (", ".join(f'"f{i}": 1' for i in range(30_000)), "30,001 fields; 20,000 fields at most"),
    ],
    ids=["objects", "fields"],
)
def test_a_record_of_something_else_says_how_much_is_read(rows: str, limit: str) -> None:
    text = '{"evidence_class": "compiled_not_executed", ' + rows + "}"
    (finding,) = load_files({"evidence/x.json": text}).findings
    assert finding.rule == "oversized-document"
    assert limit in finding.message
