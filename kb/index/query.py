"""Asking the index: read-only by construction, with a limit on rows and time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from kb.index.canned import CANNED, Canned
from kb.index.database import Database, DatabaseError, failure


@dataclass(frozen=True)
class Answer:
    """The rows of a query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    cut: bool
    """Whether there were more rows than the limit."""


def query(
    database: Database, sql: str, word: str = "", *, limit: int = 1_000, seconds: float = 10.0
) -> Answer:
    """Run one statement that reads; a canned name runs its statement, about `word`.

    Raises `DatabaseError` for a statement that writes, fails, or takes too long.
    """
    canned = CANNED.get(sql)
    if len(sql) > LONGEST_STATEMENT:
        message = f"the statement has {len(sql)} characters; {LONGEST_STATEMENT} at most"
        raise DatabaseError(message, "join with a table instead of listing values")
    if canned is None and word:
        raise DatabaseError(f"{sql!r} is no canned query, so it takes no word", "kb query --canned")
    given = _given(sql, canned, word) if canned else {}
    engine = database.reader()
    try:
        with engine.connect() as connection:
            limited(connection, database, seconds)
            if canned is not None:
                result = connection.execute(text(canned.sql), given)
                columns = tuple(result.keys())
                found: Sequence[Sequence[object]] = result.fetchmany(limit + 1)
            else:
                _authorised(connection, database)
                found, columns = _fetched(connection, database, sql, limit + 1)
            connection.rollback()
    except (SQLAlchemyError, _driver_error(database)) as error:
        raise failure("the query failed", error, database, "see `kb query --tables`") from None
    return Answer(columns, tuple(tuple(row) for row in found[:limit]), len(found) > limit)


def _given(name: str, canned: Canned, word: str) -> dict[str, object]:
    """What stands for `:word` in a canned query."""
    if not canned.asks:
        if word:
            raise DatabaseError(f"the query '{name}' takes no word", f"kb query {name}")
        return {}
    chosen = word or canned.default
    if chosen is None:
        raise DatabaseError(f"the query '{name}' needs {canned.asks}", f"kb query {name} WORD")
    try:
        return {"word": canned.read(chosen)}
    except (ValueError, OverflowError):
        raise DatabaseError(f"{word!r} is not {canned.asks}", f"kb query {name} WORD") from None


def _fetched(
    connection: Connection, database: Database, sql: str, most: int
) -> tuple[Sequence[Sequence[object]], tuple[str, ...]]:
    """The rows of somebody's own statement, sent so that nothing can stand behind it.

    PostgreSQL takes several statements in one text, and a COMMIT among them would end the
    read-only transaction; a prepared statement is one statement.
    """
    raw: Any = connection.connection.dbapi_connection
    cursor = raw.execute(sql) if database.path else raw.execute(sql, prepare=True)
    if cursor.description is None:
        raise DatabaseError("the statement returns no rows", "write a SELECT")
    return cursor.fetchmany(most), tuple(column[0] for column in cursor.description)


def _driver_error(database: Database) -> type[Exception]:
    """What the driver itself raises, where it is asked without SQLAlchemy."""
    if database.path is not None:
        return sqlite3.Error
    import psycopg

    error: type[Exception] = psycopg.Error
    return error


LONGEST_STATEMENT = 100_000
"""Characters; a database needs a thousand times as much memory to read one."""
READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
"""All that a statement may do on SQLite: ATTACH would open, and create, other files."""


def _allow(action: int, what: str | None, *_: object) -> int:
    # Full-text search asks for the version of the data by a pragma.
    own = action == sqlite3.SQLITE_PRAGMA and what == "data_version"
    return sqlite3.SQLITE_OK if own or action in READING else sqlite3.SQLITE_DENY


def _authorised(connection: Connection, database: Database) -> None:
    """Let somebody's own statement on SQLite read only; PostgreSQL's transaction already does."""
    raw = connection.connection.dbapi_connection
    if database.path is not None and raw is not None:
        with suppress(sqlite3.Error):  # the words' table opens others of its own, once
            raw.execute("SELECT id FROM search LIMIT 0")
        raw.set_authorizer(_allow)


def limited(connection: Connection, database: Database, seconds: float) -> None:
    """Begin a transaction that only reads, whose statement is ended after `seconds`."""
    if database.path is None:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")
        return
    raw = connection.connection.dbapi_connection
    end = time.monotonic() + seconds
    if raw is not None:
        raw.set_progress_handler(lambda: time.monotonic() > end, 10_000)
