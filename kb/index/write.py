"""Writing the index: one namespace is replaced as a whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, delete, insert, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable
from sqlmodel import SQLModel

from kb.corpus import Corpus
from kb.index.database import Database, DatabaseError
from kb.index.rows import Fields, all_rows
from kb.index.tables import TABLES, Row, name_of
from kb.rules.result import Report
from kb.writing import draft_of

BATCH = 5_000

SEARCH = """
CREATE VIRTUAL TABLE search USING fts5(
    namespace UNINDEXED, kind UNINDEXED, id, words, tokenize = "unicode61 tokenchars '.-/'")
"""
POSTGRES_SEARCH = """
CREATE TABLE IF NOT EXISTS search (
    namespace text NOT NULL, kind text NOT NULL, id text NOT NULL, words text NOT NULL,
    PRIMARY KEY (namespace, kind, id))
"""
INTO_SEARCH = "INSERT INTO search VALUES (:namespace, :kind, :id, :words)"


def build(corpus: Corpus, report: Report, database: Database, namespace: str) -> dict[str, int]:
    """Write every row of one namespace; returns the number of rows by table.

    A SQLite file is written beside the old one and takes its place at the end. On
    PostgreSQL the namespace is replaced in one transaction, under a lock that lets builders
    of one namespace wait for each other. Raises `DatabaseError` where it can't be written;
    what was there before is then untouched.
    """
    rows = all_rows(corpus, report)
    try:
        if database.path is None:
            engine = database.writer()
            with engine.begin() as connection:
                _lock(connection, "tables")
                SQLModel.metadata.create_all(connection)
                connection.execute(text(POSTGRES_SEARCH))
            with engine.begin() as connection:
                _lock(connection, f"namespace {namespace}")
                _fill(connection, rows, namespace)
                old = text("DELETE FROM search WHERE namespace = :n")
                connection.execute(old, {"n": namespace})
                if words := list(searchable(rows, namespace, corpus)):
                    connection.execute(text(INTO_SEARCH), words)
        else:
            _replace(database, rows, namespace, list(searchable(rows, namespace, corpus)))
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise DatabaseError(
            f"the index at {database.shown} can't be written: {reason}",
            "free the place or correct KB_DATABASE_URL; the old index is untouched",
        ) from None
    return {name_of(table): len(found) for table, found in rows.items()}


def _replace(
    database: Database,
    rows: dict[type[Row], list[Fields]],
    namespace: str,
    words: list[Fields],
) -> None:
    """Write a new SQLite file and let it take the old one's place."""
    target = database.path or Path("index.sqlite")
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = draft_of(target)
    try:
        engine = database.writer(fresh)
        with engine.begin() as connection:
            _create(connection)
            _fill(connection, rows, namespace)
            connection.execute(text(SEARCH))
            if words:
                connection.execute(text(INTO_SEARCH), words)
            # Else a query of one namespace is thought to read little where it reads all.
            connection.execute(text("ANALYZE"))
        engine.dispose()
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def _create(connection: Connection) -> None:
    """Create tables and indexes in one order: SQLAlchemy keeps a table's indexes in a set."""
    for table in SQLModel.metadata.sorted_tables:
        connection.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda one: str(one.name)):
            index.create(connection)


def _lock(connection: Connection, what: str) -> None:
    """Wait for other builders: two of one namespace would delete each other's rows."""
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:n))"), {"n": f"kb {what}"})


def _fill(connection: Connection, rows: dict[type[Row], list[Fields]], namespace: str) -> None:
    for table in TABLES:
        connection.execute(delete(table).where(table.namespace == namespace))  # type: ignore[arg-type]
        found = [{"namespace": namespace, **fields} for fields in rows[table]]
        for start in range(0, len(found), BATCH):
            connection.execute(insert(table), found[start : start + BATCH])


SEARCHED: dict[str, tuple[str, ...]] = {
    "product": ("name", "summary"),
    "claim": ("published", "metric", "interface", "precision"),
    "source": ("title", "publisher"),
    "decision": ("title", "question"),
    "evidence": ("workload",),
}
"""Columns whose words are searched, by table."""


def searchable(
    rows: dict[type[Row], list[Fields]], namespace: str, corpus: Corpus
) -> Iterator[Fields]:
    """The words of every record that can be searched for; a decision's prose is among them."""
    for table, fields in rows.items():
        kind = name_of(table)
        columns = SEARCHED.get(kind, ())
        for row in fields if columns else ():
            words = [str(row[column]) for column in columns if row[column]]
            if kind == "decision" and (document := corpus.documents.get(str(row["path"]))):
                words.append(" ".join(document.body.split()))
            yield {
                "namespace": namespace,
                "kind": kind,
                "id": row["id"],
                "words": " ".join(words).replace("\0", ""),
            }
