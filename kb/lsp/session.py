"""One project as an editor has it open: saved files with unsaved texts over them, judged."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kb.corpus import Corpus
from kb.files import INSTALLED, SUFFIXES
from kb.home import FOLDERS, Project, home
from kb.load import load
from kb.prose import Known, known
from kb.records.history import with_history
from kb.rules.collect import Collected, collect
from kb.rules.loading import RESERVED
from kb.rules.result import Report
from kb.rules.run import judge


@dataclass(frozen=True)
class Judged:
    """A project with its drafts, and everything that is wrong in it."""

    corpus: Corpus
    report: Report
    rules: Collected

    @cached_property
    def known(self) -> Known:
        """The catalogue as the prose checker needs it."""
        return known(self.corpus)

    @property
    def slugs(self) -> dict[str, str]:
        """Every slug that a finding may have, with its sentence."""
        own = {rule.slug: rule.text.message for rule in self.rules.rules}
        return own | {slug: told.message for slug, told in RESERVED.items()}


@dataclass
class Session:
    """What the editor has open, and the last judgement."""

    find: Callable[[], Project]
    """Finds the project anew at each judgement, since its table may have changed."""
    project: Project
    drafts: dict[str, str] = field(default_factory=dict)
    """Unsaved texts by path inside the project, with line feeds alone."""
    _rules: Collected | None = None

    def name_of(self, path: Path) -> str | None:
        """A path as the project names it; None outside the project."""
        root, real = self.project.root.resolve(), path.resolve()
        return real.relative_to(root).as_posix() if real.is_relative_to(root) else None

    def path_of(self, name: str) -> Path:
        """Where a file of the report lies on disk, installed or of the project."""
        if name.startswith(INSTALLED):
            return home() / name.removeprefix(INSTALLED)
        return self.project.root / name

    def is_content(self, name: str) -> bool:
        """Whether a file is read by `kb check`; other texts are judged as prose."""
        return any(
            name.startswith(f"{getattr(self.project, kind)}/")
            and name.lower().endswith(SUFFIXES[kind])
            for kind in FOLDERS
            if kind in SUFFIXES
        )

    def forget_rules(self) -> None:
        """Read the rules again at the next judgement, since one of them was saved."""
        self._rules = None

    def judged(self) -> Judged:
        """Load and judge everything as it is now; raises `CheckError` where that can't be."""
        self.project = self.find()
        if self._rules is None:
            self._rules = collect(self.project)
        loaded = with_history(load(self.project, drafts=dict(self.drafts)), self.project)
        today = datetime.datetime.now(tz=datetime.UTC).date()
        return Judged(loaded.corpus, judge(loaded, self._rules, today), self._rules)
