"""What a statement may cost, and what no database could be sent."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from kb.cli import main
from kb.index import Database, DatabaseError, build, open_database, query, search
from kb.index.bounds import MOST_BYTES
from kb.rules.example import base_files
from kb.rules.gate import Checked

MANY = (
    "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < {}) SELECT {} FROM t"
)
LARGE = (
    "SELECT hex(zeroblob(400000000))",
    "SELECT printf('%.*c', 500000000, 'x')",
    "WITH RECURSIVE t(b) AS (SELECT zeroblob(2e7) UNION ALL SELECT b FROM t) SELECT b FROM t",
    MANY.format(10**9, "x, hex(zeroblob(1900000 + x % 7))") + " ORDER BY 2 DESC",
    f"SELECT {','.join(f'hex(zeroblob({1_990_000 - n}))' for n in range(199))}",
    MANY.format(1000, "hex(zeroblob(1900000)) FROM t UNION ALL SELECT x"),
    MANY.format(1000, "zeroblob(3900000), x"),
)
ASK = """
import resource, sys
from kb.cli import main
for sql in sys.argv[2:]:
    main(["--project", sys.argv[1], "query", "--seconds", "1", "--format", "json", sql])
    main(["--project", sys.argv[1], "query", "--seconds", "1", sql])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""


@pytest.fixture
def root(tmp_path: Path, small: Checked) -> Path:
    """The sound base on disk, with its index."""
    for name, text in base_files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    place = tmp_path / ".cache" / "kb" / "index.sqlite"
    build(small.corpus, small.report, open_database(None, place), "here")
    return tmp_path


@pytest.mark.slow
def test_no_statement_takes_more_than_its_memory(root: Path) -> None:
    words = [sys.executable, "-c", ASK, str(root), *LARGE]
    done = subprocess.run(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True, timeout=120
    )
    *told, megabytes = done.stderr.decode().splitlines()
    assert int(megabytes) < 1_000
    assert any("too big" in line for line in told)
    assert any("cut after" in line for line in told)
    assert not any("Traceback" in line for line in told)


def test_a_value_of_sqlite_has_a_length(full_sqlite: Database) -> None:
    with pytest.raises(DatabaseError, match="too big"):
        query(full_sqlite, LARGE[0])


def test_rows_of_many_bytes_are_cut_and_said(filled: Database) -> None:
    long = "hex(zeroblob(1000000))" if filled.path else "repeat('00', 1000000)"
    answer = query(filled, MANY.format(1000, f"x, {long}"))
    assert (answer.cut, answer.full) == (True, True)
    assert len(answer.rows) == MOST_BYTES // 2_000_000 - 1
    assert not query(filled, "SELECT id FROM claim LIMIT 3").full


def test_small_rows_without_number_are_cut_too(filled: Database) -> None:
    answer = query(filled, MANY.format(2_000_000, "x"), limit=1_000_000)
    assert answer.full
    assert len(answer.rows) == MOST_BYTES // 100


def test_the_time_holds_while_rows_are_fetched(filled: Database) -> None:
    began = time.monotonic()
    with pytest.raises(DatabaseError, match="failed"):
        query(filled, MANY.format(10**9, "x"), limit=10**6, seconds=0.1)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("sql", ["SELECT id, 1 AS one FROM claim WHERE 1 = 0"])
def test_no_rows_have_columns(filled: Database, sql: str) -> None:
    assert query(filled, sql).columns == ("id", "one")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--limit", "9" * 23], "limit of rows is 99999999999999999999999"),
        (["--limit", "0"], "limit of rows is 0"),
        (["--limit", "-1"], "limit of rows is -1"),
        (["--seconds", "nan"], "limit of seconds is nan"),
        (["--seconds", "inf"], "limit of seconds is inf"),
        (["--seconds", "-1"], "limit of seconds is -1"),
        (["--seconds", "1e300"], "limit of seconds is 1e+300"),
    ],
)
def test_a_limit_that_no_database_keeps_is_an_error(
    root: Path, capsys: pytest.CaptureFixture[str], given: list[str], said: str
) -> None:
    for sql in ("SELECT 1", "hypotheses"):
        assert main(["--project", str(root), "query", *given, sql]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert f"error: the {said}" in told.err
        assert "fix: type a number" in told.err


@pytest.mark.parametrize("words", [["SELECT '\udcff'"], ["rests-on", "\udcff"]])
def test_a_text_that_is_none_is_an_error(
    root: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(["--project", str(root), "query", *words]) == 2
    told = capsys.readouterr()
    assert "holds '\\udcff' at character" in told.err
    assert "fix: type it in UTF-8" in told.err


@pytest.mark.parametrize("text", ["\udcff", "a\0b"])
def test_what_can_not_be_sent_is_refused_by_both(filled: Database, text: str) -> None:
    for sql, word in ((f"SELECT '{text}'", ""), ("rests-on", text)):
        with pytest.raises(DatabaseError, match=r"is no text|null character"):
            query(filled, sql, word)
    assert search(filled, f"b200 {text}").columns


def test_a_search_that_finds_nothing_says_so(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    search = ["--project", str(root), "index", "search"]
    assert main([*search, "--", "NEAR("]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "no record holds all words of 'NEAR('\n")
    assert main([*search, "--json", "--", "NEAR("]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err) == ('{"schema_version": 1, "rows": []}\n', "")


def test_a_table_that_would_fill_memory_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sql = MANY.format(900, "1 AS a") + " UNION ALL SELECT hex(zeroblob(100000))"
    assert main(["--project", str(root), "query", sql]) == 2
    assert "fix: add --format json or --format csv" in capsys.readouterr().err
    assert main(["--project", str(root), "query", "--format", "json", sql]) == 0
