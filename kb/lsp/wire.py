"""Between our positions and the protocol's: lines from 0, columns in the client's units."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec

from kb.finding import Severity
from kb.lsp.diagnostics import Item
from kb.lsp.session import Session
from kb.source import Position, Span

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


class Wire:
    """Translates for one session and one client."""

    def __init__(self, session: Session, codec: PositionCodec) -> None:
        self.session, self.codec = session, codec

    def uri(self, name: str) -> str:
        """The address of a file of a report."""
        path = str(self.session.path_of(name).absolute())
        return uris.from_fs_path(path) or path

    def lines(self, name: str) -> list[str]:
        """The lines of a file as the client has it: the draft, else what is saved."""
        draft = self.session.drafts.get(name)
        if draft is None:
            try:
                raw = self.session.path_of(name).read_bytes()
            except OSError:
                return []
            draft = raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        return draft.split("\n")

    def range(self, span: Span, lines: list[str]) -> types.Range:
        """A stretch of text; at least one character, so that an editor shows it."""
        start = types.Position(span.start.line - 1, span.start.column - 1)
        end = types.Position(span.end.line - 1, span.end.column - 1)
        return self.codec.range_to_client_units(lines, types.Range(start, end))

    def position(self, at: types.Position, lines: list[str]) -> Position:
        """The client's position as ours; a position past the text is its end."""
        if at.line >= len(lines):
            return Position(len(lines), len(lines[-1]) + 1 if lines else 1)
        found = self.codec.position_from_client_units(lines, at)
        return Position(found.line + 1, found.character + 1)

    def diagnostic(self, item: Item, lines: list[str]) -> types.Diagnostic:
        """One finding with its remedy and its related places."""
        text = f"{item.message}\nfix: {item.remedy}" if item.remedy else item.message
        return types.Diagnostic(
            range=self.range(item.span, lines),
            message=text,
            severity=SEVERITIES[item.severity],
            code=item.rule,
            source="kb",
            related_information=[
                types.DiagnosticRelatedInformation(
                    self.location(mark.path, mark.span), mark.text or "related"
                )
                for mark in item.related
            ],
        )

    def location(self, name: str, span: Span) -> types.Location:
        """A place in a file of the project or of the installation."""
        return types.Location(self.uri(name), self.range(span, self.lines(name)))

    def name(self, uri: str) -> str | None:
        """The project's name of the file at an address; None for what is elsewhere."""
        try:
            path = uris.to_fs_path(uri)
            return self.session.name_of(Path(path)) if path else None
        except (OSError, ValueError):  # an address that no file can have
            return None
