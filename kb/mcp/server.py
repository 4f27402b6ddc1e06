"""The server: five tools that read, over standard input and output.

A tool answers with the JSON of the command of its name, so that the schemas in `schemas/` hold
for both. What a command refuses is an error of the tool, with what to type instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from threading import Lock
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from kb.finding import CheckError
from kb.prose.answer import LONGEST_TEXT
from kb.verdict import VerdictKind

Data = dict[str, Any]
ClaimId = Annotated[str, Field(description="claim or result, such as tpu-v6e/chip-hbm-bandwidth")]
RecordId = Annotated[
    str, Field(description="claim, product, source, decision or evidence record, such as tpu-v6e")
]

INSTRUCTIONS = (
    "Figures of AI accelerators with their qualifiers and sources. Ask `search` for ids, `show` "
    "for a figure, `compare` before you set two figures against each other, and `lint` for every "
    "sentence with figures that you write. Only the verdicts "
    f"`{VerdictKind.COMPARABLE.value}` and `{VerdictKind.AFTER_DERIVATION.value}` allow a ratio: "
    "with another one, give its reasons instead."
)
_ONE_AT_A_TIME = Lock()
"""Commands print, and there is one standard output; tools run in threads."""
READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@dataclass(frozen=True)
class Commands:
    """What answers the tools; each raises `CheckError` for what it refuses."""

    search: Callable[[str, int], Data]
    show: Callable[[str], Data]
    compare: Callable[[str, str], Data]
    lint: Callable[[str, str], Data]
    impact: Callable[[str], Data]


def server(commands: Commands) -> MCPServer:
    """A server with the five tools, not yet running."""
    made = MCPServer(
        "accelerator-kb", version=version("accelerator-kb"), instructions=INSTRUCTIONS,
        log_level="WARNING",
    )  # fmt: skip

    @made.tool(annotations=READS)
    def search(
        words: Annotated[str, Field(description="words or values, such as: v6e bandwidth")],
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
    ) -> Data:
        """Finds claims, products, decisions, evidence and rules by words or printed values."""
        return _told(lambda: commands.search(words, limit))

    @made.tool(annotations=READS)
    def show(id: RecordId) -> Data:  # noqa: A002 - the name that the commands and files use
        """Shows one record whole: a claim comes with its qualifiers, statements and sources."""
        return _told(lambda: commands.show(id))

    @made.tool(annotations=READS)
    def compare(left: ClaimId, right: ClaimId) -> Data:
        """Judges whether two figures may be compared, with reasons, steps and the ratio."""
        return _told(lambda: commands.compare(left, right))

    @made.tool(annotations=READS)
    def lint(
        text: Annotated[str, Field(max_length=LONGEST_TEXT)],
        language: Literal["markdown", "rst", "plain"] = "markdown",
    ) -> Data:
        """Judges every accelerator figure in a text; offsets count characters from 0."""
        return _told(lambda: commands.lint(text, language))

    @made.tool(annotations=READS)
    def impact(id: RecordId) -> Data:  # noqa: A002 - as above
        """Lists what rests on a record, directly or through others."""
        return _told(lambda: commands.impact(id))

    return made


def _told(work: Callable[[], Data]) -> Data:
    try:
        with _ONE_AT_A_TIME:
            return work()
    except CheckError as error:
        raise ToolError(f"{error}\n  fix: {error.remedy}") from None
