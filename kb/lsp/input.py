"""The bytes that an editor sends: a header that promises too much ends the server with a word.

The library reads a length of any size and lets what goes wrong with it end in a traceback; its
log shows a traceback for each message that it can't read.
"""

from __future__ import annotations

import io
import logging
import re
from typing import Any, BinaryIO

from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

from kb.finding import CheckError

LARGEST = 64_000_000
"""Bytes that one message may have: eight times the largest file that is read."""
LONGEST = 4_000
"""Bytes of one line of a header."""
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
                self._send_response(key, error=error.to_response_error())
            raise


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
