"""Asking the index: read-only by construction, with limits on rows, bytes and time."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from kb.finding import quoted
from kb.index.bounds import LONGEST_VALUE, Bounds, Kept, limited, readable, refuse_powerful
from kb.index.canned import CANNED, Canned
from kb.index.database import Database, DatabaseError, failure
from kb.index.sized import rows_of, understood


@dataclass(frozen=True)
class Answer:
    """The rows of a query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    cut: bool
    """Whether there were more rows than are here."""
    full: bool = False
    """Whether they were cut because they hold so many bytes."""


def query(
    database: Database,
    sql: str,
    word: str = "",
    *,
    limit: int = 1_000,
    seconds: float = 10.0,
    alone: bool = False,
) -> Answer:
    """Run one statement that reads; a canned name runs its statement, about `word`.

    `alone` is for a process that ends with the answer: SQLite then gets little memory.
    Raises `DatabaseError` for a statement that writes, fails, or takes too long.
    """
    canned = CANNED.get(sql)
    readable(sql, "the statement")
    readable(word, "the word")
    if canned is None and word:
        raise DatabaseError(f"{sql!r} is no canned query, so it takes no word", "kb query --canned")
    given = _given(sql, canned, word) if canned else {}
    bounds = Bounds(limit, seconds, alone)
    engine = database.reader()
    try:
        with engine.connect() as connection:
            limited(connection, database, bounds)
            if canned is not None:
                result = connection.execute(text(canned.sql), given)
                columns = tuple(result.keys())
                kept = bounds.kept(tuple(row) for row in result)
                if not kept.rows and canned.about_record:
                    _there(connection, word)
            else:
                _authorised(connection, database)
                columns, kept = _fetched(connection, database, sql, bounds)
            connection.rollback()
    except (SQLAlchemyError, _driver_error(database)) as error:
        raise _failed(error, database, bounds) from None
    except MemoryError:
        raise DatabaseError("the query failed: it needs too much memory", "ask for less") from None
    return Answer(columns, kept.rows, kept.cut, kept.full)


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


def _there(connection: Connection, word: str) -> None:
    """Raise `DatabaseError` where no record has this id, so that nothing is not read as none."""
    known = text("SELECT count(*) FROM search WHERE id = :word")
    if not connection.execute(known, {"word": word}).scalar():
        raise DatabaseError(f"there is no record {quoted(word)} in the index", "kb index search …")


REMEDIES = {
    ("not authorized", "authorization denied", "read-only transaction"): (
        "the index is only read, so write one SELECT; `kb index build` writes it"
    ),
    ("one statement at a time", "multiple commands"): "send one statement alone",
    ("too big",): f"no value may have more than {LONGEST_VALUE:,} bytes; select less of it",
}
"""What to do about what a database says, by a part of it. Everything else is about names."""


def _failed(error: Exception, database: Database, bounds: Bounds) -> DatabaseError:
    """Why a statement failed, and what to type instead."""
    said = str(error)
    if "interrupted" in said or "statement timeout" in said:
        message = f"the query failed: it took longer than {bounds.seconds:g} seconds"
        return DatabaseError(message, "ask for less, or for more --seconds")
    found = (remedy for parts, remedy in REMEDIES.items() if any(part in said for part in parts))
    return failure("the query failed", error, database, next(found, "see `kb query --tables`"))


def _fetched(
    connection: Connection, database: Database, sql: str, bounds: Bounds
) -> tuple[tuple[str, ...], Kept]:
    """The rows of somebody's own statement, sent so that nothing can stand behind it."""
    raw: Any = connection.connection.dbapi_connection
    if database.path is None:
        statement = understood(raw, sql)
        if not statement.columns:  # COPY would reach the files of the server, and start programs
            raise DatabaseError("the statement returns no rows", "write a SELECT")
        with closing(rows_of(raw, statement)) as rows:
            return statement.columns, bounds.kept(rows)
    cursor = raw.cursor()
    cursor.execute(sql)
    if cursor.description is None:
        raise DatabaseError("the statement returns no rows", "write a SELECT")
    kept = bounds.kept(cursor)
    return tuple(column[0] for column in cursor.description), kept


def _driver_error(database: Database) -> type[Exception]:
    """What the driver itself raises, where it is asked without SQLAlchemy."""
    if database.path is not None:
        return sqlite3.Error
    import psycopg

    error: type[Exception] = psycopg.Error
    return error


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
    """Let somebody's own statement read only; PostgreSQL's transaction does, but for files."""
    if database.path is None:
        refuse_powerful(connection)
    raw = connection.connection.dbapi_connection
    if database.path is not None and raw is not None:
        with suppress(sqlite3.Error):  # the words' table opens others of its own, once
            raw.execute("SELECT id FROM search LIMIT 0")
        raw.set_authorizer(_allow)
