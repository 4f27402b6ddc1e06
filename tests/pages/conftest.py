"""The pages of this project, rendered once, and a way to render made-up records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kb.corpus import Corpus
from kb.home import Project
from kb.load import load_files
from kb.pages import render
from kb.pages.pairs import Matrix, matrices
from kb.publish import Files, files_of
from kb.rules.gate import Checked, checked

ROOT = Path(__file__).resolve().parents[2]

Made = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture(scope="session")
def found() -> Checked:
    return checked(Project(ROOT))


@pytest.fixture(scope="session")
def corpus(found: Checked) -> Corpus:
    return found.corpus


@pytest.fixture(scope="session")
def published(found: Checked) -> Files:
    """Every file of the site, the database among them."""
    return files_of(found.corpus, found.rules, found.report)


@pytest.fixture(scope="session")
def site(published: Files) -> dict[str, str]:
    """What is text in it."""
    return {path: content for path, content in published.items() if isinstance(content, str)}


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
