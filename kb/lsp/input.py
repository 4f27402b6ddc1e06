"""The bytes that an editor sends: a header that promises too much ends the server with a word.

The library reads a length of any size and lets what goes wrong with it end in a traceback; its
log shows a traceback for each message that it can't read.
"""

from __future__ import annotations

import io
import logging
import re
from typing import Any, BinaryIO

from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
)
from pygls.protocol import LanguageServerProtocol

from kb.finding import CheckError

LARGEST = 64_000_000
"""Bytes that one message may have: eight times the largest file that is read."""
LONGEST = 4_000
"""Bytes of one line of a header."""
WANTED = 'write one object, as {"jsonrpc": "2.0", "id": 1, "method": "shutdown"}'
log = logging.getLogger("pygls.kb")
_LENGTH = re.compile(rb"Content-Length: (\d{1,12})\r\n\Z")


class Bounded(io.RawIOBase):
    """A stream of headers and messages, each within a limit."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self, _size: int | None = -1, /) -> bytes:
        """The next line, or a part of a long one; raises `CheckError` for too large a body."""
        line = self._stream.readline(LONGEST)
        found = _LENGTH.match(line)
        if found and int(found[1]) > LARGEST:
            raise CheckError(
                f"the editor announces a message of {int(found[1]):,} bytes; {LARGEST:,} are read",
                "open a smaller file, or end the server",
            )
        return line if found or not line.startswith(b"Content-Length") else b"\n"

    def read(self, size: int = -1, /) -> bytes:
        """The body of a message."""
        return self._stream.read(size)


class Answering(LanguageServerProtocol):
    """The protocol of the library, which answers a request that it can't read, too."""

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - as the library has it
        """A message from its parts; every part of every message passes here."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            key = data.get("id")
            if isinstance(key, int | str) and "method" in data:
                known = self.get_message_type(str(data["method"])) is not None
                told = error if known else JsonRpcMethodNotFound()
                self._send_response(key, error=told.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:  # noqa: ANN401 - whatever JSON it was
        """Take one message; what is none, such as a list of them, gets an error."""
        if getattr(message, "jsonrpc", None) == self.VERSION:
            super().handle_message(message)
            return
        code, told = JsonRpcInvalidRequest.CODE, "this is no message of JSON-RPC 2.0"
        log.error("%s, but %s", told, _described(message))
        self.refuse(code, f"{told}; {WANTED}", message)

    def unread(self) -> None:
        """Answer a body that is no JSON."""
        self.refuse(JsonRpcParseError.CODE, f"this is no JSON; {WANTED}")

    def refuse(self, code: int, told: str, message: Any = None) -> None:  # noqa: ANN401 - as above
        """Send an error; who sent no id that can be read gets null."""
        held = message.get("id") if isinstance(message, dict) else getattr(message, "id", None)
        key = held if isinstance(held, int | str) else None
        error = {"code": code, "message": told}
        self._send_data({"jsonrpc": self.VERSION, "id": key, "error": error})


def _described(message: object) -> str:
    """What was sent instead of a message, in a word or two."""
    if (version := getattr(message, "jsonrpc", None)) is not None:
        return f"of version {version!r}"[:60]
    names = {dict: "an object without it", list: "a list", str: "a text", type(None): "null"}
    return names.get(type(message), f"{str(message)[:40]!r}")


class OneLine(logging.Formatter):
    """A record of a log without the traceback: an editor shows it to somebody who types."""

    def format(self, record: logging.LogRecord) -> str:
        """One line: what happened, and the last words of why."""
        first = next(iter(record.getMessage().splitlines()), "")
        error = record.exc_info[1] if record.exc_info else None
        why = f": {str(error).splitlines()[0]}" if error is not None and str(error) else ""
        return f"kb lsp: {first[:200]}{why[:200]}"


def log_in_lines() -> None:
    """Let the log of the library go to standard error in lines."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine())
    handler.setLevel(logging.ERROR)
    logger = logging.getLogger("pygls")
    logger.handlers, logger.propagate = [handler], False
