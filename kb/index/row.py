"""What every row of every table carries."""

from __future__ import annotations

from sqlmodel import Field, SQLModel


class Row(SQLModel):
    """What every row carries: whose it is."""

    namespace: str = Field(primary_key=True, max_length=200)
    """The repository that wrote it."""


def name_of(table: type[Row]) -> str:
    """The table's name in the database."""
    return str(table.__tablename__)


def key_of(table: type[Row]) -> tuple[str, ...]:
    """The columns by which a namespace knows a row of the table."""
    columns = SQLModel.metadata.tables[name_of(table)].primary_key.columns
    return tuple(column.name for column in columns if column.name != "namespace")
