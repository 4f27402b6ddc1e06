"""Checking a project again and again: only what a change can have touched is judged anew.

`check` gives the report that `kb.rules.run.check_project` gives, from a cache where it can and
on several cores where there is much to do. Nothing heavy is imported where nothing changed.
`kb.checking.standing` does the same inside one process that goes on, without a cache.
"""

from __future__ import annotations

import datetime
from pathlib import Path

from kb.checking import store
from kb.checking.encode import report_in
from kb.checking.state import read_files
from kb.home import Project
from kb.rules.result import Report

__all__ = ["check"]


def check(
    project: Project,
    today: datetime.date | None = None,
    *,
    cache: Path | None = None,
    jobs: int | None = None,
) -> Report:
    """Check a project; `today` decides which waivers have expired.

    `cache` is the file to take results from and to leave them in; without it nothing is
    remembered. `jobs` is the number of processes, by default one for each core that is idle.
    Neither changes the report. Raises `CheckError` where the check can't happen.
    """
    day = today or datetime.datetime.now(tz=datetime.UTC).date()
    files = read_files(project, day)
    stored = store.load(cache) if cache else None
    if stored is not None and stored.code == files.code and stored.run == files.run:
        try:
            return report_in(stored.read("report"))
        except store.BROKEN:
            stored = None
    from kb.checking.cores import cores
    from kb.checking.whole import check_whole, keep, known_from, uncollected  # late: models, rules

    with uncollected():
        known = known_from(files, stored)
        remember = cache is not None
        outcome = check_whole(project, files, day, known, jobs or cores(), remember=remember)
        if cache:
            keep(cache, outcome)
    return outcome.report
