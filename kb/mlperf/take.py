"""Taking over a file or a folder: every row becomes a result or has a reason why not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from kb.corpus import Corpus
from kb.finding import CheckError
from kb.mlperf import submission, summary
from kb.mlperf.fields import UnusableError
from kb.mlperf.text import read, rows_of
from kb.model.result import Flag, FlagKind, PublishedResult, Skipped, SkipReason

Chosen = Callable[[PublishedResult], bool]


@dataclass(frozen=True)
class Taken:
    """What was read: results, what was left out, and how many things there were."""

    name: str
    """Name of the file or folder, without its path."""
    sha256: str
    """Of the file, or of every log of a folder with its name."""
    read: int
    results: tuple[PublishedResult, ...]
    skipped: tuple[Skipped, ...]
    not_selected: int = 0


@dataclass
class _Heap:
    """Results by id while they are collected; a second of one id stays, and both are flagged."""

    results: dict[str, PublishedResult] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)

    def add(self, result: PublishedResult) -> None:
        first = self.results.get(result.id)
        if first is None:
            self.results[result.id] = result
            return
        self.results[result.id] = _doubled(first, result.locator)
        number = 2
        while f"{result.id}-{number}" in self.results:
            number += 1
        second = result.model_copy(update={"id": f"{result.id}-{number}"})
        self.results[second.id] = _doubled(second, first.locator)

    def skip(self, error: UnusableError, where: str) -> None:
        self.skipped.append(Skipped(reason=error.reason, where=where, note=error.note))


def _doubled(result: PublishedResult, other: str) -> PublishedResult:
    if result.flagged(FlagKind.DUPLICATE_ID):
        return result
    flag = Flag(kind=FlagKind.DUPLICATE_ID, note=f"the same identity as {other}")
    return result.model_copy(update={"flags": (*result.flags, flag)})


def take(
    path: Path, corpus: Corpus, *, version: str = "", verified: bool = False, chosen: Chosen
) -> Taken:
    """Read a `summary_results.json` or a folder of submissions.

    `version` and `verified` are for folders, whose files say neither. Raises `CheckError`
    where nothing can be read.
    """
    if path.is_dir():
        taken = _folder(path, corpus, version, verified=verified)
    else:
        taken = _file(path, corpus)
    kept = tuple(result for result in taken.results if chosen(result))
    return replace(taken, results=kept, not_selected=len(taken.results) - len(kept))


def _file(path: Path, corpus: Corpus) -> Taken:
    text = read(path)
    rows = rows_of(text, path.name)
    heap, seen = _Heap(), set[str]()
    for number, item in enumerate(rows.items, start=1):
        try:
            heap.add(_row(item, number, seen, corpus))
        except UnusableError as error:
            heap.skip(error, f"row {number}")
    count = len(rows.items)
    if rows.broken:
        count += 1
        note = f"{rows.broken}; nothing behind it could be read"
        heap.skip(UnusableError(SkipReason.CUT_OFF, note), f"row {count}")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return Taken(path.name, sha256, count, tuple(heap.results.values()), tuple(heap.skipped))


def _row(item: object, number: int, seen: set[str], corpus: Corpus) -> PublishedResult:
    if not isinstance(item, dict):
        raise UnusableError(SkipReason.NO_OBJECT, f"it is {json.dumps(item, default=str)[:40]}")
    plain = json.dumps(item, sort_keys=True, default=str)
    if plain in seen:
        raise UnusableError(SkipReason.REPEATED, "word for word an earlier row")
    seen.add(plain)
    return _shaped(lambda: summary.result_of(item, number, corpus))


def _shaped(make: Callable[[], PublishedResult]) -> PublishedResult:
    """What `make` gives; a value that no field can hold is a reason to leave the row out."""
    try:
        return make()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise UnusableError(SkipReason.FIELD_MISSING, f"{where}: {first['msg']}") from None


def _folder(path: Path, corpus: Corpus, version: str, *, verified: bool) -> Taken:
    runs = submission.runs_in(path)
    rounds = [version] if version else list(submission.round_in(path, runs))
    if len(rounds) != 1:
        named = f"{', '.join(rounds)} are" if rounds else "no round is"
        raise CheckError(f"{named} named in the folder's path", "say which: --round v4.1")
    heap, digest = _Heap(), hashlib.sha256()
    for run in runs:
        for part in _parts(run):
            digest.update(part)
        try:
            heap.add(_shaped(lambda run=run: _run(run, rounds[0], corpus, verified)))  # type: ignore[misc]
        except UnusableError as error:
            heap.skip(error, run.name)
    results = tuple(heap.results.values())
    return Taken(path.name, digest.hexdigest(), len(runs), results, tuple(heap.skipped))


def _run(run: submission.Run, version: str, corpus: Corpus, verified: bool) -> PublishedResult:  # noqa: FBT001 (private)
    return submission.result_of(run, version, corpus, verified=verified)


def _parts(run: submission.Run) -> Iterator[bytes]:
    """Name and log of a run, for the digest of a folder."""
    yield run.name.encode()
    log = run.folder / submission.LOG
    if log.is_file():
        yield log.read_bytes()
