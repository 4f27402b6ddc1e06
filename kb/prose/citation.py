"""What a typed citation is, where one stands in a text, and what can be wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from kb.prose.text import code_blanked

Flaw = Literal[
    "broken-citation",
    "stale-citation",
    "compare-citation-without-ratio",
    "bracket-ignored",
    "compiled-evidence-cited-for-speed",
]
KINDS = ("claim", "compare", "evidence", "result", "decision", "rule")
"""What a typed citation may lead to."""

_LINK = re.compile(
    rf"\[(?P<text>[^\[\]]*)\]\(\s*<?(?P<target>(?P<kind>{'|'.join(KINDS)}):[^\s()<>]*)"
)


@dataclass(frozen=True, slots=True)
class Citation:
    """One typed citation, with the places of its text and of its target."""

    kind: str
    target: str
    """What stands behind the kind: an id, or `left..right`."""
    text: str
    start: int
    end: int
    target_start: int
    target_end: int


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a citation."""

    flaw: Flaw
    start: int
    end: int
    message: str
    remedy: str
    replacement: str = ""
    """The text that the link should have; empty where it is not known."""

    def instead(self, text: str) -> str:
        """What can stand in place of the marked part of the link's text; empty where unknown."""
        opened = text.rfind("[", 0, self.start) + 1
        closed = text.find("]", self.end)
        before, after = text[opened : self.start], text[self.end : closed]
        return self.replacement.removeprefix(before).removesuffix(after)


def citations(text: str) -> list[Citation]:
    """Every typed citation of a Markdown text outside code, in order."""
    if not any(f"{kind}:" in text for kind in KINDS):
        return []
    plain = code_blanked(text)
    return [
        Citation(
            match["kind"],
            match["target"].partition(":")[2],
            text[match.start("text") : match.end("text")],
            match.start("text"),
            match.end("text"),
            match.start("target"),
            match.end("target"),
        )
        for match in _LINK.finditer(plain)
    ]
