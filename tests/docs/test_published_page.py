"""The guide's page on published results: its commands run, and its record is accepted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import yaml

from kb.cli import main
from kb.model.decision import Comparison, RefusedComparison
from tests.mlperf.rows import row, summary

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/guide/published-results.md").read_text("utf-8")


def test_the_import_runs_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = next(text for text in PAGE.splitlines() if text.startswith("kb import mlperf"))
    (tmp_path / "pyproject.toml").write_text("[tool.kb]\n")
    summary(tmp_path, row(Accelerator="NVIDIA B200-SXM-180GB"), row(ID="9.9-0002"))
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line)[1:]) == 0
    assert "2 read = 1 imported + 1 left out" in capsys.readouterr().out


def test_the_comparison_prints_what_the_page_shows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    block = re.search(r"^```console\n\$ kb (.*?)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    monkeypatch.chdir(ROOT)
    main(shlex.split(block[1]))
    assert capsys.readouterr().out == block[2]


def test_the_record_of_the_page_is_that_of_the_real_decision() -> None:
    block = re.search(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert block is not None
    shown = yaml.safe_load(block[1])
    (real,) = sorted((ROOT / "decisions").glob("0010-*.md"))
    front = yaml.safe_load(real.read_text("utf-8").split("---")[1])
    for key, model in (("comparisons", Comparison), ("refused", RefusedComparison)):
        item = model.model_validate(shown[key][0])
        kept = {k: v for k, v in front[key][0].items() if k != "note"}
        assert item == model.model_validate(kept)
