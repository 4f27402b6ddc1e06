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
        (", ".join(f'"f{i}" : 1' for i in range(30_000)), "30,001 fields; 20,000 fields at most"),
        (
            # Kernels allow for what kernels hold, and not for 30,000 fields beside them.
            '"variants": [{"kernels": ['
            + "{}, " * 3_000
            + "{}]}], "
            + ", ".join(f'"f{i}": 1' for i in range(30_000)),
            "30,003 fields; 20,000 fields at most",
        ),
    ],
    ids=["objects", "fields", "fields with a blank", "kernels"],
)
def test_a_record_of_something_else_says_how_much_is_read(rows: str, limit: str) -> None:
    text = '{"evidence_class": "compiled_not_executed", ' + rows + "}"
    (finding,) = load_files({"evidence/x.json": text}).findings
    assert finding.rule == "oversized-document"
    assert limit in finding.message


def test_an_imported_record_has_limits_too() -> None:
    fields = ", ".join(f'"f{i}": 1' for i in range(30_000))
    text = '{"evidence_class": "imported", "results": [{"a": 1}], ' + fields + "}"
    (finding,) = load_files({"evidence/x.json": text}).findings
    assert "30,003 fields; 20,001 fields at most" in finding.message


@pytest.mark.slow
def test_a_mistake_in_a_large_record_is_named_at_its_line() -> None:
    """The last of 6,000 kernels, in a file of 80,000 lines."""
    data = json.loads(_unrolled(6_000).model_dump_json())
    data["variants"][0]["kernels"][-1]["flops"] = "many"
    text = json.dumps(data, indent=1)
    loaded = load_files({f"evidence/{data['id']}.json": text})
    (finding,) = loaded.findings
    document = loaded.corpus.documents[finding.place.path]
    at = document.locate(finding.place)
    assert finding.rule == "wrong-type"
    assert document.line(at.start.line).strip() == '"flops": "many",'
    assert at.start.line > 80_000


@pytest.mark.slow
def test_what_a_large_record_lacks_is_all_named_once() -> None:
    data = json.loads(_unrolled(6_000).model_dump_json())
    del data["command"], data["versions"], data["variants"][0]["plan"]
    data["variants"][0]["kernels"][3]["odd"] = 1
    name = f"evidence/{data['id']}.json"
    loaded = load_files({name: json.dumps(data, indent=1)})
    assert [f.message for f in loaded.findings] == [
        "the field 'command' is missing", "the field 'versions' is missing",
    ]  # fmt: skip
    data |= {"command": "kb", "versions": {}}
    (finding,) = load_files({name: json.dumps(data, indent=1)}).findings
    assert finding.message == "the field 'plan' is missing"
    data["variants"][0]["plan"] = _unrolled(1).model_dump(mode="json")["variants"][0]["plan"]
    (finding,) = load_files({name: json.dumps(data, indent=1)}).findings
    assert finding.message == "'odd' is not a field here"
