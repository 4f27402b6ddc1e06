"""Which SQLite file may be written: a new one, or one that holds nothing but our own tables."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from kb.index.database import Database, DatabaseError, address_of

OWN = {"claim", "product", "source", "decision", "file"}
"""Tables that every version of the index has."""
TABLES_THERE = """
SELECT name, EXISTS (SELECT 1 FROM pragma_table_info(m.name) WHERE name = 'namespace')
FROM sqlite_master AS m WHERE type IN ('table', 'view')
AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'search\\_%' ESCAPE '\\'
"""
"""Tables that somebody made, and whether they have the column that each of ours has."""


def place_of(database: Database) -> Path:
    """The file that a new index may take the place of; links are followed.

    Raises `DatabaseError` where something else is there, or where its folder is missing. The
    folder of a project's own index is made.
    """
    path = database.path or Path("index.sqlite")
    own = database.own_folder
    if own is not None and path.parent.resolve() == own.resolve():
        path.parent.mkdir(parents=True, exist_ok=True)
    elif not path.parent.is_dir():
        raise DatabaseError(
            f"the folder {path.parent} of KB_DATABASE_URL is not there",
            "make it, or name a file in another folder",
        )
    target = path.resolve()
    stranger = _stranger(target)
    if stranger:
        raise DatabaseError(
            f"{path} is no index of kb, so it is not replaced: {stranger}",
            "move it away, or let KB_DATABASE_URL name another file: sqlite:///FILE",
        )
    return target


def _stranger(target: Path) -> str:
    """What lies there and is no index; empty where nothing does, or an index."""
    if not target.exists():
        return ""
    if not target.is_file():
        return "it is a folder" if target.is_dir() else "it is a device or a pipe"
    if not target.stat().st_size:
        return "it is empty"
    try:
        with closing(sqlite3.connect(address_of(target), uri=True)) as connection:
            there = {str(name): bool(own) for name, own in connection.execute(TABLES_THERE)}
    except sqlite3.Error as error:
        return f"it can't be read as a SQLite database ({error})"
    foreign = sorted(name for name, own in there.items() if not own)
    if foreign:
        return f"it is a SQLite database with tables of others, such as {foreign[0]!r}"
    return "" if there.keys() >= OWN else "it is a SQLite database without the tables of kb"
