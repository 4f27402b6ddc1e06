"""What the tests of the prose room share: the real catalogue, laid out once."""

from __future__ import annotations

import functools

import pytest

from kb.home import Project, home
from kb.load import load
from kb.prose.known import Known, known


@functools.cache
def _catalogue() -> Known:
    return known(load(Project(home()), kinds=("specs", "decisions", "evidence")).corpus)


@pytest.fixture(scope="session")
def catalogue() -> Known:
    return _catalogue()
