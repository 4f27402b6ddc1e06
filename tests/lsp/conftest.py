"""A real editor server in a process of its own, and a client that speaks with it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="comes with the extra lsp")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

KB = Path(sys.executable).with_name("kb")
SECONDS = 60


@dataclass
class Editor:
    """What a test does to a text, and what the server says about it."""

    client: LanguageClient
    root: Path
    shown: dict[str, list[types.Diagnostic]] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    versions: dict[str, int] = field(default_factory=dict)

    def uri(self, name: str) -> str:
        return (self.root / name).as_uri()

    def open(self, name: str, text: str | None = None, language: str = "markdown") -> None:
        held = (self.root / name).read_bytes().decode("utf-8") if text is None else text
        item = types.TextDocumentItem(self.uri(name), language, 1, held)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def type(self, name: str, text: str) -> None:
        """Put a whole new text into an open document."""
        version = self.versions[name] = self.versions.get(name, 1) + 1
        what = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(what, [whole]))

    def codes(self, name: str) -> list[str]:
        return [str(item.code) for item in self.shown.get(self.uri(name), [])]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something is so; it may be so at once."""
        for _ in range(SECONDS * 20):
            if holds():
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"it never became so; shown: {self.shown}, said: {self.messages}")


@asynccontextmanager
async def editor(
    root: Path, encoding: types.PositionEncodingKind = types.PositionEncodingKind.Utf16
) -> AsyncIterator[Editor]:
    """An editor that has opened a folder."""
    client = LanguageClient("test", "1")
    found = Editor(client, root)

    def published(params: types.PublishDiagnosticsParams) -> None:
        found.shown[params.uri] = list(params.diagnostics)

    def said(params: types.ShowMessageParams) -> None:
        found.messages.append(params.message)

    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(published)
    client.feature(types.WINDOW_SHOW_MESSAGE)(said)
    await client.start_io(str(KB), "lsp")
    general = types.GeneralClientCapabilities(position_encodings=[encoding])
    await client.initialize_async(
        types.InitializeParams(
            capabilities=types.ClientCapabilities(general=general),
            root_uri=root.as_uri(),
            workspace_folders=[types.WorkspaceFolder(root.as_uri(), "test")],
        )
    )
    client.initialized(types.InitializedParams())
    try:
        yield found
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call] # pygls gives it no types
