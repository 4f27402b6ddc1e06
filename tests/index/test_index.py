"""The index holds what the corpus holds, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import dataclasses
import signal
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.index import Database, DatabaseError, build, open_database, query, search
from kb.index.query import CANNED
from kb.index.rows import all_rows
from kb.index.tables import TABLES, name_of
from kb.operand import operand_of_claim
from kb.rules.gate import Checked


def test_every_table_holds_every_row(filled: Database, found: Checked) -> None:
    wanted = {name_of(t): len(r) for t, r in all_rows(found.corpus, found.report).items()}
    count = "SELECT count(*) FROM {}"
    got = {name_of(t): query(filled, count.format(name_of(t))).rows[0][0] for t in TABLES}
    assert got == wanted
    assert wanted["claim"] > 300


def test_the_exact_value_of_a_claim_comes_back(filled: Database, corpus: Corpus) -> None:
    rows = query(filled, "SELECT id, exact, value, low, high FROM claim").rows
    assert len(rows) == len(corpus.claims)
    for name, exact, value, low, high in rows:
        quantity = operand_of_claim(corpus.claims[str(name)]).quantity
        assert Fraction(str(exact)) == quantity.base
        assert value == float(quantity.base)
        assert (low, high) == (float(quantity.interval.low), float(quantity.interval.high))


@pytest.mark.parametrize("name", CANNED)
def test_a_canned_query_runs_and_answers(filled: Database, name: str) -> None:
    answer = query(filled, name)
    assert answer.columns
    if name not in ("undetermined", "refused"):
        assert answer.rows, name


def test_both_databases_give_the_same_answers(
    sqlite: Database, postgres: Database, found: Checked
) -> None:
    for database in (sqlite, postgres):
        build(found.corpus, found.report, database, "here")
    for name in CANNED:
        a, b = query(sqlite, name), query(postgres, name)
        assert a.columns == b.columns
        assert sorted(map(repr, a.rows)) == sorted(map(repr, b.rows)), name


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM claim",
        "UPDATE claim SET value = 0",
        "INSERT INTO file VALUES ('here', 'x', 'y')",
        "DROP TABLE claim",
        "CREATE TABLE more (x INT)",
        "SELECT 1; DROP TABLE claim",
        "SELEC 1",
        "",
    ],
)
def test_a_statement_that_writes_or_fails_is_refused(filled: Database, sql: str) -> None:
    before = query(filled, "SELECT count(*) FROM claim").rows
    with pytest.raises(DatabaseError) as caught:
        query(filled, sql)
    assert caught.value.remedy
    assert query(filled, "SELECT count(*) FROM claim").rows == before


def test_an_endless_query_is_ended(filled: Database) -> None:
    endless = (
        "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 2000000000) "
        "SELECT count(*) FROM t"
    )
    with pytest.raises(DatabaseError, match="failed"):
        query(filled, endless, seconds=0.3)


def test_more_rows_than_the_limit_are_cut_and_said(filled: Database) -> None:
    answer = query(filled, "SELECT id FROM claim", limit=10)
    assert (len(answer.rows), answer.cut) == (10, True)
    assert not query(filled, "SELECT id FROM claim LIMIT 10", limit=10).cut


@pytest.mark.parametrize("words", ["1638", "Trillium", "hgx-b200/gpu-hbm-bandwidth", "180 GB"])
def test_a_search_finds_values_names_and_ids(filled: Database, words: str) -> None:
    assert search(filled, words).rows


@pytest.mark.parametrize("words", ['"', "' OR 1=1 --", "%", "a*b", "NEAR(", "\\", "(((", "x AND"])
def test_no_search_text_is_read_as_a_command(filled: Database, words: str) -> None:
    assert len(search(filled, words).rows) <= 20


def test_namespaces_do_not_touch_each_other(postgres: Database, found: Checked) -> None:
    build(found.corpus, found.report, postgres, "one")
    few = dataclasses.replace(found.corpus, claims={}, decisions={}, evidence={}, products={})
    build(few, found.report, postgres, "two")
    counts = query(postgres, "SELECT namespace, count(*) FROM source GROUP BY 1 ORDER BY 1").rows
    many = len(found.corpus.sources)
    assert counts == (("one", many), ("two", many))
    assert query(postgres, "SELECT DISTINCT namespace FROM claim").rows == (("one",),)


def test_two_builders_of_one_namespace_wait_for_each_other(
    postgres: Database, found: Checked
) -> None:
    errors: list[BaseException] = []

    def work() -> None:
        try:
            build(found.corpus, found.report, postgres, "here")
        except BaseException as error:  # noqa: BLE001 - whatever happens must be seen
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    rows = query(postgres, "SELECT count(*) FROM claim").rows
    assert rows == ((len(found.corpus.claims),),)


DIE = """
import os, signal, sys
from pathlib import Path
from kb.index import open_database
with open_database(sys.argv[1], Path("unused")).writer().begin() as connection:
    connection.exec_driver_sql("DELETE FROM claim")
    connection.exec_driver_sql("INSERT INTO file VALUES ('here', 'half', 'written')")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_builder_that_is_killed_leaves_the_old_namespace_whole(
    postgres: Database, found: Checked
) -> None:
    build(found.corpus, found.report, postgres, "here")
    url = postgres.url.render_as_string(hide_password=False)
    died = subprocess.run([sys.executable, "-c", DIE, url], check=False)
    assert died.returncode == -signal.SIGKILL
    rows = query(postgres, "SELECT count(*) FROM claim").rows
    assert rows == ((len(found.corpus.claims),),)
    assert not query(postgres, "SELECT path FROM file WHERE path = 'half'").rows


def test_a_failing_build_leaves_the_old_file_and_no_litter(
    sqlite: Database, found: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(found.corpus, found.report, sqlite, "here")
    assert sqlite.path is not None
    before = sqlite.path.read_bytes()
    monkeypatch.setattr("kb.index.write.SEARCH", "CREATE NONSENSE")
    with pytest.raises(DatabaseError, match="can't be written"):
        build(found.corpus, found.report, sqlite, "here")
    assert sqlite.path.read_bytes() == before
    assert [path.name for path in sqlite.path.parent.iterdir()] == [sqlite.path.name]


def test_a_missing_index_says_how_to_make_one(sqlite: Database) -> None:
    with pytest.raises(DatabaseError, match="there is no index") as caught:
        query(sqlite, "SELECT 1")
    assert caught.value.remedy == "kb index build"


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "postgresql+nothing://x/y"])
def test_a_bad_address_is_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        open_database(url, Path("unused"))
    assert caught.value.remedy


def test_a_password_is_never_shown() -> None:
    assert "secret" not in open_database("postgresql://a:secret@h/d", Path("unused")).shown
