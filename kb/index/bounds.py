"""What one statement may cost: rows, bytes and time, the same on both databases."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from kb.index.database import Database, DatabaseError

LONGEST_STATEMENT = 100_000
"""Characters; a database needs a thousand times as much memory to read one."""
LONGEST_VALUE = 4_000_000
"""Bytes of one value on SQLite; the longest of the index are words of a tenth of that."""
MOST_BYTES = 50_000_000
"""Bytes of all rows of an answer, as `_weight` counts them."""
MOST_ROWS = 1_000_000
MOST_SECONDS = 86_400
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 4 * LONGEST_STATEMENT,  # bytes of UTF-8
    sqlite3.SQLITE_LIMIT_COLUMN: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 1_000_000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
"""What SQLite itself refuses, so that no single step is long or large."""
MOST_MEMORY = 300_000_000
"""Bytes that SQLite may hold in a process that only asks one question."""
LOWERED = (
    "SELECT set_config('role', rolname, true) FROM pg_roles "
    "WHERE rolname = 'pg_read_all_data' AND current_setting('is_superuser') = 'on'"
)
"""Lets an administrator of PostgreSQL be one who reads tables in our own statements. Somebody's
own could take it back by `set_config`, so it is no bound for them: see `refuse_powerful`."""
POWERFUL = (
    "SELECT min(rolname) FROM pg_roles WHERE (rolsuper OR rolname IN "
    "('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')) "
    "AND pg_has_role(session_user, oid, 'MEMBER')"
)
"""A role whose rights reach the files of the server, and which the login is or can become."""
STEPS = 200
"""Steps of SQLite between looks at the clock; a step on the longest values takes 10 ms."""


@dataclass(frozen=True)
class Kept:
    """The rows that an answer has room for."""

    rows: tuple[tuple[object, ...], ...]
    cut: bool
    """Whether there were more."""
    full: bool
    """Whether it was the bytes that were too many."""


@dataclass(frozen=True)
class Bounds:
    """The limits of one statement; the time begins here."""

    rows: int
    seconds: float
    alone: bool = False
    """Whether the process does nothing else: SQLite's memory is bounded for all of it, for good."""
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Refuse limits that no database keeps."""
        if not 1 <= self.rows <= MOST_ROWS:
            raise DatabaseError(
                f"the limit of rows is {self.rows}", f"type a number from 1 to {MOST_ROWS}"
            )
        if not 0 < self.seconds <= MOST_SECONDS:  # not a number is neither
            raise DatabaseError(
                f"the limit of seconds is {self.seconds:g}",
                f"type a number above 0, up to {MOST_SECONDS}",
            )

    def over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.began + self.seconds

    def kept(self, rows: Iterable[tuple[object, ...]]) -> Kept:
        """Fetch until rows, bytes or time are at an end; raises `DatabaseError` for time."""
        found: list[tuple[object, ...]] = []
        weight = 0
        for row in rows:
            if self.over():
                raise DatabaseError(
                    f"the query failed: its rows took longer than {self.seconds:g} seconds",
                    "ask for less, or for more --seconds",
                )
            if len(found) == self.rows:
                return Kept(tuple(found), cut=True, full=False)
            weight += sum(map(_weight, row), OBJECT)
            if weight > MOST_BYTES:
                return Kept(tuple(found), cut=True, full=True)
            found.append(row)
        return Kept(tuple(found), cut=False, full=False)


OBJECT = 50
"""Bytes that Python needs for a value besides its text."""


def _weight(value: object) -> int:
    """About the bytes of a value in memory."""
    return OBJECT + (len(value) if isinstance(value, (str, bytes)) else 0)


def readable(asked: str, what: str) -> None:
    """Raise `DatabaseError` where a database could not be sent the text at all."""
    if len(asked) > LONGEST_STATEMENT:
        raise DatabaseError(
            f"{what} has {len(asked)} characters; {LONGEST_STATEMENT} at most",
            "join with a table instead of listing values",
        )
    try:
        asked.encode()
    except UnicodeEncodeError as error:
        raise DatabaseError(
            f"{what} holds {asked[error.start]!r} at character {error.start + 1}, which is no text",
            "type it in UTF-8",
        ) from None
    if "\0" in asked:
        raise DatabaseError(f"{what} holds a null character", "leave it out")


def limited(connection: Connection, database: Database, bounds: Bounds) -> None:
    """Begin a transaction that only reads, whose statement is ended when its time is up."""
    if database.path is None:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.exec_driver_sql(LOWERED)
        milliseconds = max(1, int(bounds.seconds * 1000))  # 0 would be no limit
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {milliseconds}")
        return
    raw = connection.connection.dbapi_connection
    if raw is not None:
        for what, most in LIMITS.items():
            raw.setlimit(what, most)
        if bounds.alone:
            raw.execute(f"PRAGMA hard_heap_limit = {MOST_MEMORY}")
        raw.set_progress_handler(bounds.over, STEPS)


def refuse_powerful(connection: Connection) -> None:
    """Raise `DatabaseError` where somebody's own statement could reach the server's files.

    A statement can change the role back to any that the login has, whatever it was lowered to.
    """
    role = connection.exec_driver_sql(POWERFUL).scalar()
    if role is not None:
        raise DatabaseError(
            f"the login has the rights of '{role}', so a statement could read the server's files",
            "name a login in KB_DATABASE_URL that may only read, as after "
            "CREATE ROLE reader LOGIN IN ROLE pg_read_all_data; canned queries need none",
        )
