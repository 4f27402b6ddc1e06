"""A generated knowledge base on disk, and what a check of it comes to without any cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.generate import knowledge_base, write
from kb.checking import check
from kb.home import Project, project_at
from kb.rules.example import TODAY
from kb.rules.result import Report
from kb.rules.unit import judge_file

PLANTED = ("stale-citation", "scope-arithmetic", "undetermined-comparison", "too-few-samples")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    write(knowledge_base(10, 6, evidence=3), tmp_path / "base")
    return project_at(tmp_path / "base")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "check.json"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are judged from now on, in this process."""
    seen: list[str] = []
    really = judge_file

    def judge_and_note(path: str, *rest: object) -> object:
        seen.append(path)
        return really(path, *rest)  # type: ignore[arg-type]  # as it was called

    monkeypatch.setattr("kb.checking.part.judge_file", judge_and_note)
    return seen


Recheck = Callable[[], Report]


@pytest.fixture
def recheck(project: Project, cache: Path) -> Recheck:
    return lambda: check(project, TODAY, cache=cache, jobs=1)
