"""What a rule says about itself: its docstring, cut into message, why, refused, accepted."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass

HEADINGS = ("Why", "Refused", "Accepted")

_HEADING = re.compile(r"^\*\*(Why|Refused|Accepted)\.?\*\*", re.MULTILINE)
_FENCE = re.compile(r"^```(\w+) *([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced example of a docstring."""

    language: str
    kind: str
    """What the text is a part of: `spec`, `decision`, `sources`, `evidence`."""
    text: str


@dataclass(frozen=True, slots=True)
class RuleText:
    """The four parts of a rule's docstring, in Markdown."""

    message: str
    why: str
    refused: str
    accepted: str

    def blocks(self, part: str) -> tuple[Block, ...]:
        """The examples under `refused` or `accepted`."""
        text = self.refused if part == "refused" else self.accepted
        return tuple(Block(*match.groups()) for match in _FENCE.finditer(text))


def parse_docstring(docstring: str | None) -> RuleText:
    """Cut a docstring into its parts.

    Raises `ValueError` with the reason where a part is missing, empty or out of order, or
    where an example has no fenced block.
    """
    text = inspect.cleandoc(docstring or "")
    if not text:
        raise ValueError("it has no docstring")
    found = list(_HEADING.finditer(text))
    names = tuple(match[1] for match in found)
    if names != HEADINGS:
        wanted = ", ".join(f"**{name}**" for name in HEADINGS)
        raise ValueError(f"its docstring must hold the headings {wanted} once and in this order")
    message = " ".join(text[: found[0].start()].split())
    parts = [text[start:end].strip() for start, end in _stretches(text, found)]
    for name, part in zip(("message", *HEADINGS), (message, *parts), strict=True):
        if not part:
            raise ValueError(f"the part '{name}' of its docstring is empty")
    if not message.endswith((".", "?", "!")):
        raise ValueError("its docstring must begin with one sentence that ends in a full stop")
    rule_text = RuleText(message, *parts)
    for part in ("refused", "accepted"):
        if not rule_text.blocks(part):
            raise ValueError(f"the part '{part.title()}' of its docstring has no fenced example")
    return rule_text


def _stretches(text: str, found: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    ends = [match.start() for match in found[1:]] + [len(text)]
    return zip((match.end() for match in found), ends, strict=True)
