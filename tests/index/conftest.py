"""A small knowledge base, and each database that is there to hold it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.home import Project, home
from kb.index import Database, build, open_database
from kb.load import load_files
from kb.rules.collect import collect
from kb.rules.example import base_files, judge_files
from kb.rules.gate import Checked, checked

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


@pytest.fixture(scope="session")
def found() -> Checked:
    return checked(Project(home()))


@pytest.fixture(scope="session")
def corpus(found: Checked) -> Corpus:
    return found.corpus


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A PostgreSQL server of our own on a socket in a temporary folder."""
    if not POSTGRES:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql); .ci/run installs it")
    folder = Path(tempfile.mkdtemp(prefix="kb-pg-"))
    folder.chmod(0o777)
    as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    prefix = as_user if os.geteuid() == 0 else []
    data = folder / "data"
    run = [*prefix, str(POSTGRES[-1] / "initdb"), "-D", str(data), "-A", "trust", "-U", "admin"]
    subprocess.run(run, check=True, capture_output=True)
    options = f"-c listen_addresses='' -k {folder} -c fsync=off"
    control = [*prefix, str(POSTGRES[-1] / "pg_ctl"), "-D", str(data), "-w"]
    log = ["-l", str(folder / "log")]
    subprocess.run([*control, *log, "-o", options, "start"], check=True, capture_output=True)
    try:
        _make_roles(str(folder))
        yield str(folder)
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True, capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


def _make_roles(server: str) -> None:
    """One who builds and asks, one who may only read, and two who can become more."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
    with psycopg.connect(host=server, user="admin", dbname="postgres", autocommit=True) as admin:
        admin.execute("CREATE ROLE kb LOGIN")
        admin.execute("CREATE ROLE reader LOGIN IN ROLE pg_read_all_data")
        admin.execute("CREATE ROLE operator LOGIN NOINHERIT IN ROLE pg_read_server_files")
        admin.execute("CREATE ROLE deputy LOGIN NOINHERIT IN ROLE admin")


def _fresh(server: str) -> Database:
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
    name = f"kb_{uuid.uuid4().hex}"
    with psycopg.connect(host=server, user="admin", dbname="postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} OWNER kb")
    return open_database(f"postgresql://kb@/{name}?host={server}", Path("unused"))


@pytest.fixture
def postgres(server: str) -> Database:
    """An empty database on the server."""
    return _fresh(server)


@pytest.fixture
def sqlite(tmp_path: Path) -> Database:
    return open_database(None, tmp_path / "index.sqlite")


@pytest.fixture(scope="session")
def full_sqlite(tmp_path_factory: pytest.TempPathFactory, found: Checked) -> Database:
    """The catalogue in SQLite, for the tests that only read."""
    database = open_database(None, tmp_path_factory.mktemp("index") / "index.sqlite")
    build(found.corpus, found.report, database, "here")
    return database


@pytest.fixture(scope="session")
def full_postgres(server: str, found: Checked) -> Database:
    """The same in PostgreSQL."""
    database = _fresh(server)
    build(found.corpus, found.report, database, "here")
    return database


@pytest.fixture(params=["sqlite", "postgres"])
def filled(request: pytest.FixtureRequest) -> Database:
    """Each kind of database in turn."""
    database: Database = request.getfixturevalue(f"full_{request.param}")
    return database


@pytest.fixture(scope="session")
def small() -> Checked:
    """The small knowledge base that the rules' examples are laid over."""
    rules = collect()
    return Checked(load_files(base_files()).corpus, rules.rules, judge_files({}, rules))
