"""Where code stands in prose: fenced blocks, and spans between backticks.

Each is found in time that grows with the text, however many marks are never closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(
    r"^(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n(?P<text>.*?)(?:^(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_TICKS = re.compile(r"`+")


@dataclass(frozen=True)
class CodeSpan:
    """Code between two runs of backticks; `start` and `end` count the runs in."""

    start: int
    end: int
    text: str


def code_spans(text: str, *, within_paragraph: bool = False) -> Iterator[CodeSpan]:
    """Every code span outside fences, in order: a run ends at the next run of its length.

    `within_paragraph` passes over those that an empty line cuts in two.
    """
    ticks = list(_TICKS.finditer(text))
    nearest: dict[int, re.Match[str]] = {}
    closings: list[re.Match[str] | None] = []
    for run in reversed(ticks):
        closings.append(nearest.get(len(run[0])))
        nearest[len(run[0])] = run
    done = 0
    for run, closing in zip(ticks, reversed(closings), strict=True):
        if closing is None or run.start() < done:
            continue
        if within_paragraph and "\n\n" in text[run.end() : min(closing.start(), run.end() + 2000)]:
            continue
        yield CodeSpan(run.start(), closing.end(), text[run.end() : closing.start()])
        done = closing.end()


def without_code(body: str) -> str:
    """The prose alone."""
    text = FENCE.sub("", body)
    parts, done = [], 0
    for span in code_spans(text):
        parts.append(text[done : span.start])
        done = span.end
    return "".join([*parts, text[done:]])
