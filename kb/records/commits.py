"""Which commits touched which decision: all that is asked of git where no decision changed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kb.home import Project
from kb.records.git import ask

if TYPE_CHECKING:
    from kb.model.decision import Decision  # its model is built where one is read

_RAW = re.compile(r":\d+ \d+ [0-9a-f]+ (?P<blob>[0-9a-f]+) [AMT]\t(?P<path>.*)")

Commits = dict[str, list[tuple[list[str], str]]]
"""By path: what each commit that touched the file says of itself, and the blob it left."""


@dataclass(frozen=True, slots=True)
class Version:
    """A record as one commit left it; without a decision where it could not be read."""

    commit: str
    author: str
    day: str
    decision: Decision | None
    body: str


def commits(project: Project) -> Commits:
    """Every commit that touched a decision, by path, oldest first. No text is read."""
    listed = ask(
        project.root,
        "-c", "core.quotePath=false", "log", "--reverse", "--raw", "--no-abbrev", "--no-renames",
        "--relative", "--format=%x00%H%x1f%an%x1f%as", "--", project.decisions,
    )  # fmt: skip
    found: Commits = {}
    for chunk in (listed or "").split("\0")[1:]:
        head, *rows = chunk.strip().split("\n")
        for match in filter(None, map(_RAW.match, rows)):
            found.setdefault(match["path"], []).append((head.split("\x1f"), match["blob"]))
    return found
