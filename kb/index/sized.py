"""Rows of a server without the ones that are too long to be sent.

A value reaches a client whole or not at all, and may have a gigabyte. So the server is asked
how long a row is beside what was asked, and keeps the long ones.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.index.database import DatabaseError

if TYPE_CHECKING:
    from psycopg import Connection, Cursor
    from psycopg.pq.abc import PGresult

LONGEST_ROW = 4_000_000
"""Bytes of one row; the longest of the index have a tenth of that."""
EXPLAIN, SHOW = "explain", "show"
"""Statements that can stand in no other one. A plan holds constants of any length, as the server
works them out while it plans; the settings that are shown are the server's own."""
PLAN = f"""
DO $$
DECLARE
    line text;
    plan text[] := '{{}}';
    size bigint := 0;
BEGIN
    FOR line IN EXECUTE current_setting('kb.asked') LOOP
        size := size + octet_length(line);
        EXIT WHEN size > {LONGEST_ROW};
        plan := plan || line;
    END LOOP;
    PERFORM set_config('kb.plan', CASE WHEN size > {LONGEST_ROW} THEN ''
                                       ELSE array_to_json(plan)::text END, true);
END $$
"""
"""Keeps a plan on the server, or nothing in place of a long one."""
BYTES = 17
"""PostgreSQL's number for the type of raw bytes, whose text is twice as long."""


@dataclass(frozen=True)
class Statement:
    """Somebody's own statement as the server understands it, before it has run."""

    sql: str
    columns: tuple[str, ...]
    types: tuple[int, ...]
    long: tuple[bool, ...]
    """Which columns may hold a value of any length."""

    @property
    def sized(self) -> str:
        """The same rows with a column more, which says that the row is too long and is empty."""
        names = [f"c{number}" for number in range(len(self.columns))]
        sizes = [
            f"coalesce(octet_length({name if kind == BYTES else f'{name}::text'}), 0)::bigint"
            for name, kind, long in zip(names, self.types, self.long, strict=True)
            if long
        ]
        kept = (
            f"CASE WHEN size <= {LONGEST_ROW} THEN {name} END" if long else name
            for name, long in zip(names, self.long, strict=True)
        )
        # Without OFFSET 0 the server may work out each value once more for its size. The
        # statement is somebody's own, and was read by itself first: no bracket in it is open.
        asked = f"SELECT * FROM (\n{self._bare}\n) asked OFFSET 0"  # noqa: S608 (as said)
        size = f"{' + '.join(sizes)} AS size"
        inner = f"SELECT *, {size} FROM ({asked}) q({', '.join(names)}) OFFSET 0"  # noqa: S608
        return f"SELECT {', '.join(kept)}, size > {LONGEST_ROW} FROM ({inner}) sized"  # noqa: S608

    @property
    def wrapped(self) -> bool:
        """Whether it has to be asked with the size of its rows."""
        return any(self.long) and self.word not in (EXPLAIN, SHOW)

    @property
    def word(self) -> str:
        """The word that it begins with."""
        return self.sql.split(maxsplit=1)[0].casefold() if self.sql.split() else ""

    @property
    def _bare(self) -> str:
        return self.sql.rstrip().rstrip(";")


def understood(raw: Connection[Any], sql: str) -> Statement:
    """A statement that the server has read and not run.

    Raises what psycopg raises for a bad one.
    """
    encoding = raw.info.encoding
    _sound(raw, raw.pgconn.prepare(b"", sql.encode(encoding)))
    told = raw.pgconn.describe_prepared(b"")
    numbers = range(told.nfields)
    return Statement(
        sql,
        tuple((told.fname(number) or b"").decode(encoding) for number in numbers),
        tuple(told.ftype(number) for number in numbers),
        tuple(told.fsize(number) < 0 for number in numbers),
    )


def rows_of(
    raw: Connection[Any], statement: Statement
) -> Generator[tuple[object, ...], None, None]:
    """The rows of a statement, to be closed; raises `DatabaseError` at one that is too long.

    Where rows are asked for one by one a server takes one statement only: a COMMIT among
    several would end the read-only transaction.
    """
    cursor: Any = raw.cursor()  # its rows can be closed, which their type doesn't say
    if statement.word == EXPLAIN:
        yield from _plan(cursor, statement.sql)
        return
    if not statement.wrapped:
        with closing(cursor.stream(statement.sql)) as rows:
            yield from rows
        return
    with closing(cursor.stream(statement.sized)) as rows:
        for *row, long in rows:
            if long:
                raise DatabaseError(
                    f"the query failed: a row has more than {LONGEST_ROW:,} bytes",
                    "ask for a part of it, as left(COLUMN, 1000) does",
                )
            yield tuple(row)


def _plan(cursor: Cursor[Any], sql: str) -> Generator[tuple[object, ...], None, None]:
    """The lines of a plan; raises `DatabaseError` where they are too long."""
    cursor.execute("SELECT set_config('kb.asked', %s, true)", (sql,))
    cursor.execute(PLAN)
    ((told,),) = cursor.execute("SELECT current_setting('kb.plan')").fetchall()
    if not told:
        raise DatabaseError(
            f"the query failed: its plan has more than {LONGEST_ROW:,} bytes",
            "ask with shorter values: a plan holds them as they are",
        )
    yield from ((line,) for line in json.loads(told))


def _sound(raw: Connection[Any], result: PGresult) -> None:
    """Raise what is wrong with a statement that was only read."""
    from psycopg.errors import error_from_result
    from psycopg.pq import ExecStatus

    if result.status != ExecStatus.COMMAND_OK:
        raise error_from_result(result, encoding=raw.info.encoding)
