"""Running a page of the guide: its files are written and its commands run, in order."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"^<!-- file: (?P<file>\S+) -->\n+(?P<fence>`{3,})\w*\n(?P<content>.*?)^(?P=fence)$"
    r"|^```console\n(?P<console>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
_MARK = "@@ command %d ended with %s after %s @@"
_ENDED = re.compile(r"^@@ command (\d+) ended with (\d+) after (\S+) @@$", re.MULTILINE)
_CHANGING = re.compile(r"\d{4}-\d\d-\d\d")
"""What may differ from what a page shows: the day."""


@dataclass(frozen=True)
class Step:
    """One command of a page, or one file that it shows."""

    command: str
    printed: str
    start: int
    """Where the printed text begins in the page."""


@dataclass(frozen=True)
class Done:
    """What came of a step."""

    step: Step
    output: str
    code: int
    seconds: float

    @property
    def as_shown(self) -> bool:
        """Whether it printed what the page shows, but for what may change."""
        return _CHANGING.sub("", self.output) == _CHANGING.sub("", self.step.printed)


def steps(page: str) -> list[Step]:
    """Every step of a page, in order; a file is written by a command of our own."""
    found = []
    for block in _BLOCK.finditer(page):
        if block["file"]:
            name, text = block["file"], block["content"]
            folder = str(Path(name).parent)
            command = f"mkdir -p {folder} && cat > {name} <<'END OF FILE'\n{text}END OF FILE"
            found.append(Step(command, "", block.start()))
            continue
        for part in re.finditer(r"^\$ (.*\n)((?:(?!\$ ).*\n)*)", block["console"], re.MULTILINE):
            at = block.start("console") + part.start(2)
            found.append(Step(part[1].strip(), part[2], at))
    return found


def play(page: str, folder: Path, words: Mapping[str, str], env: Mapping[str, str]) -> list[Done]:
    """Run a page in one shell, so that `cd` and an activated environment stay."""
    script = ["exec 2>&1"]
    todo = steps(page)
    for number, step in enumerate(todo):
        command = step.command
        for word, value in words.items():
            command = command.replace(word, value)
        # `$?` of the page is that of the command before it.
        script += ["begun=$EPOCHREALTIME", f"(exit ${{code:-0}})\n{command}", "code=$?"]
        took = "$(awk -v a=$begun -v b=$EPOCHREALTIME 'BEGIN {print b - a}')"
        script.append("echo " + f'"{_MARK % (number, "$code", took)}"')
    done = subprocess.run(
        ["bash"], input="\n".join(script), cwd=folder, env=dict(env), text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    found, at = [], 0
    for mark in _ENDED.finditer(done.stdout):
        output = done.stdout[at : mark.start()]
        found.append(Done(todo[int(mark[1])], output, int(mark[2]), float(mark[3])))
        at = mark.end() + 1
    assert len(found) == len(todo), done.stdout + done.stderr
    return found


def rewritten(page: str, done: list[Done]) -> str:
    """The page with what its commands really printed."""
    for item in reversed(done):
        start = item.step.start
        if item.step.printed or item.output:
            page = page[:start] + item.output + page[start + len(item.step.printed) :]
    return page
