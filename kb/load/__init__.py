"""Reading a project: files to documents to models to one corpus, with every mistake found."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kb.corpus import Corpus
from kb.finding import Finding
from kb.home import Project, home
from kb.load.files import content_files, read_text
from kb.load.gather import Gather

__all__ = ["Loaded", "load", "load_files"]

KINDS = ("specs", "decisions", "evidence")
"""The kinds of content, in the order in which they are read."""


@dataclass(frozen=True)
class Loaded:
    """A corpus and what was wrong with the files it came from."""

    corpus: Corpus
    findings: tuple[Finding, ...]
    collected: int
    """How many content files the project itself has."""


def load(project: Project, only: Collection[str] = (), kinds: Collection[str] = KINDS) -> Loaded:
    """Read a project, on top of the catalogue that came with the installation.

    `only` limits the products read to those ids (their file is named like them), which is
    all that a look at one claim needs; `kinds` limits the folders.
    """
    gather = Gather()
    bundled = Project(home())
    if bundled.root != project.root.resolve():
        gather.own = False
        _read(gather, bundled, "specs", only)
        gather.own = True
    collected = sum(_read(gather, project, kind, only) for kind in kinds)
    corpus = gather.corpus()
    return Loaded(corpus, tuple(gather.findings), collected)


def load_files(files: Mapping[str, str]) -> Loaded:
    """A corpus from texts by path (`specs/…`, `decisions/…`, `evidence/…`); no disk."""
    gather = Gather()
    for path, text in files.items():
        gather.text(path, text.removeprefix("\ufeff"), path.partition("/")[0])
    corpus = gather.corpus()
    return Loaded(corpus, tuple(gather.findings), len(files))


def _read(gather: Gather, project: Project, kind: str, only: Collection[str]) -> int:
    """Read every file of one kind; returns how many there are."""
    count = 0
    for path, name in content_files(project, kind):
        count += 1
        if only and kind == "specs" and path.stem not in (*only, "sources"):
            continue
        shown = name if gather.own else f"(installed)/{name}"
        text, findings = read_text(path, shown, project.root)
        gather.findings += findings
        if text is not None:
            gather.text(shown, text, kind)
    return count
