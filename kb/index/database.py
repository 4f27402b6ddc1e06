"""Where the index lives: a SQLite file of the project, or what `KB_DATABASE_URL` names."""

from __future__ import annotations

import os
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import NullPool

from kb.finding import with_extra


class DatabaseError(Exception):
    """The index could not be built or asked; `remedy` says what to do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


def failure(what: str, error: Exception, database: Database, remedy: str) -> DatabaseError:
    """What went wrong, in the database's own words; a server that is gone has a remedy of its own.

    `remedy` is for everything else. SQLAlchemy hands the driver's error on as `orig`.
    """
    own = getattr(error, "orig", None) or error
    state = getattr(own, "sqlstate", "") or ""
    gone = type(own).__name__ in GONE and state != CANCELLED
    if database.path is None and (gone or state[:2] in LOST):
        remedy = "start the server, or correct KB_DATABASE_URL; without it kb uses SQLite"
    reason = str(own).strip().split("\n")[0]
    return DatabaseError(f"{what}: {reason}", remedy)


GONE = ("OperationalError", "AdminShutdown", "CrashShutdown", "CannotConnectNow")
"""Errors of psycopg when there is no connection, or none any more."""
LOST = ("08",)
"""The class of SQL states in which a connection failed."""
CANCELLED = "57014"
"""The state of a statement that took too long."""


@dataclass(frozen=True)
class Database:
    """One database: how to reach it for writing and for reading."""

    url: URL
    path: Path | None = None
    """The SQLite file; None for a server."""
    own_folder: Path | None = None
    """The folder of a project's own index, which may be made."""

    @property
    def shown(self) -> str:
        """Where it is, without a password."""
        return str(self.path) if self.path else self.url.render_as_string(hide_password=True)

    def writer(self, path: Path | None = None) -> Engine:
        """An engine that may write; `path` is another SQLite file to write to."""
        if self.path is None:
            return create_engine(self.url, poolclass=NullPool)
        return create_engine(_file(path or self.path), poolclass=NullPool)

    def reader(self) -> Engine:
        """An engine that can't write: SQLite opens the file immutable."""
        if self.path is None:
            return create_engine(self.url, poolclass=NullPool)
        if not self.path.is_file():
            raise DatabaseError(f"there is no index at {self.path}", "kb index build")
        asked = {"mode": "ro", "immutable": "1", "uri": "true"}
        name = address_of(self.path).partition("?")[0]
        return create_engine(URL.create("sqlite", database=name, query=asked), poolclass=NullPool)


def address_of(path: Path) -> str:
    """A file by the name under which SQLite opens it for reading only, whatever it is called."""
    return f"file:{urllib.parse.quote(os.fsencode(path.resolve()))}?mode=ro&immutable=1"


def _file(path: Path) -> URL:
    """A SQLite file as SQLAlchemy names it; a `?` in its name begins no options."""
    return URL.create("sqlite", database=str(path))


def open_database(url: str | None, default: Path) -> Database:
    """The database that `url` names, else the SQLite file `default`.

    Raises `DatabaseError` for an address that is none, or of a kind that is not supported.
    """
    if not url:
        return Database(_file(default), default, default.parent)
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _sqlite(parsed.database, default)
        url.encode()  # a server is sent its address in UTF-8
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() != "postgresql":
            raise DatabaseError(
                f"KB_DATABASE_URL names {parsed.get_backend_name()!r}",
                "use sqlite:///FILE or postgresql://USER@HOST/NAME",
            )
        parsed.get_dialect().import_dbapi()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise DatabaseError(
            "KB_DATABASE_URL is no database address",
            "write postgresql://USER@HOST/NAME, or unset it",
        ) from None
    except ModuleNotFoundError:
        raise DatabaseError("psycopg is not installed", with_extra("postgres")) \
            from None  # fmt: skip
    return Database(parsed)


def _sqlite(name: str | None, default: Path) -> Database:
    """The SQLite file of an address; it is a file, since an index in memory would be gone."""
    if name and name.startswith((":memory:", "file:")):
        raise DatabaseError(f"KB_DATABASE_URL names {name!r}", "use sqlite:///FILE")
    path = Path(name) if name else default
    return Database(_file(path), path, default.parent)
