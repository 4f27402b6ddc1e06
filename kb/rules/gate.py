"""The gate before publishing: nothing that fails the check gets past it."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from kb.corpus import Corpus
from kb.home import Project
from kb.load import load
from kb.records.history import with_history
from kb.rules.collect import Rule, collect
from kb.rules.result import Report
from kb.rules.run import judge


@dataclass(frozen=True)
class Checked:
    """A project that was read and judged, whatever came of it."""

    corpus: Corpus
    rules: tuple[Rule, ...]
    report: Report


def checked(project: Project, evidence: Collection[Path] = ()) -> Checked:
    """Read and judge a project, with further folders of evidence.

    `report.exit_code` says whether it may be published: only 0 may.
    """
    loaded = with_history(load(project, evidence=evidence), project)
    collected = collect(project)
    today = datetime.datetime.now(tz=datetime.UTC).date()
    return Checked(loaded.corpus, collected.rules, judge(loaded, collected, today))
