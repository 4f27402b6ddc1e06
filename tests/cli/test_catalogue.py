"""Reading the catalogue from the command line: show, list, diff, export, review, fit, roofline."""

from __future__ import annotations

import json
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
    (["show", "tpu-v6e", "--derived"], "operations a byte, dense bf16: 560 OP/B"),
    (["show", "tpu-v6e/chip-hbm-bandwidth", "--as-of", "2026-09-01"], "1638 GBps"),
    (["list"], "hgx-b200/gpu-hbm-bandwidth"),
    (["list", "products"], "gb200-nvl72"),
    (["list", "sources"], "google-v6e-2026-08"),
    (["list", "units"], "GB/s"),
    (["list", "axes"], "bidirectional_sum"),
    (["list", "--product", "B200"], "hgx-b200/gpu-peak-fp4-sparse"),
    (["list", "--as-of", "2026-09-01"], "tpu-v6e/chip-hbm-bandwidth"),
    (["diff", "2025-06-01", "2026-09-01"], "tpu-v6e/chip-hbm-bandwidth: 1.6e12 bytes/s -> 1638"),
    (["review", "--sources"], "rests only on third-party copies"),
    (["export", "--format", "csv"], "hgx-b200/gpu-hbm-bandwidth,hgx-b200,memory_bandwidth"),
    (["export", "--format", "bibtex"], "@misc{google-v6e-2026-08,"),
    (["fit", "B200", "--parameters", "70e9"], "fits: 140 GB needed on each device"),
    (["fit", "v6e", "--parameters", "70e9"], "does not fit: 140 GB needed on each device"),
]


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
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), REFUSED, ids=" ".join)
def test_a_mistake_is_answered_with_what_to_type(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, *words)
    assert code == 2
    assert expected in err
    assert "fix: " in err


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
