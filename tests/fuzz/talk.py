"""What an editor and an assistant may send: a line is one message, in one conversation each.

The servers are the real ones, on streams of this process. Every question gets one answer, what
is no message breaks nothing, and what we wrote raises nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import io
import json
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kb.rules.example import base_files

SECONDS = 20.0
"""How long an answer may take."""
OURS = "/kb/"
HELLO = {
    "editor": {"processId": None, "rootUri": None, "capabilities": {}},
    "assistant": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "a", "version": "1"},
    },
}


@functools.cache
def base() -> Path:
    """The examples as a folder of this process."""
    folder = Path(tempfile.mkdtemp(prefix="kb-talk-"))
    for name, text in base_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def message(text: str) -> Mapping[str, Any] | None:
    """A line as a message, or None where it is none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and found.get("jsonrpc") == "2.0" else None


def questions(lines: list[str]) -> set[str | int]:
    """Ids of the lines that are sound questions, each asked once and not taken back."""
    found: Counter[str | int] = Counter()
    for line in lines:
        told = message(line)
        method = "" if told is None else told.get("method")
        if told and isinstance(method, str) and method and "/did" not in method:  # no question
            key = told.get("id") if isinstance(told.get("params", {}), dict) else None
            if isinstance(key, str | int) and not isinstance(key, bool):
                found[key] += 1
        if "cancel" in line:
            return set()
    return {key for key, times in found.items() if times == 1}


class Editor:
    """One editor server for the whole process, and the loop that it lives in."""

    def __init__(self) -> None:
        from kb.home import Project
        from kb.lsp.server import make

        self.loop = asyncio.new_event_loop()
        self.server = make(Project(base()))
        self.said: list[bytes] = []
        self.protocol: Any = self.server.protocol
        self.protocol.set_writer(self)
        self.faults: list[object] = []
        self.loop.set_exception_handler(lambda _, what: self.faults.append(what))
        self.report = self.server.report_server_error
        self.server.report_server_error = self.reported  # type: ignore[method-assign]  # listens
        first = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": HELLO["editor"]}
        self.talk([json.dumps(first), '{"jsonrpc":"2.0","method":"initialized","params":{}}'])

    def write(self, data: bytes) -> None:
        self.said.append(data)

    def close(self) -> None:
        """Nothing to close."""

    def reported(self, error: Exception, source: object) -> None:
        self.report(error, source)
        data = getattr(error, "data", None)
        frames = data.get("traceback", []) if isinstance(data, dict) else []
        if any(OURS in frame and "site-packages" not in frame for frame in frames[1:]):
            self.faults.append((error, frames[-2:]))

    def talk(self, lines: list[str]) -> list[dict[str, Any]]:
        """Send lines and wait for all answers."""
        self.said.clear()
        self.faults.clear()
        self.protocol._shutdown = False  # an earlier input may have said goodbye
        self.loop.run_until_complete(self._talk(lines))
        found = [json.loads(said.partition(b"\r\n\r\n")[2]) for said in self.said]
        assert not self.faults, self.faults
        return found

    async def _talk(self, lines: list[str]) -> None:
        from pygls.io_ import run_async

        frames = [line.encode("utf-8", "surrogatepass") for line in lines]
        data = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(f), f) for f in frames)
        await run_async(threading.Event(), Bytes(data), self.protocol, error_handler=self.reported)
        wanted = questions(lines)
        for _ in range(int(SECONDS * 100)):
            if not wanted & set(self.protocol._request_futures):
                break
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)


class Bytes:
    """A stream of bytes as the library reads it."""

    def __init__(self, data: bytes) -> None:
        from kb.lsp.input import Bounded

        self.stream = Bounded(io.BytesIO(data))

    async def readline(self) -> bytes:
        return self.stream.readline()

    async def readexactly(self, size: int) -> bytes:
        return self.stream.read(size)


@functools.cache
def the_editor() -> Editor:
    return Editor()


def editor(data: bytes) -> None:
    """Messages of an editor, a line each."""
    text = data.decode("utf-8", "replace").replace("//BASE/", f"/{base()}/")
    lines = [
        line for line in text.split("\n")
        if line.strip() and '"exit"' not in line and '"initialize' not in line
    ]  # fmt: skip
    answers = the_editor().talk(lines)
    answered = Counter(str(a["id"]) for a in answers if "id" in a and "method" not in a)
    said_goodbye = any('shutdown"' in line for line in lines)
    garbage = sum(message(line) is None for line in lines)
    assert sum("error" in a and "id" in a for a in answers) >= garbage or said_goodbye
    for key in questions(lines):
        assert answered[str(key)] == 1 or (said_goodbye and not answered[str(key)]), (key, answers)


def assistant(data: bytes) -> None:
    """Messages of an assistant, a line each."""
    import anyio

    from kb.mcp.server import server
    from kb.mcp.wire import serve

    first = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": HELLO["assistant"]}
    text = data.decode("utf-8", "replace").replace("\r", " ")
    lines = [line for line in text.split("\n") if line.strip() and '"initialize"' not in line]
    begun = [json.dumps(first), '{"jsonrpc":"2.0","method":"notifications/initialized"}']
    faults: list[BaseException] = []
    out = io.StringIO()
    spoken = io.StringIO("\n".join([*begun, *lines]) + "\n")
    anyio.run(serve, server(watched(faults)), anyio.wrap_file(spoken), anyio.wrap_file(out))
    assert not faults, faults
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    answered = Counter(a["id"] for a in answers if a.get("id") is not None)
    for key in questions(lines):
        assert answered[key] == 1, (key, answers)
    garbage = sum(message(line) is None for line in lines)
    assert sum("error" in a and a.get("id") is None for a in answers) >= garbage


@functools.cache
def the_commands() -> Any:  # noqa: ANN401 - the module comes with an extra
    """Kept for the whole process, as a server keeps them."""
    from kb.cli.mcp import commands

    return commands(argparse.Namespace(project=base(), no_local_validators=True))


def watched(faults: list[BaseException]) -> Any:  # noqa: ANN401 - the module comes with an extra
    """The real commands; what they raise besides a refusal is kept, since the library hides it."""
    from kb.finding import CheckError
    from kb.mcp.server import Commands

    def watch(work: Callable[..., Any]) -> Callable[..., Any]:
        def watching(*words: object) -> object:
            try:
                return work(*words)
            except BaseException as error:
                if not isinstance(error, CheckError):
                    faults.append(error)
                raise

        return watching

    real = the_commands()
    names = ("search", "show", "compare", "lint", "impact")
    return Commands(**{name: watch(getattr(real, name)) for name in names})
