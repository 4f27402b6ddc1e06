"""What a repository holds already: decision records of other tools, and folders that are taken."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kb.files import SUFFIXES, content_files
from kb.finding import CheckError
from kb.home import FOLDERS, Project, has_table, project_at
from kb.load import load
from kb.records.dialects import read_logs

USUAL = (
    "adr",
    "adrs",
    "decisions",
    ".decisions",
    "doc/adr",
    "doc/decisions",
    "doc/architecture/decisions",
    "docs/adr",
    "docs/adrs",
    "docs/ADR",
    "docs/decisions",
    "docs/architecture/decisions",
    "docs/architecture/adr",
    "docs/architecture-decisions",
    "docs/rfcs",
    "rfcs",
    "keps",
)
"""Where decision records usually lie."""
ABOUT = "about.md"
"""The one page that we write into the folder of the site."""
_DOCS = re.compile(
    r"""^docs_dir:[ \t]+(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'#&*!][^#\n]*))""", re.MULTILINE
)
POINTER = ".adr-dir"
"""The file in which adr-tools keeps the folder of its records."""


@dataclass(frozen=True)
class Records:
    """A folder of decision records of another tool."""

    folder: str
    count: int
    dialects: tuple[str, ...]
    """Every dialect that was met, the most frequent one first."""


@dataclass(frozen=True)
class Surroundings:
    """What is there."""

    folders: dict[str, str]
    """A name for each kind of content: its usual one, or `kb-…` where that is taken."""
    records: tuple[Records, ...]
    table: bool
    """Whether `pyproject.toml` has a `[tool.kb]` table already."""
    docs: str = "docs"
    """Folder of the site's hand-written pages: `kb-docs` where `docs` holds something else."""


def look(root: Path) -> Surroundings:
    """Look at a folder without changing or executing anything in it."""
    records = tuple(_logs(root))
    docs = _docs(root)
    if not has_table(root):
        taken = {log.folder for log in records}
        return Surroundings(
            {name: _name(root, name, taken) for name in FOLDERS}, records, table=False, docs=docs
        )
    project = project_at(root)
    folders = {name: str(getattr(project, name)) for name in FOLDERS}
    others = tuple(log for log in records if log.folder != folders["decisions"])
    return Surroundings(folders, others, table=True, docs=docs)


def _docs(root: Path) -> str:
    """Pages that are there already would all be published, and one might be in our way."""
    site, there = root / "mkdocs.yml", root / "docs"
    if site.is_file():
        return _docs_dir(site.read_text(encoding="utf-8", errors="replace"))
    return "kb-docs" if there.is_dir() and {p.name for p in there.iterdir()} - {ABOUT} else "docs"


def _docs_dir(text: str) -> str:
    """The folder of pages that a `mkdocs.yml` names; the rest of it may hold any tag."""
    named = _DOCS.search(text)
    return posixpath.normpath(next(filter(None, named.groups())).strip()) if named else "docs"


def _name(root: Path, kind: str, taken: set[str]) -> str:
    return f"kb-{kind}" if kind in taken or _is_strange(root, kind) else kind


def _is_strange(root: Path, kind: str) -> bool:
    """Whether the usual folder of a kind holds files that are none of ours."""
    folder = root / kind
    if kind == "validators":  # not imported: what isn't ours must not run
        files = sorted(folder.glob("*.py"))
        return bool(files) and not any(b"kb.rules" in path.read_bytes() for path in files)
    project = Project(root)
    if kind not in SUFFIXES or not content_files(project, kind).files:
        return False
    corpus = load(project, kinds=(kind,)).corpus
    kinds = {
        "specs": (*corpus.products.values(), *corpus.sources.values()),
        "decisions": corpus.decisions.values(),
        "evidence": (*corpus.evidence.values(), *corpus.artefacts.values()),
    }
    return not any(entry.own for entry in kinds[kind])


def _logs(root: Path) -> Iterator[Records]:
    """Folders of foreign records; ours are told by their front matter."""
    names = list(USUAL)
    pointer = root / POINTER
    if pointer.is_file():
        names.append(pointer.read_text(encoding="utf-8", errors="replace").strip().strip("/"))
    seen: set[Path] = set()
    for name in names:
        folder = root / name
        real = folder.resolve()
        inside = real.is_relative_to(root.resolve()) and real != root.resolve()
        if not name or not inside or not folder.is_dir() or real in seen:
            continue
        seen.add(real)
        if name == "decisions" and not _is_strange(root, "decisions"):
            continue
        try:
            logs = read_logs(folder)
        except CheckError:
            continue
        dialects = Counter(record.dialect for log in logs for record in log.records)
        if dialects:
            ordered = tuple(name for name, _ in dialects.most_common())
            yield Records(name, dialects.total(), ordered)
