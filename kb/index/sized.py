"""Rows of a server without the ones that are too long to be sent.

A value reaches a client whole or not at all, and may have a gigabyte. So the server is asked
how long a row is beside what was asked, and keeps the long ones.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.index.database import DatabaseError

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg.pq.abc import PGresult

LONGEST_ROW = 4_000_000
"""Bytes of one row; the longest of the index have a tenth of that."""
UNWRAPPED = ("explain", "show")
"""Statements that can stand in no other one; what they print is the server's own text."""
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
        word = self.sql.split(maxsplit=1)[0].casefold() if self.sql.split() else ""
        return any(self.long) and word not in UNWRAPPED

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


def _sound(raw: Connection[Any], result: PGresult) -> None:
    """Raise what is wrong with a statement that was only read."""
    from psycopg.errors import error_from_result
    from psycopg.pq import ExecStatus

    if result.status != ExecStatus.COMMAND_OK:
        raise error_from_result(result, encoding=raw.info.encoding)
