"""The whole site as files: pages, tables and schemas, and the database beside them.

`kb render`, `kb publish` and the hook of MkDocs all publish what this room puts together,
after the same check, so that the same content looks the same everywhere.
"""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.corpus import Corpus
from kb.finding import CheckError
from kb.home import FOLDERS, Project
from kb.rules.collect import Rule
from kb.rules.gate import checked
from kb.rules.result import Report

Files = dict[str, str | bytes]

DATABASE = "api/catalogue.sqlite"
NAMESPACE = "catalogue"


@dataclass(frozen=True)
class Site:
    """What the check said and, where it found no error, every file of the site."""

    report: Report
    files: Files


def site(project: Project, extra: Sequence[Path] = ()) -> Site:
    """Check a project and put its site together; unchanged content is not judged again.

    Raises `CheckError` for a check or a page that can't be made.
    """
    return _site(project, tuple(extra), _stamps(project, extra))


@functools.lru_cache(maxsize=1)
def _site(project: Project, extra: tuple[Path, ...], _stamps: object) -> Site:
    from kb.checking.whole import uncollected

    with uncollected():
        found = checked(project, extra)
        if found.report.exit_code or not found.report.files:
            return Site(found.report, {})
        return Site(found.report, files_of(found.corpus, found.rules, found.report))


def files_of(corpus: Corpus, rules: Sequence[Rule], report: Report) -> Files:
    """Every file of the site by its path, sorted by path, from a corpus that passed its check."""
    from kb.pages import render
    from kb.pages.api import LISTING, listing
    from kb.schema import SCHEMAS, schema_text

    schemas = {f"{name}.schema.json": schema_text(name) for name in SCHEMAS}
    files: Files = {**render(corpus, rules, schemas)}
    files[DATABASE] = database(corpus, report)
    files[LISTING] = listing(files)
    return dict(sorted(files.items()))


def database(corpus: Corpus, report: Report) -> bytes:
    """The catalogue as a SQLite file; it names no folder of the machine that wrote it.

    Single samples are left out: each record's own JSON has them, and they would be half the file.
    """
    from kb.index import DatabaseError, build, open_database

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "catalogue.sqlite"
        try:
            build(corpus, report, open_database(None, path), NAMESPACE, raw=False)
        except DatabaseError as error:
            raise CheckError(str(error), error.remedy) from None
        return path.read_bytes()


def _stamps(project: Project, extra: Sequence[Path]) -> tuple[tuple[str, int, int], ...]:
    """Name, time and size of every file that the site is made from."""
    folders = [*(project.folder(name) for name in FOLDERS), *extra]
    found = [project.root / "pyproject.toml", *(p for f in folders for p in f.rglob("*"))]
    seen = ((str(p), p.stat()) for p in found if p.is_file())
    return tuple(sorted((name, stat.st_mtime_ns, stat.st_size) for name, stat in seen))
