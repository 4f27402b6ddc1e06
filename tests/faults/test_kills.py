"""A command that is killed leaves the old files or the new ones, and the next run succeeds."""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from kb.cli import main
from kb.home import home
from kb.measure.compile.targets import target
from kb.model import artefact
from kb.model.evidence import parse
from kb.model.gates import disagreements
from tests.faults.conftest import TIMES, Killer, base, tree
from tests.fuzz.shapes import ROW
from tests.ledger import note

DAY = "2026-11-30"
PROJECT = """\
---
id: "{key}"
title: {title}
kind: project
status: draft
date: 2026-11-30
decision-makers: [Ada]
question: Which format?
confirmation: tests/load
---

# {title}

## Format

Text of {title}.
"""
FOREIGN = """\
# {n}. Use way {n}

Date: 2026-01-05

## Status

Accepted

## Context

Text {n}.
"""


@dataclass(frozen=True)
class Point:
    """Where a run is killed."""

    touch: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Case:
    """A command, the project it changes, and how the project looks to somebody who reads it."""

    prepare: Callable[[Path], None]
    words: tuple[str, ...]
    kills: int
    """How often it is killed in one run: less often what takes long."""
    look: Callable[[Path], Mapping[str, object]] = tree
    again: tuple[int, ...] = (0,)
    """Exit codes of a run over what a killed run left: done now, or done already."""
    whole: tuple[int, ...] = (0,)
    """Exit codes of a run that nobody disturbs."""
    unwritten: int = 2
    """Exit code where nothing can be written."""
    seconds: float = 0.6
    """By when a kill at any moment comes."""
    before: tuple[str, ...] = ()
    """A command whose result is there already, made before `prepare`."""
    needs: str | None = None
    """A target whose compiler must be installed."""


def two_accepted(folder: Path) -> None:
    for key, title in (("0002", "YAML"), ("0003", "TOML")):
        path = folder / f"decisions/{key}-{title.lower()}.md"
        path.write_text(PROJECT.format(key=key, title=title), encoding="utf-8")
        words = ("status", key, "accepted", "--by", "Ada", "--today", DAY)
        assert main(["--project", str(folder), *words]) == 0


def stale_waivers(folder: Path) -> None:
    for path in (folder / "specs").rglob("*-*.yml"):
        text = path.read_text("utf-8")
        path.write_text(f"# kb: ignore[unknown-unit] once needed\n{text}", encoding="utf-8")


def foreign_records(folder: Path) -> None:
    (folder / "adr").mkdir()
    for n in range(1, 6):
        name = folder / f"adr/{n:04d}-use-way-{n}.md"
        name.write_text(FOREIGN.format(n=n), encoding="utf-8")


def another_word(folder: Path) -> None:
    spec = folder / "specs/bolt/bolt-b8.yml"
    spec.write_text(spec.read_text("utf-8").replace("An invented board", "A board"), "utf-8")


def old_index(folder: Path) -> None:
    assert main(["--project", str(folder), "index", "build"]) == 0
    spec = folder / "specs/bolt/bolt-b8.yml"
    spec.write_text(spec.read_text("utf-8").replace("Bolt B8", "Bolt B8 new"), "utf-8")


def published(folder: Path) -> None:
    text = json.dumps([ROW | {"ID": f"5.1-{n:04d}"} for n in range(5)])
    (folder / "summary_results.json").write_text(text, encoding="utf-8")


def records(folder: Path) -> Mapping[str, object]:
    """Each record of evidence without the moment in which it was written."""
    found = {}
    for name, content in tree(folder / "evidence").items():
        whole = not name.startswith(".")
        found[name] = len(json.loads(content).get("results", ())) if whole else content
    return found


def rows(folder: Path) -> Mapping[str, object]:
    """What the index says, where it can be read at all."""
    (path,) = (folder / ".cache").rglob("*.sqlite")
    with closing(sqlite3.connect(path)) as database:
        sound = database.execute("PRAGMA integrity_check").fetchall()
        names = database.execute("SELECT id, name FROM product ORDER BY id").fetchall()
    return {"sound": sound, "names": names}


def measured(folder: Path) -> Mapping[str, object]:
    """What was there before by its content; of each record measured since, whether it is sound.

    A compiled text without a record is what a kill between the two leaves: whole, and unused.
    """
    found: dict[str, object] = {}
    for name, content in tree(folder).items():
        kind = _MOMENT.sub("", name)
        if kind == name or _hidden(name) or (home() / name).is_file():
            found[name] = content
        elif name.endswith(".json"):
            texts, found[kind] = _told(content.decode())
            for file, digest in texts:
                text = gzip.decompress((folder / "evidence" / file).read_bytes())
                assert hashlib.sha256(text).hexdigest() == digest
        else:
            assert gzip.decompress(content)
    return found


def _told(content: str) -> tuple[list[tuple[str, str]], object]:
    """The compiled texts that a record names with their hashes, and whether its figures agree."""
    if "variants" in json.loads(content):
        made = artefact.parse(content)
        texts = [(each.hlo.file, each.hlo.sha256) for each in made.variants]
        hashes = [artefact.inventory_hash(each) for each in made.variants]
        return texts, (artefact.hash_of(made) == made.content_hash, *hashes)
    record = parse(content)
    assert record.compiled is not None
    return [(record.compiled.hlo.file, record.compiled.hlo.sha256)], disagreements(record)


def earlier_program(folder: Path) -> None:
    for path in (home() / "evidence").glob("matmul-8192-hgx-b200-8-*"):
        shutil.copy(path, folder / "evidence")


def nothing(_: Path) -> None:
    """The examples hold an earlier record already."""


MEASURE = ("measure", "run", "matmul-64-f32", "--boundary", "warm_host",
           "--samples", "3", "--max-seconds", "0.2", "--out", "evidence")  # fmt: skip
RENDER = ("render", "--out", "pages")
COMPILE = ("measure", "compile", "matmul-8192", "--target", "hgx-b200:8", "--out", "evidence")
_MOMENT = re.compile(r"-\d{8}(-\d{6})?-\d+")
CASES = {
    # Seconds a run, so few of them; on a machine with other work the record may miss a gate.
    "measure": Case(nothing, MEASURE, 10, measured, again=(0, 1), whole=(0, 1), unwritten=1,
                    seconds=6),
    "compile": Case(earlier_program, COMPILE, 20, measured, unwritten=1, seconds=3,
                    needs="hgx-b200:8"),
    "supersede": Case(two_accepted, ("supersede", "0002", "0003", "--today", DAY, "--by", "Ada"),
                      40, again=(0, 2)),
    "fix": Case(stale_waivers, ("fix", "--apply"), 55),
    "import": Case(foreign_records, ("import", "decisions", "adr", "--today", DAY), 60),
    "import mlperf": Case(published, ("import", "mlperf", "summary_results.json"), 20,
                          records, again=(0, 1, 2)),
    "render": Case(another_word, RENDER, 35, before=RENDER, seconds=1.5),
    "index": Case(old_index, ("index", "build"), 35, rows),
}  # fmt: skip


def case_of(name: str) -> Case:
    """A case; skipped where the compiler it needs is not installed."""
    case = CASES[name]
    if case.needs is not None and (missing := target(case.needs).family.missing):
        pytest.skip(f"not installed: {', '.join(missing)}; make test-compile has them")
    return case


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_nothing_is_lost_wherever_it_dies(name: str, killer: Killer, tmp_path: Path) -> None:
    case = case_of(name)
    start = base(tmp_path / "start")
    if case.before:
        assert killer.run(start, *case.before).code == 0
    case.prepare(start)
    old = case.look(start)
    whole = shutil.copytree(start, tmp_path / "whole")
    done = killer.run(whole, *case.words)
    assert done.code in case.whole
    new = case.look(whole)
    assert new != old, "the command changes something, or nothing is shown here"
    rng = random.Random(20261130)  # noqa: S311 (any points will do, but the same every time)
    kills = case.kills * TIMES
    step = max(1, -(-done.touches // kills))
    points = [Point(touch=n) for n in range(1, done.touches + 1, step)]
    points += [Point(seconds=rng.uniform(0.0, case.seconds)) for _ in range(kills - len(points))]
    proven: set[object] = set()
    for number, point in enumerate(points):
        there = shutil.copytree(start, tmp_path / f"kill-{number}")
        killed = killer.run(there, *case.words, touch=point.touch, seconds=point.seconds)
        assert killed.code in (-9, *case.whole), point
        if point.touch is not None:
            assert killed.code == -9, point
        seen = case.look(there)
        assert all(seen.get(k) in (old.get(k), new.get(k)) for k in {*old, *new}), point
        assert all(map(_hidden, set(seen) - {*old, *new})), point
        if (left := _state(there)) in proven:
            shutil.rmtree(there)
            continue  # the next run over just this was seen already
        proven.add(left)
        after = killer.run(there, *case.words)
        assert after.code in case.again, point
        assert case.look(there) == new, point
        shutil.rmtree(there)
    note("kill", name, len(points))


def _state(folder: Path) -> object:
    """All that a killed run left; the number of its process in a hidden name doesn't matter."""
    files = tree(folder).items()
    return frozenset((re.sub(r"\d+(?=\.kb-part)", "N", name), content) for name, content in files)


def _hidden(name: str) -> bool:
    """What a killed run leaves has a hidden name, and nobody takes it for a result."""
    return any(part.startswith(".") for part in name.split("/"))
