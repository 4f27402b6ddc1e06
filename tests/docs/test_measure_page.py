"""The page on measuring: its example runs, its table is whole, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from kb.cli.measure import ACTIONS
from kb.measure.study.matrix import Matrix, cells
from kb.model.evidence import Evidence
from kb.qualifiers import Boundary

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "measure.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.partition("<!-- rows -->")[2].splitlines()
    if re.match(r"\| \d+ \|", line)
]


def test_the_ten_lines_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    example = re.findall(r"^```python\n(.*?)^```", TEXT, re.M | re.S)[0]
    assert len([line for line in example.splitlines() if line.strip()]) == 9
    exec(compile(example, str(PAGE), "exec"), {})  # noqa: S102 - our own page
    assert re.fullmatch(r"True [0-9a-f]{12}\n", capsys.readouterr().out)


def test_the_matrix_of_the_page_is_one() -> None:
    text = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.M | re.S)[1]
    assert len(list(cells(Matrix.model_validate(yaml.safe_load(text))))) == 8


def test_every_row_says_yes_elsewhere_or_why_not() -> None:
    assert [int(row[0]) for row in ROWS] == list(range(1, 48))
    assert {row[2] for row in ROWS} == {"yes", "no", "elsewhere"}
    assert all(len(row) == 4 and row[3] for row in ROWS)
    assert [int(row[0]) for row in ROWS if row[2] == "no"] == [6, 14, 39]


def test_what_the_table_names_is_there() -> None:
    fields = set(Evidence.model_fields) | {"convention", "slowest_process", "physically_possible"}
    words = fields | {boundary.value for boundary in Boundary}
    for row in ROWS:
        for name in re.findall(r"`([^`]+)`", row[3]):
            if name.startswith("kb measure "):
                assert name.split()[2] in ACTIONS, name
            elif re.fullmatch(r"[a-z_]+", name):
                assert name in words, name


def test_every_action_is_on_the_page_or_on_the_one_about_compiling() -> None:
    named = set(re.findall(r"kb measure ([a-z]+)", TEXT))
    assert set(ACTIONS) - named <= {"list"}
