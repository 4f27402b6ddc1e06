"""The killer as a fixture, and projects that a command is about to change."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import kb
from kb.home import home
from kb.rules.example import base_files

TIMES = int(os.environ.get("KB_FAULTS", "1"))
"""How many times the kills of one run; `make faults` asks for three times as many."""


@dataclass(frozen=True)
class Ending:
    """How a command ended: its exit code, or minus the signal."""

    code: int
    touches: int


class Killer:
    """Runs commands of kb in fresh children, and kills them where it is told to."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def run(
        self, folder: Path, *words: str, touch: int | None = None, seconds: float | None = None
    ) -> Ending:
        """Run `kb words…` in `folder`; kill it before its n-th touch, or after some seconds."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        request = {"folder": str(folder), "words": words, "touch": touch, "seconds": seconds}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return Ending(**json.loads(self.process.stdout.readline()))


@pytest.fixture(scope="session")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    """One program that has imported kb and forks for every run."""
    folder = tmp_path_factory.mktemp("killer")
    words = [sys.executable, str(Path(__file__).with_name("killer.py"))]
    path = [str(small_installation(folder)), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)),
                   "TMPDIR": str(folder)}  # fmt: skip
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Killer(process)
        assert process.stdin is not None
        process.stdin.close()


def small_installation(folder: Path) -> Path:
    """A copy of kb as a wheel installs it, whose own catalogue holds no product.

    Every command reads the installed catalogue, and `render` draws all its pairs: without
    them a run is ten times as fast, so it can be killed ten times as often.
    """
    package = shutil.copytree(Path(kb.__file__).parent, folder / "kb", symlinks=True)
    bundled = package / "_bundled"
    (bundled / "specs").mkdir(parents=True)
    shutil.copy(home() / "specs/sources.yml", bundled / "specs")
    for name in ("validators", "schemas"):
        (bundled / name).symlink_to(home() / name)
    return folder


def base(folder: Path) -> Path:
    """The sound base of examples on disk."""
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its content."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
