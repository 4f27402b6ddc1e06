"""Reading a project: files to documents to models to one corpus, with every mistake found."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from kb.corpus import Corpus
from kb.files import KINDS, raw_folder, text_of, unread_rules
from kb.finding import Finding
from kb.home import Project, home
from kb.load.gather import Gather
from kb.room import Room

__all__ = ["KINDS", "Loaded", "load", "load_files"]


@dataclass(frozen=True)
class Loaded:
    """A corpus and what was wrong with the files it came from."""

    corpus: Corpus
    findings: tuple[Finding, ...]
    collected: int
    """How many content files the project itself has."""


def load(
    project: Project,
    only: Collection[str] = (),
    kinds: Collection[str] = KINDS,
    evidence: Collection[Path] = (),
    drafts: Mapping[str, str] | None = None,
) -> Loaded:
    """Read a project, on top of the catalogue that came with the installation.

    The kind `imports` reads of the evidence what was imported, and nothing else.
    `only` limits the products read to those ids (their file is named like them), which is
    all that a look at one claim needs; `kinds` limits the folders.
    `drafts` are texts that stand for what is on disk, by path inside the project: what an
    editor has not saved yet.
    `evidence` names further folders of evidence records, such as what was just measured.
    Raises `CheckError` where a folder that `[tool.kb]` names is not there.
    """
    project.require_named()
    gather = Gather()
    bundled = Project(home())
    if bundled.root != project.root.resolve():
        gather.own = False
        _read(gather, bundled, "specs", only)
        gather.own = True
    texts = drafts or {}
    gather.only_imports = "imports" in kinds
    folders = ["evidence" if kind == "imports" else kind for kind in kinds]
    collected = sum(_read(gather, project, folder, only, texts) for folder in folders)
    gather.findings += unread_rules(project)
    own = project.folder("evidence").resolve()
    for folder in evidence:
        if folder.resolve() == own:
            continue
        collected += _read(gather, _holding(folder, project), "evidence", ())
    corpus = gather.corpus()
    return Loaded(corpus, tuple(gather.findings), collected)


def _holding(folder: Path, project: Project) -> Project:
    """A project whose evidence is `folder`, with paths as the user knows them."""
    real, root = folder.resolve(), project.root.resolve()
    top = root if real.is_relative_to(root) and real != root else real.parent
    return Project(top, evidence=real.relative_to(top).as_posix())


def load_files(files: Mapping[str, str]) -> Loaded:
    """A corpus from texts by path (`specs/…`, `decisions/…`, `evidence/…`); no disk."""
    gather = Gather()
    for path, text in files.items():
        gather.text(path, text.removeprefix("\ufeff"), path.partition("/")[0])
    corpus = gather.corpus()
    return Loaded(corpus, tuple(gather.findings), len(files))


def _read(
    gather: Gather,
    project: Project,
    kind: str,
    only: Collection[str],
    drafts: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Read every file of one kind; returns how many there are."""
    count = 0
    for file in raw_folder(project, kind, own=gather.own, only=only):
        count += bool(file.path)
        draft = drafts.get(file.path) if file.own else None
        text, findings = (draft, []) if draft is not None else text_of(file)
        gather.findings += findings
        if text is not None:
            gather.text(file.path, text, kind)
    return count


sys.modules[__name__].__class__ = Room  # so that kb.load() works for programs
