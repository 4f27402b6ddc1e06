"""Reading a project: files to documents to models to one corpus, with every mistake found."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from kb.corpus import Corpus
from kb.finding import Finding
from kb.home import Project, home
from kb.load.files import content_files, read_text, unread_folder, unread_rules
from kb.load.gather import Gather
from kb.room import Room

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
    content = content_files(project, kind)
    lead = "" if gather.own else "(installed)/"
    gather.findings += [unread_folder(f"{lead}{name}", *why) for name, *why in content.unread]
    for path, name in content.files:
        if only and kind == "specs" and path.stem not in (*only, "sources"):
            continue
        shown = f"{lead}{name}"
        draft = drafts.get(name)
        text, findings = (draft, []) if draft is not None else read_text(path, shown, project.root)
        gather.findings += findings
        if text is not None:
            gather.text(shown, text, kind)
    return len(content.files)


sys.modules[__name__].__class__ = Room  # so that kb.load() works for programs
