"""The index holds what the corpus holds, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import dataclasses
import re
import sqlite3
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from kb.corpus import Corpus
from kb.index import Database, DatabaseError, build, open_database, query
from kb.index.canned import CANNED, datasette
from kb.index.row import name_of
from kb.index.rows import all_rows
from kb.index.tables import TABLES
from kb.load import load_files
from kb.operand import operand_of_claim
from kb.rules.collect import collect
from kb.rules.example import base_files, example_files, judge_files
from kb.rules.gate import Checked


def word_for(name: str) -> str:
    """What a canned query is asked about here."""
    asks = CANNED[name].asks and CANNED[name].default is None
    claim = "hgx-b200/gpu-hbm-bandwidth" if asks else ""
    return "hgx-b200" if name == "published" else claim


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
    answer = query(filled, name, word_for(name))
    assert answer.columns
    if name not in ("undetermined", "refused", "old-evidence", "spills"):
        assert answer.rows, name


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM claim",
        "UPDATE claim SET value = 0",
        "INSERT INTO file VALUES ('here', 'x', 'y')",
        "DROP TABLE claim",
        "CREATE TABLE more (x INT)",
        "SELECT 1; DROP TABLE claim",
        "COMMIT; DELETE FROM claim; COMMIT",
        "SELECT 1; COMMIT; DELETE FROM claim",
        "ROLLBACK; SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DELETE FROM claim",
        "SET TRANSACTION READ WRITE",
        "SELECT set_config('transaction_read_only', 'off', false), 1 FROM missing",
        "WITH gone AS (DELETE FROM claim RETURNING id) SELECT * FROM gone",
        "ATTACH DATABASE 'other.sqlite' AS other",
        "PRAGMA writable_schema = 1",
        "VACUUM INTO 'copy.sqlite'",
        "COPY claim TO PROGRAM 'touch /tmp/kb-was-here'",
        "COPY claim TO '/tmp/kb-was-here'",
        "SELECT pg_read_file('/etc/passwd')",
        "DO $$ BEGIN DELETE FROM claim; END $$",
        "EXPLAIN ANALYZE DELETE FROM claim",
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


@pytest.mark.parametrize(
    ("sql", "remedy"),
    [
        ("DELETE FROM claim", "SELECT"),
        ("SELECT 1; DROP TABLE claim", "one statement alone"),
        ("SELECT nothing FROM claim", "kb query --tables"),
    ],
)
def test_a_refused_statement_is_told_what_to_type(filled: Database, sql: str, remedy: str) -> None:
    with pytest.raises(DatabaseError) as caught:
        query(filled, sql)
    assert remedy in caught.value.remedy


def test_an_unknown_id_is_no_empty_answer(filled: Database) -> None:
    with pytest.raises(DatabaseError, match="there is no record 'tpu-v6'"):
        query(filled, "published", "tpu-v6")
    assert query(filled, "published", "gb200-nvl72").columns


def test_an_endless_query_is_ended(filled: Database) -> None:
    endless = (
        "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t WHERE x < 2000000000) "
        "SELECT count(*) FROM t"
    )
    with pytest.raises(DatabaseError, match=r"it took longer than 0\.3 seconds") as caught:
        query(filled, endless, seconds=0.3)
    assert "--seconds" in caught.value.remedy


def test_more_rows_than_the_limit_are_cut_and_said(filled: Database) -> None:
    answer = query(filled, "SELECT id FROM claim", limit=10)
    assert (len(answer.rows), answer.cut) == (10, True)
    assert not query(filled, "SELECT id FROM claim LIMIT 10", limit=10).cut


def test_a_failing_build_leaves_the_old_file_and_no_litter(
    sqlite: Database, small: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(small.corpus, small.report, sqlite, "here")
    assert sqlite.path is not None
    before = sqlite.path.read_bytes()
    monkeypatch.setattr("kb.index.write.SQLITE_TABLE", "CREATE NONSENSE")
    with pytest.raises(DatabaseError, match="can't be written"):
        build(small.corpus, small.report, sqlite, "here")
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


def test_what_rests_on_a_claim_is_found_through_others(filled: Database) -> None:
    found = {row[0] for row in query(filled, "rests-on", "hgx-b200/gpu-hbm-bandwidth").rows}
    assert "0001" in found
    source = query(
        filled, "SELECT source FROM statement WHERE claim = 'hgx-b200/gpu-hbm-bandwidth'"
    ).rows[0][0]
    assert {"hgx-b200/gpu-hbm-bandwidth", "0001"} <= {
        row[0] for row in query(filled, "rests-on", str(source)).rows
    }


def test_an_undetermined_comparison_says_why(sqlite: Database, postgres: Database) -> None:
    rule = collect().find("undetermined-comparison")
    assert rule is not None
    files = example_files(rule.text.blocks("refused"))
    corpus = load_files({**base_files(), **files}).corpus
    for database in (sqlite, postgres):
        build(corpus, judge_files(files, collect()), database, "here")
        ((decision, left, right, reasons, why),) = query(database, "undetermined").rows
        assert (decision, reasons) == ("0002", "direction")
        assert left != right
        assert "factor of two" in str(why)


def test_evidence_is_old_after_so_many_days(filled: Database, corpus: Corpus) -> None:
    assert not query(filled, "old-evidence", "100000").rows
    everything = {row[0] for row in query(filled, "old-evidence", "-100000").rows}
    assert everything == set(corpus.records)
    with pytest.raises(DatabaseError, match="is not a number of days"):
        query(filled, "old-evidence", "soon")


def test_decisions_are_listed_by_bottleneck(filled: Database, corpus: Corpus) -> None:
    rows = query(filled, "bottlenecks").rows
    assert {row[1] for row in rows} == set(corpus.decisions)
    for bottleneck, key, *_ in rows:
        seen = corpus.decisions[str(key)].value.bottleneck
        assert bottleneck == (seen.boundary.value if seen else "none observed")


def test_citations_have_the_line_that_they_stand_on(filled: Database, corpus: Corpus) -> None:
    rows = query(filled, "SELECT decision, line, text, target FROM citation").rows
    assert rows
    for decision, line, shown, target in rows:
        document = corpus.documents[corpus.decisions[str(decision)].place.path]
        assert f"[{str(shown).splitlines()[0]}" in document.line(int(str(line)))
        assert str(target) in document.text


@pytest.mark.parametrize("word", ["' OR '1'='1", "%", "x'; DROP TABLE claim; --", "\\", "a:b"])
def test_no_word_of_a_canned_query_is_read_as_sql(filled: Database, word: str) -> None:
    for name in ("rests-on", "citations", "published"):
        with pytest.raises(DatabaseError, match="there is no record"):
            query(filled, name, word)
    assert query(filled, "SELECT count(*) FROM claim").rows[0][0]


def test_ids_are_data_whatever_they_hold(sqlite: Database, small: Checked) -> None:
    odd = "x'); DROP TABLE claim; -- %s :word"
    (entry, *_) = small.corpus.sources.values()
    corpus = dataclasses.replace(small.corpus, sources={**small.corpus.sources, odd: entry})
    build(corpus, small.report, sqlite, odd)
    rows = query(sqlite, "SELECT id, namespace FROM source WHERE id LIKE 'x%DROP%'").rows
    assert rows == ((odd, odd),)
    assert query(sqlite, "SELECT count(*) FROM claim").rows[0][0] == len(corpus.claims)


@pytest.mark.parametrize(
    ("name", "word", "message"),
    [
        ("rests-on", "", "needs an id"),
        ("hypotheses", "more", "takes no word"),
        ("SELECT 1", "more", "is no canned query"),
    ],
)
def test_a_word_too_many_or_too_few_is_refused(
    filled: Database, name: str, word: str, message: str
) -> None:
    with pytest.raises(DatabaseError, match=message) as caught:
        query(filled, name, word)
    assert caught.value.remedy


def test_datasette_is_offered_the_same_questions(full_sqlite: Database) -> None:
    made: Any = datasette("index")
    queries = made["databases"]["index"]["queries"]
    assert set(queries) == set(CANNED)
    connection = sqlite3.connect(f"file:{full_sqlite.path}?mode=ro", uri=True)
    for name, offered in queries.items():
        for word in (word_for(name), "0") if name == "old-evidence" else (word_for(name),):
            given = dict.fromkeys(offered["params"], word)
            rows = connection.execute(offered["sql"], given).fetchall()
            assert rows == [*query(full_sqlite, name, word).rows], (name, word)
    connection.close()


def test_what_rests_on_a_claim_is_looked_up_and_not_scanned(full_sqlite: Database) -> None:
    with full_sqlite.reader().connect() as connection:
        asked = text(f"EXPLAIN QUERY PLAN {CANNED['rests-on'].sql}")
        plan = [str(row[-1]) for row in connection.execute(asked, {"word": "any"})]
    told = [line for line in plan if re.match(r"(?:SEARCH|SCAN) (?:r|rests_on)\b", line)]
    assert len(told) == 2
    assert all("ix_rests_on_other" in line for line in told), plan
