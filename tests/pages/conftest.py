"""The pages of this project, rendered once, and a way to render made-up records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.home import Project
from kb.load import load, load_files
from kb.pages import render
from kb.pages.pairs import Matrix, matrices
from kb.rules.collect import collect

ROOT = Path(__file__).resolve().parents[2]

Made = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture(scope="session")
def corpus() -> Corpus:
    return load(Project(ROOT)).corpus


@pytest.fixture(scope="session")
def site(corpus: Corpus) -> dict[str, str]:
    return render(corpus, collect(Project(ROOT)).rules)


@pytest.fixture(scope="session")
def matrix(corpus: Corpus) -> Matrix:
    """HGX B200 against TPU v6e."""
    found = matrices(corpus)
    assert [(m.left, m.right) for m in found] == [("hgx-b200", "tpu-v6e")]
    return found[0]


@pytest.fixture
def made() -> Made:
    """Render records given as texts by path; they must load without a finding."""

    def rendered(files: dict[str, str]) -> dict[str, str]:
        loaded = load_files(files)
        assert not loaded.findings
        return render(loaded.corpus)

    return rendered
