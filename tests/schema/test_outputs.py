"""Every `--json` output, printed for real, fits its schema in `schemas/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from kb.cli import main
from kb.home import home
from kb.rules.example import base_files
from kb.schema import SCHEMAS

PEAKS = ["--compute", "hgx-b200/gpu-peak-bf16-dense", "--memory", "hgx-b200/gpu-hbm-bandwidth"]
ROWS = Path(__file__).resolve().parents[1] / "mlperf" / "summary_results.json"
LAYER = "transformer-layer"
QUICK = ["--samples", "3", "--max-seconds", "0.1", "--out", "OUT", "--json"]
COMMANDS: dict[str, list[str]] = {
    "check-output": ["check", "--format", "json"],
    "rules-output": ["rules", "--json"],
    "explain-output": ["explain", "scope-arithmetic", "--json"],
    "roofline-output": ["roofline", "--flops", "1e12", "--bytes", "1 GB", *PEAKS, "--json"],
    "fit-output": ["fit", "hgx-b200", "--parameters", "70e9", "--shards", "8", "--json"],
    "diff-output": ["diff", "2024-01-01", "2026-11-01", "--json"],
    "review-output": ["review", "--sources", "--json"],
    "compare-output": [
        "compare", "hgx-b200/gpu-hbm-bandwidth", "tpu-v6e/chip-hbm-bandwidth", "--json",
    ],
    "show-output": ["show", "tpu-v6e/chip-hbm-bandwidth", "--json"],
    "list-output": ["list", "--json"],
    "import-output": ["import", "mlperf", str(ROWS), "--dry-run", "--json"],
    "measure-compile-output": ["measure", "compile", "ffi-call", "--target", "tpu-v6e:3x3",
                               "--json"],
    "measure-diff-output": ["measure", "diff", f"{LAYER}-tpu-v6e-2x4-20261130-1",
                            f"{LAYER}-hgx-b200-8-20261130-1", "--json"],
    "measure-device-output": ["measure", "device", "--json"],
    "measure-list-output": ["measure", "list", "--json"],
    "measure-cuda-output": ["measure", "cuda", "list", "--json"],
    "measure-failure-output": ["measure", "run", "matmall-64-f32", "--json"],
    "measure-run-output": ["measure", "run", "matmul-64-f32", *QUICK],
    "measure-study-output": ["measure", "scale", "strong", "--batch", "64", "--width", "32",
                             "--samples", "3", "--out", "OUT", "--json"],
    "measure-sweep-output": ["measure", "sweep", "OUT/one.yml", "--out", "OUT", "--json"],
    "audit-output": ["audit", str(home() / "kb"), "--json"],
}  # fmt: skip


SLOW = {"measure-run-output", "measure-study-output", "measure-sweep-output"}
MATRIX = "matrix: one\nworkloads: {matmul: [16]}\nsamples: 3\nmax_seconds: 0.05\n"


def mistakes(name: str, data: object) -> list[str]:
    schema = json.loads((home() / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return [error.message for error in Draft202012Validator(schema).iter_errors(data)]


def printed(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    main(words)
    data = json.loads(capsys.readouterr().out)
    assert data["schema_version"] == 1
    return dict(data)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in COMMANDS]
)
def test_the_output_fits_its_schema(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    (tmp_path / "one.yml").write_text(MATRIX, encoding="utf-8")
    words = [word.replace("OUT", str(tmp_path)) for word in COMMANDS[name]]
    data = printed(capsys, ["--project", str(home()), *words])
    assert mistakes(name, data) == []
    assert mistakes(name, {**data, "surprise": 1})
    assert mistakes(name, {key: value for key, value in data.items() if key != "schema_version"})


@pytest.mark.slow
def test_a_pair_the_lessons_and_the_buckets_fit_the_schema_of_studies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    (tmp_path / "lengths").write_text("5\n70\n", encoding="utf-8")
    pair = ["ab", "matmul-16-f32", "matmul-16-f32", "--max-seconds", "0.1"]
    buckets = ["bucket", "--lengths", str(tmp_path / "lengths"), "--passes", "1"]
    for words in (pair, buckets, ["retrace"]):
        data = printed(capsys, ["measure", *words, "--out", str(tmp_path), "--json"])
        assert mistakes("measure-study-output", data) == []
        assert mistakes("measure-study-output", {**data, "study": {**data["study"], "x": 1}})


@pytest.mark.slow
def test_kernels_on_the_cpu_fit_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    data = printed(capsys, ["measure", "cuda", "cpu", "triad-f32", "--json"])
    assert mistakes("measure-cuda-output", data) == []
    assert mistakes("measure-cuda-output", {**data, "part": "list"})


def test_a_machine_without_a_gpu_says_so_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    data = printed(capsys, ["measure", "cuda", "device", "--json"])
    name = "measure-failure-output" if "failure" in data else "measure-cuda-output"
    assert mistakes(name, data) == []


def test_every_output_has_a_command_here() -> None:
    outputs = {name for name in SCHEMAS if name.endswith("-output")}
    assert outputs <= set(COMMANDS)


def test_a_check_with_everything_in_it_fits_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = dict(base_files())
    spec = files["specs/bolt/bolt-b8.yml"].replace('"180 GB"', '"180 gb"')
    waiver = "  # kb: ignore[ambiguous-unit] as printed"
    spec = spec.replace('"1.4 TB", source: bolt-datasheet, locator: memory, as_of: 2026-08-26}',
                        '"1.4 tb", source: bolt-datasheet, locator: memory}' + waiver)  # fmt: skip
    files["specs/bolt/bolt-b8.yml"] = spec
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    words = ["--project", str(tmp_path), "check", "--baseline", str(tmp_path / "known.json")]
    main([*words, "--write-baseline"])
    (tmp_path / "decisions/0002-x.md").write_text("---\nid: 2\n---\n", encoding="utf-8")
    (tmp_path / "validators").mkdir()
    (tmp_path / "validators/odd.py").write_text("x = 1\n", encoding="utf-8")
    capsys.readouterr()
    data = printed(capsys, [*words, "--format", "json"])
    assert mistakes("check-output", data) == []
    assert data["findings"]
    assert data["waived"]
    assert data["baseline"]
    assert data["crashes"]


@pytest.mark.parametrize("name", ["ffi-call-hgx-b200-8", "ffi-call-tpu-v6e-2x4"])
def test_an_audit_of_a_record_fits_too(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = home() / "evidence" / f"{name}-20261130-1.json"
    data = printed(capsys, ["audit", str(path), "--json"])
    assert mistakes("audit-output", data) == []
    assert data["kernels_to_rewrite"][0]["name"] == "kb_scale"
    assert data["not_estimated"] == ["kb_scale"]
    record = {**json.loads(path.read_text("utf-8"))}
    answer = {"target": "x", "file": None, "refusal": record["refusal"], "record": record}
    assert mistakes("measure-compile-output", {"schema_version": 1, "answers": [answer]}) == []


def test_what_no_validator_says_is_explained_too(capsys: pytest.CaptureFixture[str]) -> None:
    data = printed(capsys, ["explain", "stale-baseline-entry", "--json"])
    assert mistakes("explain-output", data) == []
    assert data["remedy"]
