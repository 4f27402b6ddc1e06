"""Whatever is edited, in whatever order: the cache never changes what the check says."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.generate import knowledge_base, write
from kb.checking import check
from kb.checking.standing import Standing
from kb.home import Project, project_at
from kb.report import renderer
from kb.rules.example import TODAY
from kb.rules.run import check_project

Edit = Callable[[Path, random.Random], None]

OVERRIDE = """\
overrides: tpu-v6e
reason: the contract states less than the page
claims:
  - id: chip-hbm-bandwidth
    metric: memory_bandwidth
    scope: chip
    interface: hbm
    basis: vendor_peak
    statements:
      - {published: "1600 GB/s", source: datasheet-0, locator: page 2}
"""
DECISION = """\
---
id: "0077"
title: A small one
status: draft
date: 2026-11-30
comparisons:
  - {left: tpu-v6e/chip-hbm-bandwidth, right: arcturus-g0/gpu-hbm-bandwidth}
supersedes: ["0001"]
---
The chip reads [1600 GB/s](claim:tpu-v6e/chip-hbm-bandwidth).
"""
FILES = knowledge_base(5, 4, evidence=2) | {
    "specs/tpu-v6e.yml": OVERRIDE,
    "decisions/0077-small.md": DECISION,
}


def other_digit(path: Path, chance: random.Random) -> None:
    text = path.read_text("utf-8")
    places = [i for i, c in enumerate(text) if c.isdigit()]
    if places:
        at = chance.choice(places)
        path.write_text(f"{text[:at]}{chance.randrange(10)}{text[at + 1 :]}", "utf-8")


def without_a_line(path: Path, chance: random.Random) -> None:
    lines = path.read_text("utf-8").split("\n")
    del lines[chance.randrange(len(lines))]
    path.write_text("\n".join(lines), "utf-8")


def a_line_twice(path: Path, chance: random.Random) -> None:
    lines = path.read_text("utf-8").split("\n")
    at = chance.randrange(len(lines))
    path.write_text("\n".join([*lines[:at], lines[at], *lines[at:]]), "utf-8")


def with_a_comment(path: Path, chance: random.Random) -> None:
    slug = chance.choice(("stale-citation", "scope-arithmetic", "dangling-reference", "nothing"))
    note = (
        f"<!-- kb: ignore[{slug}] for now -->"
        if path.suffix == ".md"
        else f"# kb: ignore[{slug}] yes"
    )
    lines = path.read_text("utf-8").split("\n")
    lines.insert(chance.randrange(len(lines)), note)
    path.write_text("\n".join(lines), "utf-8")


def gone(path: Path, chance: random.Random) -> None:  # noqa: ARG001 - all edits are called alike
    path.unlink()


def a_copy(path: Path, chance: random.Random) -> None:
    shutil.copy(path, path.with_name(f"{path.stem}-{chance.randrange(3)}{path.suffix}"))


def renamed(path: Path, chance: random.Random) -> None:
    path.rename(path.with_name(f"a{chance.randrange(3)}{path.name}"))


def another_id(path: Path, chance: random.Random) -> None:
    words = ("gpu-hbm-bandwidth", "datasheet-0", "gpu-peak-bf16-dense", "matmul-generated-0")
    text = path.read_text("utf-8")
    path.write_text(text.replace(chance.choice(words), "elsewhere", 1), "utf-8")


def a_family(path: Path, chance: random.Random) -> None:
    if path.name == "sources.yml":
        name = chance.choice(("G0", "Borealis G1", "Arcturus"))
        path.write_text(
            path.read_text("utf-8") + f"families:\n  - {{name: {name}, members: [borealis-g1]}}\n"
        )


def no_text(path: Path, chance: random.Random) -> None:
    path.write_bytes(path.read_bytes() + bytes([chance.choice((0, 10, 255))]))


EDITS: tuple[Edit, ...] = (
    other_digit, without_a_line, a_line_twice, with_a_comment, gone, a_copy, renamed, another_id,
    a_family, no_text,
)  # fmt: skip


def edit(project: Project, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - edits, no secrets
    there = sorted(
        path
        for kind in ("specs", "decisions", "evidence")
        for path in project.folder(kind).rglob("*.*")
    )
    if there:
        chance.choice(EDITS)(chance.choice(there), chance)


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.integers(0, 10**6), min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_cache_changes_nothing(rounds: list[list[int]]) -> None:
    """`rounds` are the edits before each check."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "base")
        write(FILES, root)
        project, cache, standing = project_at(root), Path(folder, "check.json"), Standing()
        check(project, TODAY, cache=cache, jobs=1)
        for seeds in rounds:
            for seed in seeds:
                edit(project, seed)
            plain = check_project(project, TODAY)
            cached = check(project, TODAY, cache=cache, jobs=1)
            assert cached == plain
            assert standing.check(project, TODAY).report == plain
            assert renderer("json")(cached) == renderer("json")(plain)
