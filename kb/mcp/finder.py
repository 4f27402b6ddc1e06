"""Searching without a database that somebody has to build: it is made anew where files change."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kb.files import raw_files
from kb.finding import CheckError
from kb.home import Project
from kb.index import Database, DatabaseError, build, open_database, search
from kb.rules.gate import checked


@dataclass
class Finder:
    """The index of one project, in a folder of its own that ends with the process."""

    find: Callable[[], Project]
    _folder: TemporaryDirectory[str] = field(default_factory=TemporaryDirectory)
    _seen: str = ""

    def search(self, words: str, limit: int) -> dict[str, Any]:
        """Rows as of `kb index search --json`; raises `CheckError` for no words."""
        try:
            answer = search(self._database(), words, limit)
        except DatabaseError as error:
            raise CheckError(str(error), error.remedy) from None
        rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
        return {"schema_version": 1, "rows": rows}

    def _database(self) -> Database:
        project = self.find()
        database = open_database(None, Path(self._folder.name, "index.sqlite"))
        seen = _digest(project)
        if seen != self._seen:
            found = checked(project)
            build(found.corpus, found.report, database, project.root.resolve().name)
            self._seen = seen
        return database


def _digest(project: Project) -> str:
    """A hash over every file that a check of the project reads, its own rules included."""
    seen = hashlib.sha256()
    contents = [(file.path, file.raw or b"") for file in raw_files(project)]
    if project.own_rules:
        rules = sorted(project.folder("validators").glob("*.py"))
        contents += [(rule.name, rule.read_bytes()) for rule in rules if rule.is_file()]
    for path, raw in contents:
        seen.update(f"{path}\0{len(raw)}\0".encode() + raw)
    return seen.hexdigest()
