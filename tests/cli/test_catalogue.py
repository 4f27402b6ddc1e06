"""Reading the catalogue from the command line: show, list, diff, export, review, fit, roofline."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.cli import COMMANDS, main, parser

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(list(words))
    except SystemExit as end:
        code = int(str(end.code or 0))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


SHOWN = [
    (["show", "tpu-v6e/chip-hbm-bandwidth"], "tpu-v6e/chip-hbm-bandwidth: 1638 GBps"),
    (["show", "tpu-v6e"], "1 pod = 256 × chip, 2D torus"),
    (["show", "Trillium"], "tpu-v6e: TPU v6e (Trillium)"),
    (["show", "0001"], "status: hypothesis"),
    (["show", "0001"], "\n  - id: jax-on-tpu-v6e\n    title: JAX on TPU v6e\n"),
    (["show", "matmul-512-f32-cpu-20261130-1"], "\n    samples: 380 numbers from"),
    (["show", "hgx-b200/gpu-nvlink-bandwidth"], "basis: vendor's peak (vendor_peak)\n"),
    (["show", "hgx-b200/gpu-nvlink-bandwidth"],
     "direction: unstated (assessed: both directions added (bidirectional_sum))\n"),
    (["show", "hgx-b200/gpu-peak-fp4-sparse"],
     "\n  sparsity: 2:4 sparse (structured_2_4)\n  precision: FP4\n"),
    (["show", "tpu-v6e", "--as-of", "2025-12-01"], "\n  chip-hbm-bandwidth               1.6e12"),
    (["show", "tpu-v6e", "--derived"], "operations a byte, dense bf16: 560 OP/B"),
    (["show", "tpu-v6e/chip-hbm-bandwidth", "--as-of", "2026-09-01"], "1638 GBps"),
    (["list"], "hgx-b200/gpu-hbm-bandwidth"),
    (["list", "products"], "gb200-nvl72"),
    (["list", "sources"], "google-v6e-2026-08"),
    (["list", "units"], "GB/s"),
    (["list", "axes"], "bidirectional_sum"),
    (["list", "axes"], "interface      unstated "),
    (["list", "axes"], "interface      other NAME "),
    (["list", "axes"], "scope          unstated "),
    (["list", "metrics"], "needs scope, interface, direction\n"),
    (["list", "--product", "B200"], "hgx-b200/gpu-peak-fp4-sparse"),
    (["list", "--as-of", "2026-09-01"], "tpu-v6e/chip-hbm-bandwidth"),
    (["list", "products"], "1 claim\n"),
    (["list", "evidence"], "compiled not executed  transformer-layer"),
    (["list", "evidence"], "imported               441 published results"),
    (["list", "results"], "5.43896 samples/s  stable-diffusion-xl  offline"),
    (["show", "mlperf-inference-v5.1"], "evidence_class: imported"),
    (["show", "mlperf-inference-v4.1/google-tpu-v6-x4-flax-stable-diffusion-xl-offline"],
     "published: 5.43896 samples/s"),
    (["diff", "2025-06-01", "2026-09-01"], "tpu-v6e/chip-hbm-bandwidth: 1.6e12 bytes/s -> 1638"),
    (["review", "--sources"], "rests only on third-party copies"),
    (["export", "--format", "csv"], "hgx-b200/gpu-hbm-bandwidth,hgx-b200,memory_bandwidth"),
    (["export", "--format", "bibtex"], "@misc{google-v6e-2026-08,"),
    (["roofline", "--flops", "15e15", "--bytes", "1", "--compute",
      "gb300-nvl72/gpu-peak-fp4-dense", "--memory", "gb300-nvl72/gpu-hbm-bandwidth"],
     "no run can take less than 967.7 ms"),
    (["fit", "B200", "--parameters", "70e9"], "fits: 140 GB needed on each device"),
    (["fit", "B200", "--parameters", "70e9"], "106.4 % of the advertised capacity"),
    (["fit", "B200", "--parameters", "70e9"], "(hgx-b200/gpu-hbm-capacity = 180 GB)"),
    (["fit", "B200", "--parameters", "70e9"], "evenly over 1 device; nothing ran"),
    (["fit", "TPU7x", "--parameters", "96e9"], "each core as a device of 96 GiB"),
    (["fit", "TPU7x", "--parameters", "96e9", "--json"], "each core as a device of 96 GiB"),
    (["fit", "v6e", "--parameters", "70e9"], "does not fit: 140 GB needed on each device"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), SHOWN, ids=" ".join)
def test_a_command_answers(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert expected in out


REFUSED = [
    (["show", "tpu-v6f"], "did you mean tpu-v6e"),
    (["show", "H100"], "it may mean h100-sxm"),
    (["show", "0001", "--as-of", "2026-09-01"], "fix: kb show 0001"),
    (["show", "tpu-v6e/chip-hbm-bandwidth", "--derived"], "kb show tpu-v6e --derived"),
    (["show", "tpu-v6e", "--derived", "--as-of", "2026-09-01"], "--as-of 2026-09-01"),
    (["list", "--product", "tpu-v6f"], "did you mean tpu-v6e"),
    (["list", "--product", "xyz"], "see `kb list products`"),
    (["list", "--product", "H100"], "it may mean h100-sxm, h100-nvl, h100-pcie"),
    (["list", "sources", "--product", "B200"], "kb list claims --product B200"),
    (["list", "units", "--as-of", "2026-09-01"], "kb list claims --as-of 2026-09-01"),
    (["compare", "tpu-v6e", "hgx-b200"], "'tpu-v6e' is a product"),
    (["compare", "tpu-v6e", "hgx-b200"], "see `kb show tpu-v6e`"),
    (["compare", "hgx-b200/gpu-hbm-bandwidth", "Trillium"], "see `kb show tpu-v6e`"),
    (["explain", "qqqq"], "see `kb rules`"),
    (["review", "--older-than", "10", "--json"], "kb review --sources --older-than 10 --json"),
    (["fit", "H100", "--parameters", "1"], "it may mean h100-sxm"),
    (["fit", "B200", "--parameters", "70B"], "type 70e9"),
    (["fit", "B200", "--parameters", "1.5 trillion"], "type 1.5e12"),
    (["fit", "B200", "--parameters", "70 GB"], "type one such as 70e9"),
    (["list", "nonsense"], "invalid choice: 'nonsense'"),
    (["list", "--as-of", "01.02.2026"], "write it as 2026-08-26"),
    (["diff", "2026-09-01", "2025-06-01"], "kb diff 2025-06-01 2026-09-01"),
    (["fit", "B2000", "--parameters", "1"], "there is no product 'B2000'"),
    (["fit", "B200", "--parameters", "none"], "'none' is no plain number"),
    (["fit", "B200", "--parameters", "1", "--capacity", "hgx-b200/board-hbm-capacity"],
     "is no single pool"),
    (["roofline", "--flops", "1", "--bytes", "1", "--compute", "hgx-b200/gpu-peak-bf16-sparse",
      "--memory", "hgx-b200/gpu-hbm-bandwidth"], "a dense program can't reach that rate"),
    (["--project", "nowhere", "check"], "there is no folder 'nowhere'"),
    (["nonsense"], "invalid choice: 'nonsense'"),
    (["nonsense"], "see `kb --help`"),
    (["fit", "B200"], "see `kb fit --help`"),
    (["fit", "B200", "--parameters", "1", "--nope"], "see `kb fit --help`"),
    (["measure", "run", "--nope"], "see `kb measure run --help`"),
    (["--nope", "rules"], "see `kb --help`"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), REFUSED, ids=" ".join)
def test_a_mistake_is_answered_with_what_to_type(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, *words)
    assert code == 2
    assert expected in err
    assert "fix: " in err


@pytest.mark.parametrize(("parameters", "code"), [("7e9", 0), ("70e9", 1)])
def test_a_script_can_ask_whether_it_fits(
    parameters: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(capsys, "fit", "v6e", "--parameters", parameters, "--exit-code")[0] == code
    assert run(capsys, "fit", "v6e", "--parameters", parameters)[0] == 0


def test_a_day_without_statements_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "show", "B200", "--as-of", "2020-01-01", "--json")
    record = json.loads(out)["record"]
    assert code == 1
    assert record["as_of"] == "2020-01-01"
    assert set(record["statements"].values()) == {None}


def test_a_listing_of_one_product_on_a_day_keeps_to_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = run(capsys, "list", "--product", "v6e", "--as-of", "2025-12-01")
    assert code == 0
    assert "tpu-v6e/chip-hbm-bandwidth               1.6e12 bytes/s" in out
    assert all(line.startswith("tpu-v6e/") for line in out.splitlines())
    code, out, err = run(capsys, "list", "--product", "jax")
    assert (code, out, err) == (0, "", "no claims of jax\n")


def test_schemas_go_only_where_they_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["schema"], ["schema", "--check"]):
        code, _, err = run(capsys, *words)
        assert code == 2
        assert "is no checkout of accelerator-kb" in err
        assert f"fix: kb {' '.join(words)} --out DIR" in err
    code, out, _ = run(capsys, "schema", "--out", "mine")
    assert code == 0
    assert out.endswith("schemas to mine\n")
    assert run(capsys, "schema", "--check", "--out", "mine")[0] == 0
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "accelerator-kb"\n', "utf-8")
    assert run(capsys, "schema")[1].endswith(f"schemas to {tmp_path / 'schemas'}\n")
    (tmp_path / "schemas" / "product.schema.json").write_text("{}", "utf-8")
    code, _, err = run(capsys, "schema", "--check")
    assert code == 1
    assert "product.schema.json" in err


OWN = (
    "check", "compare", "diff", "explain", "export", "fit", "list", "measure", "render", "review",
    "roofline", "rules", "schema", "show",
)  # fmt: skip
"""Commands that are tested here; the others' rooms test their own."""


def test_every_argument_says_what_it_is_for() -> None:
    silent = [
        f"{each.prog}: {action.dest}"
        for command in OWN
        for each in parsers(parser(command), command)
        for action in each._actions
        if not action.help and not isinstance(action, argparse._SubParsersAction)
    ]
    assert silent == []


def parsers(top: argparse.ArgumentParser, command: str) -> Iterator[argparse.ArgumentParser]:
    """The parser of a command and those of its own commands."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                if name == command or top.prog != "kb":
                    yield inner
                    yield from parsers(inner, command)


def test_the_roofline_names_what_binds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "roofline", "--flops", "918e12", "--bytes", "1638 MB", "--json",
        "--compute", "tpu-v6e/chip-peak-bf16", "--memory", "tpu-v6e/chip-hbm-bandwidth",
    )  # fmt: skip
    answer = json.loads(out)
    assert code == 0
    assert answer["binding"] == "compute"
    assert answer["floor_seconds"] == 1.0
    assert answer["evidence_class"] == "estimated"


def test_every_command_has_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        code, out, _ = run(capsys, command, "--help")
        assert code == 0, command
        assert f"usage: kb {command}" in out


def test_the_help_lists_every_command_without_importing_any() -> None:
    text = " ".join(parser().format_help().split())
    for command, sentence in COMMANDS.items():
        assert f"{command} {sentence}" in text


def test_an_export_replaces_its_file_as_a_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "catalogue.json"
    target.write_text("old", "utf-8")
    code, _, _ = run(capsys, "export", "--format", "json", "--out", str(target))
    assert code == 0
    assert {p["product"] for p in json.loads(target.read_text("utf-8"))["products"]} > {"tpu-v6e"}
    assert [path.name for path in tmp_path.iterdir()] == ["catalogue.json"]
    code, _, err = run(capsys, "export", "--out", str(tmp_path / "no" / "file.csv"))
    assert code == 2
    assert "can't be written" in err


def test_a_slip_in_a_name_means_the_product_of_that_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in (("list", "claims", "--product", "Trilium"), ("show", "Trilium")):
        assert main(list(command)) == 2
        assert "did you mean tpu-v6e" in capsys.readouterr().err


def test_a_product_whose_file_has_errors_is_not_called_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "specs" / "orion-o1.yml"
    spec.parent.mkdir()
    spec.write_text("product: orion-o1\nname: Orion O1\nlayer: acelerator\n", encoding="utf-8")
    for name in ("orion-o1", "orion-o1/gpu-hbm-capacity"):
        assert main(["--project", str(tmp_path), "show", name]) == 2
        said = capsys.readouterr().err
        assert "'orion-o1' can't be shown: specs/orion-o1.yml has" in said
        assert "kb check" in said
