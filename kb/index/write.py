"""Writing the index: one namespace is replaced as a whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable
from sqlmodel import SQLModel

from kb.corpus import Corpus
from kb.index.database import Database, DatabaseError, failure
from kb.index.place import place_of
from kb.index.row import LONGEST_NAMESPACE, Row, name_of, storable
from kb.index.rows import Fields, all_rows
from kb.index.search import INTO, POSTGRES_TABLE, SEARCH_COLUMNS, SQLITE_TABLE
from kb.index.tables import TABLES
from kb.index.words import searchable
from kb.rules.result import Report
from kb.writing import draft_of

BATCH = 5_000


def build(
    corpus: Corpus, report: Report, database: Database, namespace: str, *, raw: bool = True
) -> dict[str, int]:
    """Write every row of one namespace; returns the number of rows by table.

    Without what is `raw` the table of single samples stays empty: they are most of the rows.

    A SQLite file is written beside the old one and takes its place at the end. On
    PostgreSQL the namespace is replaced in one transaction, under a lock that lets builders
    of one namespace wait for each other. Raises `DatabaseError` where it can't be written;
    what was there before is then untouched.
    """
    if database.path is not None:
        place_of(database)
    _named(namespace)
    rows = all_rows(corpus, report, raw=raw)
    words = _whole(searchable(rows, corpus, report), namespace)
    try:
        if database.path is None:
            engine = database.writer()
            with engine.begin() as connection:
                _lock(connection, "tables")
                _agree(connection, database)
                SQLModel.metadata.create_all(connection)
                connection.execute(text(POSTGRES_TABLE))
            with engine.begin() as connection:
                _lock(connection, f"namespace {namespace}")
                _fill(connection, rows, namespace)
                old = text("DELETE FROM search WHERE namespace = :n")
                connection.execute(old, {"n": namespace})
                _fill_search(connection, words)
            with engine.begin() as connection:
                # Else the first queries are planned as if the tables were empty.
                connection.execute(text(f"ANALYZE {', '.join(map(name_of, TABLES))}, search"))
        else:
            _replace(database, rows, namespace, words)
    except (SQLAlchemyError, OSError) as error:
        what = f"the index at {database.shown} can't be written"
        remedy = "free the place or correct KB_DATABASE_URL; the old index is untouched"
        raise failure(what, error, database, remedy) from None
    return {name_of(table): len(found) for table, found in rows.items()}


def _named(namespace: str) -> None:
    """Refuse a namespace that can't be stored as it is."""
    if len(namespace) > LONGEST_NAMESPACE or storable(namespace) != namespace:
        raise DatabaseError(
            f"the namespace {namespace[:LONGEST_NAMESPACE]!r} is too long or no text",
            f"--namespace NAME, of at most {LONGEST_NAMESPACE} characters in UTF-8",
        )


def _whole(rows: Iterable[Fields], namespace: str) -> list[Fields]:
    """Rows with their namespace, in characters that both databases take."""
    whole = []
    for fields in rows:
        row = {"namespace": namespace, **fields}
        for name, value in fields.items():
            if isinstance(value, str) and not (value.isascii() and "\0" not in value):
                row[name] = storable(value)
        whole.append(row)
    return whole


def _replace(
    database: Database,
    rows: dict[type[Row], list[Fields]],
    namespace: str,
    words: list[Fields],
) -> None:
    """Write a new SQLite file and let it take the old one's place."""
    target = place_of(database)
    fresh = draft_of(target)
    try:
        engine = database.writer(fresh)
        with engine.begin() as connection:
            _create(connection)
            _fill(connection, rows, namespace)
            connection.execute(text(SQLITE_TABLE))
            _fill_search(connection, words)
            # Else a query of one namespace is thought to read little where it reads all.
            connection.execute(text("ANALYZE"))
        engine.dispose()
        fresh.replace(place_of(database))  # what came there meanwhile stays, too
    finally:
        fresh.unlink(missing_ok=True)


def _create(connection: Connection) -> None:
    """Create tables and indexes in one order: SQLAlchemy keeps a table's indexes in a set."""
    for table in SQLModel.metadata.sorted_tables:
        connection.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda one: str(one.name)):
            index.create(connection)


def _fill_search(connection: Connection, words: list[Fields]) -> None:
    for start in range(0, len(words), BATCH):
        connection.execute(text(INTO), words[start : start + BATCH])


COLUMNS = """
SELECT table_name, column_name FROM information_schema.columns
WHERE table_schema = current_schema()
"""


def _agree(connection: Connection, database: Database) -> None:
    """Refuse a database whose tables another version of this program made."""
    there: dict[str, set[str]] = {}
    for table, column in connection.execute(text(COLUMNS)):
        there.setdefault(table, set()).add(column)
    wanted = {name: set(table.columns.keys()) for name, table in SQLModel.metadata.tables.items()}
    for name, columns in {**wanted, "search": set(SEARCH_COLUMNS)}.items():
        if there.get(name, columns) != columns:
            differs = ", ".join(sorted(there[name] ^ columns))
            raise DatabaseError(
                f"the table {name!r} at {database.shown} has other columns than this version of "
                f"kb writes: {differs}",
                "let KB_DATABASE_URL name an empty database, or drop that one's tables; "
                "`kb index build` writes them anew",
            )


def _lock(connection: Connection, what: str) -> None:
    """Wait for other builders: two of one namespace would delete each other's rows."""
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:n))"), {"n": f"kb {what}"})


def _fill(connection: Connection, rows: dict[type[Row], list[Fields]], namespace: str) -> None:
    for table in TABLES:
        connection.execute(delete(table).where(table.namespace == namespace))  # type: ignore[arg-type]
        found = _whole(rows[table], namespace)
        for start in range(0, len(found), BATCH):
            connection.execute(insert(table), found[start : start + BATCH])
