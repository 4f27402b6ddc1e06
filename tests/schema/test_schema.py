"""The generated schemas accept what the project holds and refuse what the models refuse."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kb.cli import main
from kb.cli.lint import line_answer
from kb.compare import explained
from kb.compare.text import verdict_data
from kb.home import Project
from kb.load import load
from kb.load.markdown import split
from kb.load.nodes import compose
from kb.operand import operand_of_claim
from kb.prose.known import known
from kb.schema import DIALECT, SCHEMAS, schema_text

ROOT = Path(__file__).parents[2]
VALIDATORS = {
    name: jsonschema.Draft202012Validator(json.loads(schema_text(name))) for name in SCHEMAS
}


def _plain(value: object) -> object:
    """YAML's exact decimals as the floats that a schema validator knows."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value


def _read(path: Path) -> object:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        parts, findings = split(text, path.name)
        assert parts is not None, findings
        text = parts.front
    composed = compose(text, path.name)
    assert composed.findings == []
    return _plain(composed.data)


def _errors(name: str, data: object) -> list[str]:
    found = VALIDATORS[name].iter_errors(data)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in found]


def _files(folder: str, pattern: str) -> list[Path]:
    return sorted((ROOT / folder).glob(pattern))


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_itself_valid_and_names_its_dialect(name: str) -> None:
    schema = json.loads(schema_text(name))
    assert schema["$schema"] == DIALECT
    jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", _files("specs", "*/*.yml"), ids=lambda path: path.stem)
def test_a_product_file_fits_the_schema(path: Path) -> None:
    assert _errors("product", _read(path)) == []


def test_the_source_list_fits_the_schema() -> None:
    assert _errors("sources", _read(ROOT / "specs" / "sources.yml")) == []


@pytest.mark.parametrize("path", _files("decisions", "*.md"), ids=lambda path: path.stem)
def test_the_front_matter_of_a_decision_fits_the_schema(path: Path) -> None:
    assert _errors("decision", _read(path)) == []


@pytest.mark.parametrize("path", _files("evidence", "*.json"), ids=lambda path: path.stem)
def test_an_evidence_record_fits_the_schema(path: Path) -> None:
    assert _errors("evidence", json.loads(path.read_text(encoding="utf-8"))) == []


def _claim(**changes: object) -> dict[str, Any]:
    claim = {
        "id": "gpu-hbm-capacity", "metric": "memory_capacity", "scope": "gpu", "interface": "hbm",
        "statements": [{"published": "180 GB", "source": "s"}],
    }  # fmt: skip
    return {k: v for k, v in (claim | changes).items() if v is not None}


def _product(*claims: dict[str, Any], **changes: object) -> dict[str, Any]:
    product = {
        "product": "x", "name": "X", "vendor": "V", "layer": "accelerator", "summary": "A part.",
        "claims": list(claims),
    }  # fmt: skip
    return product | changes


LINK = _claim(
    id="gpu-link", metric="link_bandwidth", interface="nvlink", direction="one_way",
    statements=[{"published": "900 GB/s"}],
)  # fmt: skip
PEAK = _claim(
    id="gpu-peak", metric="compute_throughput", interface=None, precision="bf16",
    sparsity="dense", statements=[{"published": "2.25 PFLOPS"}],
)  # fmt: skip
NO_MODE = {"sparse_mode": {"mode": "none"}}


def _without(claim: dict[str, Any], axis: str) -> dict[str, Any]:
    return {key: value for key, value in claim.items() if key != axis}


def _printed(claim: dict[str, Any], *published: object) -> dict[str, Any]:
    return claim | {"statements": [{"published": text} for text in published]}


SOUND: list[tuple[str, dict[str, Any]]] = [
    ("a product", _product(_claim(), LINK, PEAK)),
    ("a product without claims", _product()),
    ("a direction on each statement",
     _product(_without(LINK, "direction")
              | {"statements": [{"published": "900 GB/s", "direction": "unstated"}]})),
    ("no sparsity where there is no sparse mode", _product(_without(PEAK, "sparsity"), **NO_MODE)),
    ("no sparsity for a wide format",
     _product(_without(PEAK, "sparsity") | {"precision": "fp64", "engine": "matrix"})),
    ("a remark and an upper limit",
     _product(_printed(_claim(), "up to 192 GB", "192GB (8x24GB)", "~180 GB", "1.8e11 bytes"))),
]  # fmt: skip


@pytest.mark.parametrize(("what", "data"), SOUND, ids=[what for what, _ in SOUND])
def test_a_sound_product_fits(what: str, data: dict[str, Any]) -> None:
    assert _errors("product", data) == [], what


PLANTED: list[tuple[str, dict[str, Any], str]] = [
    ("the label gb", _product(_printed(_claim(), "180 gb")), "published"),
    ("the label KB", _product(_printed(_claim(), "180 KB")), "published"),
    ("no label", _product(_printed(_claim(), "180")), "published"),
    ("a number that is no text", _product(_printed(_claim(), 180)), "published"),
    ("a rate as a capacity", _product(_printed(_claim(), "180 GB/s")), "published"),
    ("a comma for a point", _product(_printed(_claim(), "1,8.0 GB GB")), "published"),
    ("a second statement with a bad label", _product(_printed(_claim(), "180 GB", "180 gb")),
     "statements/1"),
    ("a link without direction", _product(_without(LINK, "direction")), "claims/0"),
    ("a link without interface", _product(_without(LINK, "interface")), "claims/0"),
    ("a claim without scope", _product(_without(_claim(), "scope")), "claims/0"),
    ("a rate without precision", _product(_without(PEAK, "precision")), "claims/0"),
    ("a rate without sparsity", _product(_without(PEAK, "sparsity")), "claims/0"),
    ("an unknown field", _product(_claim(colour="red")), "claims/0"),
    ("an unknown field of the product", _product(_claim(), colour="red"), ""),
    ("an unknown metric", _product(_claim(metric="bandwidth")), "metric"),
    ("an unknown word", _product(_claim(scope="Chip")), "scope"),
    ("an id with capitals", _product(_claim(id="GPU-HBM")), "id"),
    ("no statements", _product(_claim(statements=[])), "statements"),
    ("a count as a text", _product(_claim(count="8")), "count"),
    ("a count of nothing", _product(_claim(count=0)), "count"),
    ("no vendor", _without(_product(_claim()), "vendor"), ""),
]  # fmt: skip


@pytest.mark.parametrize(("what", "data", "where"), PLANTED, ids=[row[0] for row in PLANTED])
def test_a_planted_mistake_is_refused_at_its_place(
    what: str, data: dict[str, Any], where: str
) -> None:
    errors = _errors("product", data)
    assert errors, what
    assert any(where in error.partition(":")[0] for error in errors), errors


def test_a_verdict_fits_its_schema() -> None:
    corpus = load(Project(ROOT), kinds=("specs",)).corpus
    ids = (
        "hgx-b200/gpu-nvlink-bandwidth", "tpu-v6e/chip-ici-bandwidth", "hgx-b200/gpu-hbm-reported",
        "hgx-b200/gpu-hbm-capacity", "hgx-b200/gpu-pcie-bandwidth", "tpu-v6e/chip-peak-bf16",
    )  # fmt: skip
    sides = [operand_of_claim(corpus.claims[name]) for name in ids]
    for left in sides:
        for right in sides:
            data = verdict_data(explained(left, right, corpus))
            whole = {"schema_version": 1, "left": left.label, "right": right.label, **data}
            assert _errors("compare-output", whole) == []
            assert _errors("compare-line", {"schema_version": 1, "id": "a", **data}) == []


def test_a_lint_line_fits_with_its_readings() -> None:
    catalogue = known(load(Project(ROOT), kinds=("specs",)).corpus)
    text = "Each B200 carries 288 GB of HBM3E. A B200 does 9 PFLOPS."
    line = line_answer(json.dumps({"id": 1, "text": text}), 1, catalogue, told=True)
    assert line["findings"]
    assert line["readings"]
    assert _errors("lint-line", line) == []
    assert _errors("lint-line", line_answer("{}", 2, catalogue)) == []
    assert _errors("lint-line", {**line, "verdict": "comparable"})


def test_an_error_line_fits_and_a_verdict_without_reasons_does_not() -> None:
    assert _errors("compare-line", {"id": None, "line": 3, "error": "no JSON"}) == []
    assert _errors("compare-line", {"id": 1, "schema_version": 1, "verdict": "comparable"})


def test_the_command_writes_every_schema_and_then_finds_them_current(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "schemas"
    assert main(["schema", "--out", str(out)]) == 0
    assert {path.name for path in out.iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}
    assert main(["schema", "--out", str(out), "--check"]) == 0
    (out / "product.schema.json").write_text("{}", encoding="utf-8")
    assert main(["schema", "--out", str(out), "--check"]) == 1
    assert "product.schema.json" in capsys.readouterr().err


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record.pop("id"),
        lambda record: record.update(colour="red"),
        lambda record: record.update({"class": "guessed"}),
    ],
    ids=["no id", "an unknown field", "an unknown class"],
)
def test_a_spoilt_evidence_record_is_refused(change: Change) -> None:
    path = _files("evidence", "*.json")[0]
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    change(record)
    assert _errors("evidence", record)
