"""What every row of every table carries."""

from __future__ import annotations

import re

from sqlmodel import Field, SQLModel

LONGEST_NAMESPACE = 200
"""Characters."""
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Row(SQLModel):
    """What every row carries: whose it is."""

    # SQLite would keep a second copy of every key, which are most of many rows.
    __table_args__ = {"sqlite_with_rowid": False}

    namespace: str = Field(primary_key=True, max_length=LONGEST_NAMESPACE)
    """The repository that wrote it."""


def name_of(table: type[Row]) -> str:
    """The table's name in the database."""
    return str(table.__tablename__)


def key_of(table: type[Row]) -> tuple[str, ...]:
    """The columns by which a namespace knows a row of the table."""
    columns = SQLModel.metadata.tables[name_of(table)].primary_key.columns
    return tuple(column.name for column in columns if column.name != "namespace")


def storable(value: object) -> object:
    """The value as both databases take it: U+FFFD for a null character and half a pair.

    PostgreSQL has no null character in a text, SQLite's functions end at one, and half a pair
    of surrogates is no text in UTF-8. A record that holds one is indexed all the same.
    """
    if isinstance(value, str) and _UNSTORABLE.search(value):
        return _UNSTORABLE.sub("\ufffd", value)
    return value
