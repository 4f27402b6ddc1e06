"""Evidence of every kind comes back from the index as it lies in its files."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kb.corpus import Corpus
from kb.index import Database, query
from kb.index.canned import CANNED
from kb.index.evidence_rows import bounded
from kb.index.row import Row, key_of, name_of
from kb.index.rows import all_rows
from kb.index.tables import TABLES
from kb.rules.gate import Checked
from tests.index.test_index import word_for


@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_every_value_of_every_row_comes_back(
    full_sqlite: Database, full_postgres: Database, found: Checked, table: type[Row]
) -> None:
    wanted = all_rows(found.corpus, found.report)[table]
    columns = [name for name in table.model_fields if name != "namespace"]
    quoted = ", ".join(f'"{column}"' for column in columns)
    sql = f"SELECT {quoted} FROM {name_of(table)}"  # noqa: S608 - names of our own tables
    for database in (full_sqlite, full_postgres):
        got = query(database, sql, limit=10**6).rows
        assert sorted(map(repr, map(_plain, got))) == sorted(
            repr(_plain(tuple(row[column] for column in columns))) for row in wanted
        )
    assert wanted or name_of(table) == "finding", "the catalogue has none: nothing was tested"


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    """Truth values as numbers, which is how SQLite keeps them; members of a closed set as text."""
    words = (str(value) if isinstance(value, str) else value for value in row)
    return tuple(int(value) if isinstance(value, bool) else value for value in words)


def test_every_record_of_every_kind_is_in_the_index(filled: Database, corpus: Corpus) -> None:
    rows = query(filled, "SELECT id, kind, path FROM evidence", limit=10**6).rows
    assert {row[0] for row in rows} == set(corpus.records)
    assert {row[1] for row in rows} == {"run", "compiled", "cuda_kernels", "study", "imported"}
    files = {row[0] for row in query(filled, "SELECT path FROM file", limit=10**6).rows}
    assert {row[2] for row in rows} <= files


def test_a_published_result_keeps_its_exact_value(filled: Database, corpus: Corpus) -> None:
    rows = query(filled, "SELECT id, exact, value FROM result", limit=10**6).rows
    assert len(rows) == len(corpus.results)
    for key, exact, value in rows:
        quantity = corpus.results[str(key)].result.quantity
        assert (Fraction(str(exact)), value) == (quantity.base, float(quantity.base))


def test_samples_come_back_in_order(filled: Database, corpus: Corpus) -> None:
    sql = "SELECT evidence, series, seconds FROM sample ORDER BY evidence, series, number"
    rows = query(filled, sql, limit=10**6).rows
    wanted = [
        (key, name, value)
        for key in sorted(corpus.records)
        for name, values in sorted(_samples(key, corpus).items())
        for value in values
    ]
    assert list(rows) == wanted
    assert {key for key, *_ in wanted} > set(corpus.evidence)


def _samples(key: str, corpus: Corpus) -> dict[str, tuple[float, ...]]:
    if key in corpus.evidence:
        return {m.boundary.value: m.samples for m in corpus.evidence[key].value.measurements}
    if key in corpus.studies:
        return {each.name: each.samples for each in corpus.studies[key].value.series}
    return {}


@pytest.mark.parametrize("name", CANNED)
def test_both_databases_give_the_same_answers(
    full_sqlite: Database, full_postgres: Database, name: str
) -> None:
    a, b = (query(one, name, word_for(name)) for one in (full_sqlite, full_postgres))
    assert a.columns == b.columns
    assert sorted(map(repr, a.rows)) == sorted(map(repr, b.rows))


def test_a_count_beyond_the_databases_is_left_empty() -> None:
    assert (bounded(2**63 - 1), bounded(2**63), bounded(None)) == (2**63 - 1, None, None)


def test_a_table_knows_its_rows_by_their_key() -> None:
    assert {name_of(table): key_of(table) for table in TABLES}["sample"] == (
        "evidence",
        "series",
        "number",
    )
