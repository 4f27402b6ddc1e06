"""A program that runs commands of kb in children of its own and kills them with signal 9.

It reads one request a line and answers with one line. All of kb is imported once, so a run
costs a fork. A child is killed right before its n-th touch of the disk (a file opened for
writing, a rename, a removal, a folder), or after some seconds, wherever it then is.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import pkgutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import kb
from kb.cli import main
from kb.rules.example import base_files

TOUCHES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link",
           "os.symlink", "os.truncate", "sqlite3.connect"}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
SPARED = ("kb.measure", "kb.lsp", "kb.mcp", "kb.mkdocs_hook")
"""Rooms with libraries that start threads; a fork would lose them."""


class Touches:
    """Counts touches of the disk below one folder, and ends the process at one of them."""

    def __init__(self, folder: str, last: int | None) -> None:
        self.folder, self.last, self.count = folder, last, 0

    def __call__(self, event: str, details: tuple[Any, ...]) -> None:
        if event not in TOUCHES and not (event == "open" and _writes(details)):
            return
        if not os.path.abspath(os.fsdecode(details[0])).startswith(self.folder):  # noqa: PTH100
            return
        self.count += 1
        if self.count == self.last:
            os.kill(os.getpid(), signal.SIGKILL)


def _writes(details: tuple[Any, ...]) -> bool:
    path, _, flags = details
    return isinstance(path, (str, bytes, os.PathLike)) and bool((flags or 0) & WRITING)


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Run one command in a child; says how it ended and how often it touched the disk."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(request, writing)
    os.close(writing)
    if request["seconds"] is not None:
        time.sleep(request["seconds"])
        os.kill(child, signal.SIGKILL)
    told = b""
    while part := os.read(reading, 65536):
        told += part
    os.close(reading)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {"code": code, "touches": int(told or 0)}


def _child(request: dict[str, Any], writing: int) -> None:
    touches = Touches(request["folder"], request["touch"])
    code = 99
    try:
        os.chdir(request["folder"])
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        sys.addaudithook(touches)
        code = main(request["words"])
        os.write(writing, str(touches.count).encode())
    finally:
        os._exit(code)


def preload() -> None:
    """Import what a command may need, so that a child starts with all of it."""
    for module in pkgutil.walk_packages(kb.__path__, "kb."):
        if not module.name.startswith(SPARED) and "__main__" not in module.name:
            importlib.import_module(module.name)
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()):
        folder = Path(name)
        for path, text in base_files().items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        main(["--project", name, "render", "--out", str(folder / "pages")])  # imports the rest


if __name__ == "__main__":
    preload()
    for line in sys.stdin:
        sys.stdout.write(json.dumps(run(json.loads(line))) + "\n")
        sys.stdout.flush()
