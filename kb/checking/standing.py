"""A check that goes on: one process judges a project again after every save or key press.

What the last check found stays in memory, each part with the state that it holds for, so
that only what a change can have touched is read and judged anew. Unsaved texts count as if
they were saved.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

from kb.checking.cores import cores
from kb.checking.part import WHOLE
from kb.checking.state import Files, read_files
from kb.checking.store import load
from kb.checking.whole import Known, Outcome, check_whole, keep, known_from
from kb.home import Project


class Standing:
    """The last check of a project, and what the next one may take from it."""

    def __init__(self) -> None:
        """Nothing is known before the first check."""
        self._last: tuple[Project, Outcome] | None = None

    def check(
        self,
        project: Project,
        today: datetime.date | None = None,
        *,
        drafts: Mapping[str, str] | None = None,
        cache: Path | None = None,
        jobs: int | None = None,
    ) -> Outcome:
        """Check a project as it is now; `today` decides which waivers have expired.

        `drafts` are texts that stand for what is on disk, by path inside the project. `cache`
        is a file that the first check begins with, and where what is found in saved files is
        left. `jobs` is the number of processes for many files, by default one for each core that
        is idle. The report is that of a plain check. Raises `CheckError` where the check can't
        happen.
        """
        day = today or datetime.datetime.now(tz=datetime.UTC).date()
        files = read_files(project, day, drafts)
        last = self._last[1] if self._last is not None and self._last[0] == project else None
        if last is not None and last.files.run == files.run:
            return last
        if last is not None:
            known = _still(last, files)
        else:
            known = known_from(files, load(cache) if cache else None)
        outcome = check_whole(project, files, day, known, jobs or cores(), most=None, drafts=drafts)
        self._last = project, outcome
        if cache and not drafts:
            keep(cache, outcome)
        return outcome


def _still(last: Outcome, files: Files) -> Known:
    """What the last check knew that still holds."""
    was, known = last.files, last.known
    same = {path for path, state in files.states.items() if was.states.get(path) == state}
    rules, past = was.code == files.code, was.past == files.past
    return Known(
        {path: one for path, one in known.summaries.items() if path in same},
        {path: one for path, one in known.results.items() if path in same or path == WHOLE}
        if rules
        else {},
        known.states,
        {path: one for path, one in known.plain.items() if path in same},
        {path: one for path, one in known.plain_results.items() if path in same} if rules else {},
        {path: one for path, one in known.views.items() if path in same},
        rules=known.rules if rules else None,
        past=known.past if past else None,
        versions=dict(known.versions) if past else {},
    )
