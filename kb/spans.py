"""Where code stands in prose: fenced blocks, and spans between backticks.

Each is found in time that grows with the text, however many marks are never closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# As CommonMark has it: up to three spaces before the marks, no backtick in the words after
# backticks (else it is code in a line), and nothing but blanks after the closing marks.
_OPENING = r" {0,3}(?P<mark>`{3,}+(?![^\n]*`)|~{3,}+)"
FENCE = re.compile(
    rf"^{_OPENING}[^\n]*+(?:\n(?P<text>.*?)(?:^ {{0,3}}(?P=mark)[`~]*[ \t\r]*$|\Z)|\Z)",
    re.MULTILINE | re.DOTALL,
)
"""A fenced block with its marks; one that is never closed reaches to the end."""

OPENS = re.compile(_OPENING)
"""Where a line begins a fenced block."""

_CLOSES = re.compile(r" {0,3}(?P<mark>`{3,}+|~{3,}+)[ \t\r]*\Z")
_TICKS = re.compile(r"`+")


def outside_fences(lines: Iterable[str], start: int = 0) -> Iterator[tuple[int, str]]:
    """The lines that stand in no fenced block, counted from `start`."""
    fence = ""
    for number, line in enumerate(lines, start):
        if fence:
            mark = _CLOSES.match(line)
            if mark is not None and mark["mark"].startswith(fence):
                fence = ""
        elif (mark := OPENS.match(line)) is not None:
            fence = mark["mark"]
        else:
            yield number, line


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
