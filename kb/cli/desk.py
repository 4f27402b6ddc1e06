"""What the commands that write records share: opening, editing, judging, putting back."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from kb.cli.catalogue import unknown
from kb.cli.project import open_project
from kb.cli.unwritten import Edit, as_stored, edit
from kb.corpus import Corpus, Entry
from kb.finding import CheckError, Severity
from kb.home import Project
from kb.load import Loaded, load
from kb.model.decision import Decision, Pin
from kb.records.front import edited, quoted
from kb.records.history import identity, with_history
from kb.records.people import name_of
from kb.records.write import recover, replace_all
from kb.report.text import render
from kb.rules.collect import Collected, collect
from kb.rules.result import Located, Report
from kb.rules.run import judge

Change = Callable[[dict[str, Any]], None]
"""What is done to the fields of one record."""


@dataclass(frozen=True)
class Desk:
    """A project that is being worked on."""

    project: Project
    loaded: Loaded
    today: datetime.date

    @property
    def corpus(self) -> Corpus:
        """Everything that was loaded."""
        return self.loaded.corpus

    def entry(self, key: str) -> Entry[Decision]:
        """The decision of that id; raises `CheckError` with the nearest ids."""
        found = self.corpus.decisions.get(key)
        if found is None:
            raise unknown("decision", key, self.corpus.decisions)
        return found

    @cached_property
    def rules(self) -> Collected:
        """The rules of installation and project, imported once."""
        return collect(self.project)

    def judged(self, loaded: Loaded) -> Report:
        """What was loaded, judged by every rule and by git."""
        return judge(with_history(loaded, self.project), self.rules, self.today)

    def save(self, changes: Mapping[str, Change], *, strict: bool = False) -> None:
        """Apply changes to records by id, all or none of them.

        Raises `RefusedError` where the result has errors in these files that it didn't have
        before (with `strict`: any error in them); everything is then as it was.
        """
        folder = self.project.folder("decisions")
        texts: dict[str, bytes] = {}
        edits: dict[str, Edit] = {}
        for key, change in changes.items():
            name = self._name(key)
            # Bytes, since line ends and a mark at the beginning have to stay.
            stored = (folder / name).read_bytes().decode("utf-8")
            becomes = edited(stored, name, change)
            texts[name] = becomes.encode("utf-8")
            edits[self.entry(key).place.path] = edit(stored, becomes)
        paths = {self.entry(key).place.path for key in changes}

        def verify() -> None:
            report = self.judged(load(self.project))
            new = _errors(report, paths)
            if new and not strict:
                known = {_what(item) for item in _errors(self.judged(self.loaded), paths)}
                new = [item for item in new if _what(item) not in known]
            if new:
                raise RefusedError(report, [as_stored(item, edits) for item in new])

        replace_all(folder, texts, verify)

    def _name(self, key: str) -> str:
        path = PurePosixPath(self.entry(key).place.path)
        return path.relative_to(self.project.decisions).as_posix()


class RefusedError(Exception):
    """A change that would leave a record with errors."""

    def __init__(self, report: Report, found: list[Located]) -> None:
        super().__init__("refused")
        self.report = report
        self.found = found

    def shown(self) -> str:
        """The findings, as `kb check` shows them."""
        found = tuple(sorted(self.found, key=lambda item: item.order))
        plain = Report(findings=found, files=self.report.files, rules=self.report.rules)
        return render(plain).rpartition("\n\n")[0]


def open_desk(args: argparse.Namespace, today: datetime.date | None = None) -> Desk:
    """Open the project; what a killed run left half written is put back first."""
    project = open_project(args)
    put_back(project)
    day = today or datetime.datetime.now(tz=datetime.UTC).date()
    return Desk(project, load(project), day)


def put_back(project: Project) -> None:
    """Undo what a killed run left half written, before anything is read or counted."""
    for name in recover(project.folder("decisions")):
        print(f"put back {project.decisions}/{name}: a run was cut short", file=sys.stderr)


def who(desk: Desk, named: str | None) -> str:
    """Who is at work: as named, else as git has it; a name without an address."""
    found = name_of(named or "") or identity(desk.project.root)
    if not found:
        raise CheckError(
            "nobody knows who you are", "git config user.name …, or say it: --by '<name>'"
        )
    return found


def logged(desk: Desk, event: str, by: str, note: str | None) -> dict[str, object]:
    """One line for a record's log."""
    line: dict[str, object] = {"date": desk.today, "event": event, "by": by}
    return {**line, "note": note} if note else line


def pins_data(pins: tuple[Pin, ...]) -> list[dict[str, object]]:
    """Pins as they are written; hashes in quotes, since one might be all digits."""
    return [
        {
            "id": pin.id,
            "hash": quoted(pin.hash),
            "values": {key: quoted(value) for key, value in pin.values.items()},
        }
        for pin in pins
    ]


def refused(error: RefusedError) -> int:
    """Show why nothing was written."""
    print(error.shown())
    print("\nnothing was written: the record would have errors", file=sys.stderr)
    return 1


def _errors(report: Report, paths: set[str]) -> list[Located]:
    return [
        item
        for item in report.findings
        if item.mark.path in paths and item.finding.severity is Severity.ERROR
    ]


def _what(item: Located) -> tuple[str, str]:
    return item.finding.rule, item.finding.message
