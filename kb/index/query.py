"""Asking the index: read-only by construction, with a limit on rows and time."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from kb.index.canned import CANNED, Canned
from kb.index.database import Database, DatabaseError


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
    if canned is None and word:
        raise DatabaseError(f"{sql!r} is no canned query, so it takes no word", "kb query --canned")
    given = _given(sql, canned, word) if canned else {}
    engine = database.reader()
    try:
        with engine.connect() as connection:
            _bound(connection, database, seconds)
            if canned is not None:
                result = connection.execute(text(canned.sql), given)
                columns = tuple(result.keys())
                found: Sequence[Sequence[object]] = result.fetchmany(limit + 1)
            else:
                found, columns = _fetched(connection, database, sql, limit + 1)
            connection.rollback()
    except (SQLAlchemyError, _driver_error(database)) as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise DatabaseError(f"the query failed: {reason}", "see `kb query --tables`") from None
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


READING = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
"""All that a statement may do on SQLite: ATTACH would open, and create, other files."""


def _allow(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY


def _bound(connection: Connection, database: Database, seconds: float) -> None:
    """Let the statement read only, and end it after `seconds`."""
    if database.path is None:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")
        return
    raw = connection.connection.dbapi_connection
    end = time.monotonic() + seconds
    if raw is not None:
        raw.set_progress_handler(lambda: time.monotonic() > end, 10_000)
        raw.set_authorizer(_allow)


def search(database: Database, words: str, limit: int = 20) -> Answer:
    """Records that hold all the words, best first; a word may be a value such as `1638`.

    Raises `DatabaseError` where there is no index.
    """
    asked = [word for word in words.split() if word]
    if not asked:
        raise DatabaseError("there are no words to search for", "kb index search 1638")
    engine = database.reader()
    try:
        with engine.connect() as connection:
            if database.path is not None:
                match = " ".join('"' + word.replace('"', '""') + '"*' for word in asked)
                given: dict[str, object] = {"m": match, "n": limit, "s": SHOWN}
                found = connection.execute(text(_SQLITE_SEARCH), given)
            else:
                given = {"w": [f"%{_plain(word)}%" for word in asked], "n": limit, "s": SHOWN}
                found = connection.execute(text(_POSTGRES_SEARCH), given)
            return Answer(("kind", "id", "words"), tuple(tuple(row) for row in found), cut=False)
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).split("\n")[0]
        raise DatabaseError(f"the search failed: {reason}", "kb index build") from None


SHOWN = 160
"""How much of the words of a record is shown."""


def _plain(word: str) -> str:
    """A word in which `%` and `_` stand for themselves."""
    return re.sub(r"([\\%_])", r"\\\1", word)


_SQLITE_SEARCH = """
SELECT kind, id, substr(words, 1, :s) FROM search WHERE search MATCH :m ORDER BY rank LIMIT :n
"""
_POSTGRES_SEARCH = """
SELECT kind, id, substr(words, 1, :s) FROM search
WHERE (id || ' ' || words) ILIKE ALL (:w) ORDER BY length(words), kind, id LIMIT :n
"""
