"""The wire to an assistant: what is no message gets an error, and no question goes unanswered.

The library drops a line that it can't read, and what is still being answered when the input
ends; whoever waits for an answer would wait for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCRequest,
)
from pydantic import ValidationError

PATIENCE = 60.0
"""Seconds that a question may still take once the input has ended."""
WANTED = "write one JSON-RPC 2.0 message a line"

Incoming = SessionMessage | Exception


@dataclass
class Open:
    """Questions without an answer yet."""

    ids: set[str | int] = field(default_factory=set)
    changed: anyio.Event = field(default_factory=anyio.Event)

    def asked(self, message: SessionMessage) -> None:
        """Note a question, or that the assistant wants no answer any more."""
        if isinstance(message.message, JSONRPCRequest):
            self.ids.add(message.message.id)
        elif getattr(message.message, "method", "") == "notifications/cancelled":
            self._close((getattr(message.message, "params", None) or {}).get("requestId"))

    def answered(self, message: SessionMessage) -> None:
        """Note an answer."""
        self._close(getattr(message.message, "id", None))

    async def none(self) -> None:
        """Wait until every question has its answer."""
        with anyio.move_on_after(PATIENCE):
            while self.ids:
                await self.changed.wait()

    def _close(self, key: object) -> None:
        self.ids = {asked for asked in self.ids if asked != key}
        self.changed.set()
        self.changed = anyio.Event()


async def serve(
    made: MCPServer,
    stdin: anyio.AsyncFile[str] | None = None,
    stdout: anyio.AsyncFile[str] | None = None,
) -> None:
    """Answer until the input ends; without streams, over standard input and output."""
    still = Open()
    ask, asked = anyio.create_memory_object_stream[Incoming](0)
    answer, answers = anyio.create_memory_object_stream[SessionMessage](0)
    inner = made._lowlevel_server  # noqa: SLF001 - the library has no other door for streams
    async with (
        stdio_server(stdin, stdout) as (incoming, outgoing),
        anyio.create_task_group() as all_,
    ):
        all_.start_soon(_ask, incoming, ask, outgoing, still)
        all_.start_soon(_answer, answers, outgoing, still)
        await inner.run(asked, answer, inner.create_initialization_options())
        answer.close()


async def _ask(
    incoming: ObjectReceiveStream[Incoming],
    ask: ObjectSendStream[Incoming],
    outgoing: ObjectSendStream[SessionMessage],
    still: Open,
) -> None:
    async with incoming, ask:
        async for message in incoming:
            if isinstance(message, Exception):
                await outgoing.send(SessionMessage(refusal(message)))
            else:
                still.asked(message)
                await ask.send(message)
        await still.none()


async def _answer(
    answers: ObjectReceiveStream[SessionMessage],
    outgoing: ObjectSendStream[SessionMessage],
    still: Open,
) -> None:
    async with answers, outgoing:
        async for message in answers:
            await outgoing.send(message)
            still.answered(message)


def refusal(error: Exception) -> JSONRPCError:
    """The answer to a line that is no message; such a line has no id."""
    kinds = (
        {item["type"] for item in error.errors()} if isinstance(error, ValidationError) else set()
    )
    if "json_invalid" in kinds or not kinds:
        told = ErrorData(code=PARSE_ERROR, message=f"this line is no JSON; {WANTED}")
    else:
        told = ErrorData(code=INVALID_REQUEST, message=f"this line is no request; {WANTED}")
    return JSONRPCError(jsonrpc="2.0", id=None, error=told)
