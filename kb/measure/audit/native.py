"""Finds kernels, assembly and library calls in CUDA C++ and in PTX, wherever such text stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from kb.measure.audit.heads import DEFINE, Heads, Macro, defined, heads, kernels
from kb.measure.audit.marks import Found, Mark

_ASM = re.compile(r"\basm\s{0,99}(?:volatile|\()")
_VENDOR = re.compile(r"\b((?:cublas|cudnn|nccl|cusolver|cusparse|cufft|curand)\w*)\s{0,99}\(")
_COMMENT = re.compile(r"//[^\n]*|/\*(?:.*?\*/|.*\Z)", re.S)
_ENTRY = re.compile(r"\.entry\s+([\w$]+)")


class Lines:
    """The lines of a text, and where each brace of it is closed; found once, asked often."""

    def __init__(self, text: str) -> None:
        self.ends = [found.start() for found in re.finditer("\n", text)]
        self._text = text
        self._closing: dict[int, int] | None = None

    def of(self, at: int) -> int:
        """The line of an offset, from 1."""
        return bisect_left(self.ends, at) + 1

    def length(self, at: int) -> int:
        """Lines from a parameter list at `at` to the closing brace of the body behind it."""
        if self._closing is None:
            self._closing = dict(_closed(self._text))
            self._open = sorted(self._closing)
        index = bisect_left(self._open, at)
        if index == len(self._open):
            return 0
        end = self._closing[self._open[index]]
        return self.of(end) - self.of(at) + 1 if end >= 0 else 0


def _closed(text: str) -> Iterator[tuple[int, int]]:
    """Every opening brace with the one that closes it; -1 where none does."""
    opened: list[int] = []
    for brace in re.finditer("[{}]", text):
        if brace[0] == "{":
            opened.append(brace.start())
        elif opened:
            yield opened.pop(), brace.start()
    yield from ((at, -1) for at in opened)


def macros_of(text: str) -> tuple[Macro, ...]:
    """The macros of a file: a tree may define them once and use them everywhere."""
    return tuple(defined(blank(_COMMENT, text)))


def native(text: str, name: str, known: Heads | None = None) -> Iterator[Found]:
    """Everything vendor-bound in CUDA C++; `known` are the words that begin a kernel.

    Without them it is the file's own macros that count.
    """
    text = blank(_COMMENT, text)
    lines = Lines(text)
    known = heads(defined(text)) if known is None else known
    for kernel, at, end in kernels(blank(DEFINE, text), known):
        yield Found(Mark.CUDA_KERNEL, kernel, name, lines.of(at), lines.length(end))
    for found in _ASM.finditer(text):
        yield Found(Mark.INLINE_PTX, "asm", name, lines.of(found.start()))
    for found in _VENDOR.finditer(text):
        yield Found(Mark.VENDOR_CALL, found[1], name, lines.of(found.start()))


def assembly(text: str, name: str) -> Iterator[Found]:
    """The kernels of a file in PTX."""
    text = blank(_COMMENT, text)
    lines = Lines(text)
    for entry in _ENTRY.finditer(text):
        yield Found(Mark.INLINE_PTX, entry[1], name, lines.of(entry.start(1)),
                    lines.length(entry.end()))  # fmt: skip


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with matches blanked out, so that line numbers stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
