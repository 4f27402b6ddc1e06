"""A share of the files: read, summarised and judged in one process.

One process has one part; on several cores each has its own. A part keeps what it has read
between its two steps, since judging needs the files again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from kb.checking.lazy import OPEN, LazyCorpus, Reader
from kb.checking.shelf import KINDS, WHATS, Shelf
from kb.checking.summary import Summary, View, summary, view
from kb.corpus import Corpus
from kb.files import RawFile
from kb.home import Project
from kb.records.commits import Commits, Version
from kb.rules.collect import Rule
from kb.rules.locate import locate
from kb.rules.result import Located
from kb.rules.unit import Contents, Unit, judge_file, judge_whole


@dataclass(frozen=True, slots=True)
class Result:
    """A unit with everything that was asked for on the way."""

    unit: Unit
    kept: str
    """State of the file's own records: whether they count, and what git knows of them."""
    asked: tuple[str, ...]
    """What was looked up elsewhere."""


OF_ONE_FILE = frozenset(WHATS) | {"decision", "source"}
"""Kinds of records that nothing in another file can change."""
_SIGN = re.compile(r"[:?*]")
"""What follows the kind in the name of something that was asked for."""

WHOLE = ""
"""In place of a path: the rules that look at the whole corpus."""


@dataclass
class Part:
    """Some files, and what is known of them so far."""

    project: Project
    rules: Collection[Rule]
    commits: Commits
    """What git knows about decisions."""
    views: dict[str, View] = field(default_factory=dict)
    """Files that were read."""
    versions: dict[str, tuple[Version, ...]] = field(default_factory=dict)
    """What decisions were in those commits, as far as it was asked for."""
    most: int | None = OPEN
    """Files that stay in memory while others are judged; None for all, also afterwards."""
    remember: bool = True
    """Whether a later check may use the results: only then does it matter what they depend on."""

    def summarise(self, files: Iterable[RawFile]) -> dict[str, Summary]:
        """Read files and say what they declare."""
        found = {}
        for file in files:
            seen = self.views[file.path] = view(file)
            found[file.path] = summary(seen)
        return found

    def judge(self, paths: Collection[str], shelf: Shelf) -> dict[str, Result]:
        """Judge files; `WHOLE` among the paths stands for the rules about everything."""
        reader = Reader(shelf, self.views, self.most)
        self.views = {}
        corpus = LazyCorpus(reader)
        self._read_past(paths)
        found: dict[str, Result] = {}
        for path in paths:
            reader.noted.clear()
            corpus.verdicts.clear()  # what one of them looked up another file depends on too
            if path == WHOLE:
                unit = judge_whole(corpus, self.rules, set())
            else:
                contents = reader.contents(path)
                unit = judge_file(path, contents, corpus, self.rules, set())
                then = self._against_past(path, contents, corpus)
                unit = replace(unit, found=(*then, *unit.found)) if then else unit
            found[path] = self._result(unit, path, shelf, reader)
            reader.drop(path)
            if unit.crashes or unit.failures:
                break  # everything is judged once more, in one piece
        if self.most is None:
            self.views = reader.views
        return found

    def _result(self, unit: Unit, path: str, shelf: Shelf, reader: Reader) -> Result:
        if not self.remember:
            return Result(unit, "", ())
        return Result(unit, kept_state(shelf, path), _decisive(reader.noted, path, shelf))

    def _read_past(self, paths: Collection[str]) -> None:
        """Read the versions of some files; git is asked once for each."""
        new = [path for path in paths if path in self.commits and path not in self.versions]
        if new:
            from kb.records.history import read_versions

            self.versions |= read_versions(self.project, {path: self.commits[path] for path in new})

    def _against_past(self, path: str, contents: Contents, corpus: Corpus) -> tuple[Located, ...]:
        """What the decisions of a file contradict in their own past."""
        if path not in self.versions:
            return ()
        from kb.records.history import against

        return tuple(
            locate(finding, corpus)
            for entry in contents.decisions
            for finding in against(entry, corpus, self.versions)
        )


def kept_state(shelf: Shelf, path: str) -> str:
    """The state of a file's own records: which of them count, and their history."""
    kept = [f"{declared.kind}:{declared.key}" for declared in shelf.kept.get(path, ())]
    if shelf.overrides:
        kept += [str(path in paths) for paths in shelf.overrides.values()]
    if past := shelf.history.get(path):
        kept.append(past)
    return " ".join(kept)


def _decisive(noted: Collection[str], path: str, shelf: Shelf) -> tuple[str, ...]:
    """What a result depends on beside the file itself, without what follows from the rest.

    That a record is there (`?`) follows from the record, and everything of a kind (`*`) from all
    its records (`**`). A cache of ten thousand files is half as large for it.
    """
    own = {f"document:{path}"}
    own.update(f"{d.kind}:{d.key}" for d in shelf.kept.get(path, ()) if d.kind in OF_ONE_FILE)
    whole = {name[:-2] for name in noted if name[-2:] == "**"} & KINDS
    found = []
    for name in noted:
        kind, there, key = name.partition("?")
        if name in own or (there and kind in KINDS and f"{kind}:{key}" in noted):
            continue
        if whole and name[-2:] != "**" and _SIGN.split(name, 1)[0] in whole:
            continue
        found.append(name)
    return tuple(found)


def past_states(commits: Commits) -> Mapping[str, str]:
    """The state of each file's past, without reading any of it."""
    return {
        path: " ".join(f"{head[0]}:{blob}" for head, blob in found)
        for path, found in commits.items()
    }
