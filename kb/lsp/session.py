"""One project as an editor has it open: saved files with unsaved texts over them, judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kb.checking.standing import Standing
from kb.checking.whole import Outcome
from kb.corpus import Corpus
from kb.files import INSTALLED, SUFFIXES
from kb.home import FOLDERS, Project, home
from kb.prose.known import Known, known
from kb.rules.collect import Collected
from kb.rules.loading import RESERVED
from kb.rules.result import Report


@dataclass(frozen=True)
class Judged:
    """A project with its drafts, and everything that is wrong in it."""

    outcome: Outcome

    @property
    def corpus(self) -> Corpus:
        """Everything that was read."""
        return self.outcome.corpus

    @property
    def report(self) -> Report:
        """What is wrong."""
        return self.outcome.report

    @property
    def rules(self) -> Collected:
        """The rules that it was judged by."""
        return self.outcome.rules

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
    _standing: Standing = field(default_factory=Standing)
    _judged: Judged | None = None

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

    def judged(self) -> Judged:
        """Load and judge everything as it is now; raises `CheckError` where that can't be."""
        self.project = self.find()
        outcome = self._standing.check(self.project, drafts=dict(self.drafts))
        if self._judged is None or self._judged.outcome is not outcome:
            self._judged = Judged(outcome)
        return self._judged
