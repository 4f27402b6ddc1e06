"""The editor server on pygls: what the client asks and what it is told.

Judging takes longer than a key press, so it runs in a thread, and only for the last text.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol, cast

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from kb.finding import CheckError
from kb.home import Project, project_around
from kb.lsp.complete import offers
from kb.lsp.diagnostics import LANGUAGES, Item, of_prose, of_report
from kb.lsp.hover import hover_text
from kb.lsp.input import Answering, Bounded, log_in_lines
from kb.lsp.names import Named, comparison_at, named_at, place_of
from kb.lsp.repair import Repair, repairs
from kb.lsp.rest import resting
from kb.lsp.session import Judged, Session
from kb.lsp.wire import Wire
from kb.source import Document, Place

PAUSE = 0.1
"""Seconds without a key press after which the text is judged."""
CHARACTERS = (":", "/", "[", ".", " ", "-")


class Server(LanguageServer):
    """One server for one client and one project."""

    def __init__(self, project: Project | None = None) -> None:
        """`project` is the one to judge; without it, that around the client's folder."""
        super().__init__("kb", _version(), protocol_cls=Answering)
        self.fixed = project
        self.session: Session | None = None
        self.judged: Judged | None = None
        self.items: dict[str, list[Item]] = {}
        self.shown: set[str] = set()
        self.turn = self.done = 0
        self.judging = asyncio.Lock()

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ANN401 - as the library has it
        """Answer what can't be read as JSON; say the rest in a window, as the library does."""
        if isinstance(error, ValueError | RecursionError):
            cast("Answering", self.protocol).unread()
        else:
            super().report_server_error(error, source)

    def opened(self) -> tuple[Session, Wire]:
        """The session, begun at the first request that needs it."""
        if self.session is None:
            root = Path(self.workspace.root_path or ".")
            self.session = Session(lambda: self.fixed or project_around(root), _begun(root))
        return self.session, Wire(self.session, self.workspace.position_codec)

    def take(self, uri: str) -> None:
        """Remember the text of an open document."""
        session, wire = self.opened()
        name = wire.name(uri)
        if name is not None:
            text = self.workspace.get_text_document(uri).source
            session.drafts[name] = text.removeprefix("\ufeff").replace("\r\n", "\n")

    async def judge_soon(self, pause: float = PAUSE) -> None:
        """Judge once nothing has changed for a moment; an older text is never shown."""
        self.turn += 1
        turn = self.turn
        await asyncio.sleep(pause)
        async with self.judging:
            if turn == self.turn:
                try:
                    await self.judge_now()
                finally:  # whoever waits for it must not wait for ever
                    self.done = turn

    async def judge_now(self) -> None:
        """Judge everything as it is, and show what is wrong in every file."""
        session, wire = self.opened()
        try:
            loop = asyncio.get_running_loop()
            self.judged, self.items = await loop.run_in_executor(None, _judge, session)
        except CheckError as error:
            self.window_show_message(
                types.ShowMessageParams(types.MessageType.Error, f"kb: {error}; {error.remedy}")
            )
            return
        for name in sorted({*self.items, *self.shown}):
            lines = wire.lines(name)
            found = [wire.diagnostic(item, lines) for item in self.items.get(name, ())]
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(wire.uri(name), found)
            )
        self.shown = {name for name, items in self.items.items() if items}

    async def ready(self) -> Judged | None:
        """The last judgement; the first request waits for the first one."""
        if self.judged is None:
            async with self.judging:
                if self.judged is None:
                    await self.judge_now()
        return self.judged

    async def fresh(self) -> Judged | None:
        """The judgement of the texts as they are; waits while somebody types."""
        judged = await self.ready()
        while self.done != self.turn:
            await asyncio.sleep(PAUSE / 4)
            judged = self.judged
        return judged


def _begun(root: Path) -> Project:
    """The project around a folder, or the folder alone while its table can't be read."""
    try:
        return project_around(root)
    except CheckError:
        return Project(root)


def _judge(session: Session) -> tuple[Judged, dict[str, list[Item]]]:
    judged = session.judged()
    items = of_report(judged)
    for name, text in list(session.drafts.items()):
        suffix = PurePosixPath(name).suffix.lower()
        if suffix in LANGUAGES and not session.is_content(name):
            items[name] = list(of_prose(text, suffix, judged))
    return judged, items


def make(project: Project | None = None) -> Server:
    """A server with everything that it can do."""
    server = Server(project)
    server.feature(types.INITIALIZED)(_initialized)
    server.feature(types.TEXT_DOCUMENT_DID_OPEN)(_changed)
    server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(_changed)
    server.feature(types.TEXT_DOCUMENT_DID_SAVE)(_saved)
    server.feature(types.TEXT_DOCUMENT_DID_CLOSE)(_closed)
    server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_watched)
    server.feature(types.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(_definition)
    server.feature(types.TEXT_DOCUMENT_REFERENCES)(_references)
    completion = types.CompletionOptions(trigger_characters=list(CHARACTERS))
    server.feature(types.TEXT_DOCUMENT_COMPLETION, completion)(_completion)
    actions = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    server.feature(types.TEXT_DOCUMENT_CODE_ACTION, actions)(_actions)
    return server


def serve(project: Project | None = None) -> None:
    """Speak with a client over standard input and output until it says goodbye."""
    server = make(project)
    # Standard output is the wire: whatever else prints goes to standard error.
    wire = sys.stdout.buffer
    sys.stdout = sys.stderr
    log_in_lines()
    server.start_io(cast("BinaryIO", Bounded(sys.stdin.buffer)), wire)


async def _initialized(server: Server, _: types.InitializedParams) -> None:
    await server.judge_soon(0)


async def _changed(
    server: Server, params: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams
) -> None:
    server.take(params.text_document.uri)
    await server.judge_soon()


async def _saved(server: Server, _: types.DidSaveTextDocumentParams) -> None:
    await server.judge_soon(0)  # nobody saves while he types


async def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    session, wire = server.opened()
    session.drafts.pop(wire.name(params.text_document.uri) or "", None)
    await server.judge_soon()


async def _watched(server: Server, _: types.DidChangeWatchedFilesParams) -> None:
    await server.judge_soon()


class _Where(Protocol):
    """A request about one position of one text."""

    @property
    def text_document(self) -> types.TextDocumentIdentifier: ...
    @property
    def position(self) -> types.Position: ...


async def _at(
    server: Server, params: _Where, *, places: bool = True
) -> tuple[Named, Wire, Judged] | None:
    """What the cursor stands on; where `places` are asked for, by the newest judgement."""
    judged = await (server.fresh() if places else server.ready())
    _, wire = server.opened()
    name = wire.name(params.text_document.uri)
    if judged is None or name is None:
        return None
    lines = wire.lines(name)
    at = wire.position(params.position, lines)
    line, column = lines[at.line - 1] if lines else "", at.column - 1
    found = named_at(line, column, name, judged.corpus, set(judged.slugs))
    # On the words around two ids, the two are meant together.
    if found is None and not places:
        found = comparison_at(line, column, judged.corpus)
    return (found, wire, judged) if found else None


async def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    found = await _at(server, params, places=False)
    if found is None:
        return None
    text = hover_text(found[0], found[2])
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text))


async def _definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    found = await _at(server, params)
    if found is None:
        return None
    named, wire, judged = found
    if named.kind == "rule":
        rule = judged.rules.find(named.id)
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        uri = uris.from_fs_path(str(rule.path)) if rule else None
        return types.Location(uri, start) if uri else None
    place = place_of(named, judged.corpus)
    return _location(place, wire, judged) if place else None


async def _references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    found = await _at(server, params)
    if found is None:
        return None
    named, wire, judged = found
    return [
        wire.location(place.path, judged.corpus.documents[place.path].locate(place))
        for place in resting(named.id, judged.corpus)
    ]


def _location(place: Place, wire: Wire, judged: Judged) -> types.Location | None:
    document = judged.corpus.documents.get(place.path)
    return wire.location(place.path, document.locate(place)) if document else None


async def _completion(
    server: Server, params: types.CompletionParams
) -> types.CompletionList | None:
    judged = await server.ready()
    _, wire = server.opened()
    name = wire.name(params.text_document.uri)
    if judged is None or name is None:
        return None
    lines = wire.lines(name)
    at = wire.position(params.position, lines)
    items = []
    for offer in offers(lines[at.line - 1] if lines else "", at.column - 1, judged):
        start = types.Position(at.line - 1, offer.start)
        typed = types.Range(start, types.Position(at.line - 1, at.column - 1))
        edit = types.TextEdit(wire.codec.range_to_client_units(lines, typed), offer.id)
        kind = types.CompletionItemKind.Reference
        items.append(types.CompletionItem(offer.id, kind=kind, detail=offer.detail, text_edit=edit))
    return types.CompletionList(is_incomplete=False, items=items)


async def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction] | None:
    judged = await server.fresh()
    _, wire = server.opened()
    name = wire.name(params.text_document.uri)
    if judged is None or name is None:
        return None
    lines = wire.lines(name)
    text = "\n".join(lines)
    known = judged.corpus.documents.get(name)
    body = known.body_line if known else 1
    document = Document(name, text, body_line=body)
    found: list[types.CodeAction] = []
    for item in server.items.get(name, ()):
        shown = wire.diagnostic(item, lines)
        if _apart(shown.range, params.range):
            continue
        found += [
            _action(repair, shown, params.text_document.uri, wire, lines)
            for repair in repairs(item, document, judged.corpus)
        ]
    return found


def _action(
    repair: Repair, shown: types.Diagnostic, uri: str, wire: Wire, lines: list[str]
) -> types.CodeAction:
    edit = types.TextEdit(wire.range(repair.span, lines), repair.text)
    return types.CodeAction(
        title=repair.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[shown],
        is_preferred=repair.preferred or None,
        edit=types.WorkspaceEdit(changes={uri: [edit]}),
    )


def _apart(one: types.Range, other: types.Range) -> bool:
    return _order(one.end) < _order(other.start) or _order(other.end) < _order(one.start)


def _order(at: types.Position) -> tuple[int, int]:
    return at.line, at.character


def _version() -> str:
    try:
        return version("accelerator-kb")
    except PackageNotFoundError:
        return "0"
