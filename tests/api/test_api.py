"""The package from a program: what it answers, and what it says to a mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kb
from kb.cli import main
from kb.finding import with_extra

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """\
from fractions import Fraction

import pint

import kb

base: kb.KnowledgeBase = kb.load("somewhere")
verdict: kb.Verdict = kb.compare("a/b", {"product": "B200"}, base)
answer = kb.lint("900 GB/s", base)
word: str = answer.verdict
quantity: pint.Quantity[Fraction] = base.quantity("a/b").to_pint()
reveal_type(verdict)
kb.load(3)
"""


@pytest.fixture(scope="module")
def base() -> kb.KnowledgeBase:
    return kb.load(ROOT)


def test_outside_any_knowledge_base_it_is_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = kb.load()
    assert found.project.root == tmp_path
    assert found.claim("tpu-v6e/chip-hbm-capacity").claim.current.published == "32 GB"
    assert found.findings == ()


def test_check_runs_the_rules_of_the_folder_that_was_named(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path), "--without", "site"]) == 0
    found = kb.load(tmp_path)
    report = found.check()
    assert report.exit_code == 0
    record = next((tmp_path / "decisions").iterdir())
    record.write_text(record.read_text("utf-8").replace("7.7 TB/s", "8.8 TB/s"), "utf-8")
    assert [row["rule"] for row in kb.load(tmp_path).rows("findings")] == ["stale-citation"]


def test_what_is_unknown_is_said_with_what_was_meant(base: kb.KnowledgeBase) -> None:
    with pytest.raises(kb.CheckError, match="there is no claim 'tpu-v6e/chip-hbm-capcity'") as info:
        base.compare("tpu-v6e/chip-hbm-capcity", "hgx-b200/gpu-hbm-capacity")
    assert "tpu-v6e/chip-hbm-capacity" in info.value.remedy
    with pytest.raises(kb.CheckError, match="can't be read"):
        kb.load(ROOT / "not-there")
    with pytest.raises(kb.CheckError, match="there is no table 'prices'"):
        base.rows("prices")  # type: ignore[arg-type] # a program without types may do that
    with pytest.raises(ValueError, match="metric"):
        base.compare({"product": "B200", "published": "1 GB"}, "hgx-b200/gpu-hbm-capacity")


def test_an_exact_value_reaches_pint(base: kb.KnowledgeBase) -> None:
    for entry in base.corpus.claims.values():
        quantity = entry.claim.current.quantity(entry.claim.metric)
        given = quantity.to_pint()
        assert given.to_base_units().magnitude == quantity.base, entry.id


def test_frames_have_a_row_a_claim_and_its_types(base: kb.KnowledgeBase) -> None:
    pytest.importorskip("pandas", reason="comes with the extra dev")
    pytest.importorskip("polars", reason="comes with the extra dev")
    pandas, polars = base.to_pandas("claims"), base.to_polars("claims")
    assert list(pandas["id"]) == list(polars["id"]) == list(base.corpus.claims)
    assert str(pandas["value"].dtype) == "float64"
    assert str(polars["value"].dtype) == "Float64"
    assert len(base.to_pandas("samples")) == sum(
        len(entry.value.measurements) for entry in base.corpus.evidence.values()
    )


def test_without_the_extra_it_says_what_to_install(
    base: kb.KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises((kb.CheckError, ModuleNotFoundError)) as info:
        base.to_pandas("claims")
    assert isinstance(info.value, kb.CheckError)
    assert info.value.remedy == with_extra("pandas")


@pytest.mark.slow
def test_a_strict_type_checker_sees_through_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", program],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = done.stdout.splitlines()
    assert any('Revealed type is "kb.verdict.Verdict"' in line for line in told), done.stdout
    errors = [line for line in told if ": error:" in line]
    assert len(errors) == 1, done.stdout
    assert "program.py:13: error: Argument 1 to" in errors[0]


def test_a_table_without_rows_keeps_its_columns(
    base: kb.KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pandas", reason="comes with the extra dev")
    pytest.importorskip("polars", reason="comes with the extra dev")
    monkeypatch.chdir(tmp_path)
    empty = kb.load()
    for table in ("evidence", "samples", "decisions", "findings"):
        assert empty.rows(table) == []
        names = list(empty.to_polars(table).columns)
        assert names == list(empty.to_pandas(table).columns)
        assert names
        if rows := base.rows(table):
            assert names == list(rows[0])


def test_a_knowledge_base_is_printed_in_one_line(base: kb.KnowledgeBase) -> None:
    told = repr(base)
    assert told.startswith(f"KnowledgeBase({str(ROOT)!r}, Corpus(products: ")
    assert len(told) < 300
    assert len(repr(base.claim("hgx-b200/gpu-hbm-bandwidth"))) < 10_000
