"""PostgreSQL as teams use it: many builders, killed builders, and servers that go away."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import text

from kb.cli import main
from kb.corpus import Corpus
from kb.index import Database, DatabaseError, build, open_database, query, search
from kb.rules.gate import Checked
from kb.rules.result import Report

ROOT = Path(__file__).resolve().parents[2]


def test_namespaces_do_not_touch_each_other(postgres: Database, small: Checked) -> None:
    build(small.corpus, small.report, postgres, "one")
    few = dataclasses.replace(small.corpus, claims={}, decisions={}, evidence={}, products={})
    build(few, small.report, postgres, "two")
    counts = query(postgres, "SELECT namespace, count(*) FROM source GROUP BY 1 ORDER BY 1").rows
    many = len(small.corpus.sources)
    assert counts == (("one", many), ("two", many))
    assert query(postgres, "SELECT DISTINCT namespace FROM claim").rows == (("one",),)


def test_a_base_of_nothing_is_a_namespace_of_nothing(postgres: Database, small: Checked) -> None:
    build(small.corpus, small.report, postgres, "here")
    build(Corpus(), Report(()), postgres, "here")
    assert query(postgres, "SELECT count(*) FROM claim").rows == ((0,),)
    assert search(postgres, "bolt").rows == ()


def test_what_several_repositories_share_is_found_once(postgres: Database, small: Checked) -> None:
    for namespace in ("one", "two"):
        build(small.corpus, small.report, postgres, namespace)
    rows = search(postgres, "bolt").rows
    assert rows
    assert len(set(rows)) == len(rows)


def _together(*work: Callable[[], object]) -> list[BaseException]:
    errors: list[BaseException] = []

    def run(one: Callable[[], object]) -> None:
        try:
            one()
        except BaseException as error:  # noqa: BLE001 - whatever happens must be seen
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_builders_of_an_empty_database_wait_for_each_other(
    postgres: Database, small: Checked
) -> None:
    names = ("here", "here", "there", "here")
    builders = (lambda n=n: build(small.corpus, small.report, postgres, n) for n in names)
    assert _together(*builders) == []
    counted = query(postgres, "SELECT namespace, count(*) FROM claim GROUP BY 1 ORDER BY 1").rows
    assert counted == tuple((name, len(small.corpus.claims)) for name in ("here", "there"))
    words = query(postgres, "SELECT count(*) FROM search GROUP BY namespace").rows
    assert len(words) == 2
    assert words[0] == words[1]


DIE = """
import os, signal, sys
from pathlib import Path
from kb.index import build, open_database, write
from kb.load import load_files
from kb.rules.collect import Collected
from kb.rules.example import base_files, judge_files
fill = write._fill
def half(*given):
    fill(*given)
    os.kill(os.getpid(), signal.SIGKILL)
write._fill = half
corpus = load_files(base_files()).corpus
build(corpus, judge_files({}, Collected(())), open_database(sys.argv[1], Path("unused")), "here")
"""


def test_a_builder_that_is_killed_leaves_the_old_namespace_whole(
    postgres: Database, small: Checked
) -> None:
    few = dataclasses.replace(small.corpus, decisions={})
    build(few, small.report, postgres, "here")
    url = postgres.url.render_as_string(hide_password=False)
    died = subprocess.run([sys.executable, "-c", DIE, url], check=False)
    assert died.returncode == -signal.SIGKILL
    assert query(postgres, "SELECT count(*) FROM decision").rows == ((0,),)
    assert query(postgres, "SELECT count(*) FROM claim").rows == ((len(few.claims),),)
    assert search(postgres, "bolt").rows
    # and nobody is locked out
    build(small.corpus, small.report, postgres, "here")
    assert query(postgres, "SELECT count(*) FROM decision").rows[0][0]


def _end_the_others(database: Database, doing: str) -> int:
    """What an administrator does: end the sessions of a database that are at some statement."""
    end = text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE :doing"
    )
    for _ in range(200):
        with database.writer().begin() as connection:
            if ended := connection.execute(end, {"doing": f"%{doing}%"}).scalar_one():
                return int(ended)
        time.sleep(0.02)
    return 0


def test_a_connection_that_is_ended_in_mid_query_is_an_error_with_a_remedy(
    postgres: Database, small: Checked
) -> None:
    build(small.corpus, small.report, postgres, "here")
    errors = _together(
        lambda: query(postgres, "SELECT pg_sleep(30)"),
        lambda: _end_the_others(postgres, "pg_sleep(30)"),
    )
    (error,) = errors
    assert isinstance(error, DatabaseError)
    assert "start the server" in error.remedy


def test_a_build_whose_connection_is_ended_leaves_the_old_namespace_whole(
    postgres: Database, small: Checked
) -> None:
    build(small.corpus, small.report, postgres, "here")
    with postgres.writer().connect() as holder:
        holder.execute(text("SELECT pg_advisory_lock(hashtext('kb namespace here'))"))
        (error,) = _together(
            lambda: build(small.corpus, small.report, postgres, "here"),
            lambda: _end_the_others(postgres, "pg_advisory_xact_lock"),
        )
    assert isinstance(error, DatabaseError)
    assert "can't be written" in str(error)
    rows = query(postgres, "SELECT count(*) FROM claim").rows
    assert rows == ((len(small.corpus.claims),),)


@pytest.mark.parametrize(
    "command",
    [
        ("query", "SELECT 1"),
        ("query", "hypotheses"),
        ("index", "search", "bandwidth"),
        ("index", "build"),
    ],
)
def test_a_server_that_is_gone_is_exit_2_without_a_traceback(
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    address = f"postgresql://kb:secret@/kb?host={tmp_path}"
    monkeypatch.setenv("KB_DATABASE_URL", address)
    (tmp_path / "specs").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.kb]\n")
    assert main(["--project", str(tmp_path), *command]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "start the server, or correct KB_DATABASE_URL" in told.err
    assert "Traceback" not in told.err
    assert "secret" not in told.err


def test_tables_of_another_version_are_refused_and_left_alone(
    postgres: Database, small: Checked
) -> None:
    with postgres.writer().begin() as connection:
        connection.execute(text("CREATE TABLE claim (namespace text, id text, colour text)"))
        connection.execute(text("INSERT INTO claim VALUES ('there', 'x', 'red')"))
    with pytest.raises(DatabaseError, match=r"'claim'.*colour") as caught:
        build(small.corpus, small.report, postgres, "here")
    assert "empty database" in caught.value.remedy
    assert query(postgres, "SELECT colour FROM claim").rows == (("red",),)


def test_an_id_and_a_namespace_are_data(postgres: Database, small: Checked) -> None:
    odd = "x'); DROP TABLE claim; -- %s %(n)s :n \\ \""
    (entry, *_) = small.corpus.sources.values()
    corpus = dataclasses.replace(small.corpus, sources={**small.corpus.sources, odd: entry})
    for _ in range(2):
        build(corpus, small.report, postgres, odd)
    assert query(postgres, "SELECT id, namespace FROM source WHERE id LIKE 'x%DROP%'").rows == (
        (odd, odd),
    )
    assert search(postgres, "drop table claim").rows[0][1] == odd


def test_an_address_without_a_driver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(DatabaseError, match="psycopg is not installed"):
        open_database("postgresql://kb@nowhere/kb", ROOT / os.devnull)


LONG = "repeat('x', 60000000)"


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT {LONG} AS a",
        f"SELECT 1 AS a, {LONG} AS a",
        f"SELECT {LONG}::bytea AS a;",
        f"SELECT ARRAY[{LONG}] AS a -- and a word behind it",
        f"SELECT json_build_object('a', {LONG}) AS a",
        f"VALUES ({LONG})",
        f"SELECT {', '.join(['repeat(md5(random()::text), 10000)'] * 20)}",
    ],
)
def test_a_row_that_is_too_long_stays_with_the_server(postgres: Database, sql: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(DatabaseError, match="a row has more than 4,000,000 bytes") as caught:
            query(postgres, sql)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()
    assert caught.value.remedy == "ask for a part of it, as left(COLUMN, 1000) does"


@pytest.mark.parametrize(
    "sql",
    [
        f"EXPLAIN VERBOSE SELECT {LONG} AS a",
        f"EXPLAIN SELECT 1 FROM claim WHERE id = {LONG}",  # noqa: S608 (a word of this file)
        f"explain (format json, verbose) SELECT {LONG} AS a",
        f"EXPLAIN (ANALYZE, VERBOSE) SELECT {', '.join(['repeat(md5($$a$$), 100000)'] * 20)};",
    ],
)
def test_a_plan_that_is_too_long_stays_with_the_server(full_postgres: Database, sql: str) -> None:
    query(full_postgres, "EXPLAIN SELECT 1")  # what is imported late
    tracemalloc.start()
    try:
        with pytest.raises(DatabaseError, match="its plan has more than 4,000,000 bytes"):
            query(full_postgres, sql)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("EXPLAIN SELECT 1; SELECT 2", "cannot insert multiple commands"),
        ("EXPLAIN ANALYZE DELETE FROM claim", "read-only transaction"),
        ("EXPLAIN SELECT nothing", 'column "nothing" does not exist'),
        ("EXPLAIN SELECT 'a", "unterminated quoted string"),
    ],
)
def test_a_plan_that_there_is_not_has_a_reason(
    full_postgres: Database, sql: str, said: str
) -> None:
    with pytest.raises(DatabaseError, match=said):
        query(full_postgres, sql)


@pytest.mark.parametrize("layout", ["text", "json", "yaml", "xml"])
def test_a_plan_comes_a_line_a_row(full_postgres: Database, layout: str) -> None:
    sql = f"EXPLAIN (FORMAT {layout}) SELECT '%s $$' FROM claim WHERE id > 'x'"  # noqa: S608 (the same)
    answer = query(full_postgres, sql, limit=1)
    assert answer.columns == ("QUERY PLAN",)
    ((first,),) = answer.rows
    assert isinstance(first, str)
    assert "Scan" in first
    assert answer.cut == (layout == "text")


def test_what_is_not_too_long_comes_as_it_is(postgres: Database) -> None:
    sql = """
        SELECT 'a' AS a, 'b' AS a, NULL AS n, 1.5::numeric AS d, ARRAY[1, 2] AS l,
               '{"x": [1]}'::jsonb AS j, '\\x00ff'::bytea AS b, 7 AS i, true AS t,
               repeat('x', 3900000) AS long
        UNION ALL SELECT 'z', '', 'n', 0, NULL, NULL, NULL, 0, false, '%s %(x)s %'
        ORDER BY i DESC;
    """
    answer = query(postgres, sql)
    assert answer.columns == ("a", "a", "n", "d", "l", "j", "b", "i", "t", "long")
    first, second = answer.rows
    assert first[:9] == ("a", "b", None, Decimal("1.5"), [1, 2], {"x": [1]}, b"\x00\xff", 7, True)
    assert len(str(first[9])) == 3_900_000
    assert second == ("z", "", "n", 0, None, None, None, 0, False, "%s %(x)s %")


@pytest.mark.parametrize("sql", ["SHOW server_version", "EXPLAIN SELECT 'a'", "TABLE claim"])
def test_other_statements_that_read_are_answered(full_postgres: Database, sql: str) -> None:
    assert query(full_postgres, sql).columns


def _as(database: Database, login: str) -> Database:
    return dataclasses.replace(database, url=database.url.set(username=login))


@pytest.mark.parametrize(
    ("login", "role"),
    [("admin", "admin"), ("deputy", "admin"), ("operator", "pg_read_server_files")],
)
def test_a_login_that_reaches_the_servers_files_asks_nothing_of_its_own(
    full_postgres: Database, tmp_path: Path, login: str, role: str
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("a file of the server")
    sql = (
        f"SELECT set_config('role', '{role}', true), "
        f"query_to_xml('select pg_read_file(''{secret}'')', true, false, '')::text"
    )
    database = _as(full_postgres, login)
    for asked in (sql, "SELECT 1"):
        with pytest.raises(DatabaseError, match=f"the rights of '{role}'") as caught:
            query(database, asked)
        assert "CREATE ROLE reader LOGIN IN ROLE pg_read_all_data" in caught.value.remedy
    with pytest.raises(DatabaseError, match="permission denied"):  # the server's own word
        query(_as(full_postgres, "reader"), sql)


def test_an_administrator_builds_and_asks_what_is_ours(postgres: Database, small: Checked) -> None:
    admin = _as(postgres, "admin")
    build(small.corpus, small.report, admin, "here")
    assert query(admin, "bottlenecks").columns
    assert search(admin, "bolt").rows
    reader = _as(postgres, "reader")
    counted = query(reader, "SELECT count(*) FROM claim").rows
    assert counted == ((len(small.corpus.claims),),)
