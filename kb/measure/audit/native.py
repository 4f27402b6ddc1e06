"""Finds kernels, assembly and library calls in CUDA C++ and in PTX, wherever such text stands."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from kb.measure.audit.marks import Found, Mark

KERNEL_WORD = "__global__"

_ATTRIBUTES = (
    r"\s{1,99}(?:__\w{1,99}__\s{0,99}\([^)]{0,999}\)|[\w:<>,*&\s]){0,999}?"
    r"\b(?!__)(\w{1,999})\s{0,99}\("
)
_DEFINE = re.compile(r"(?m)^[ \t]{0,99}#[ \t]{0,99}define[ \t]{1,99}(\w+)((?:[^\n\\]|\\.|\\\n)*)")
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


def kernel_macros(text: str) -> frozenset[str]:
    """Macros that begin a kernel: a tree may define them once and use them in every file."""
    defined = _DEFINE.finditer(blank(_COMMENT, text))
    return frozenset(macro[1] for macro in defined if KERNEL_WORD in macro[2])


def native(text: str, name: str, macros: frozenset[str] = frozenset()) -> Iterator[Found]:
    """Everything vendor-bound in CUDA C++; `macros` are those of other files."""
    text = blank(_COMMENT, text)
    lines = Lines(text)
    macros |= kernel_macros(text)
    for kernel in _kernel(macros).finditer(blank(_DEFINE, text)):
        part = 1 if kernel[1] else 2
        yield Found(Mark.CUDA_KERNEL, kernel[part], name, lines.of(kernel.start(part)),
                    lines.length(kernel.end()))  # fmt: skip
    for found in _ASM.finditer(text):
        yield Found(Mark.INLINE_PTX, "asm", name, lines.of(found.start()))
    for found in _VENDOR.finditer(text):
        yield Found(Mark.VENDOR_CALL, found[1], name, lines.of(found.start()))


@lru_cache(maxsize=64)
def _kernel(macros: frozenset[str]) -> re.Pattern[str]:
    """The head of a kernel: its word or a macro before the name, or a macro around it."""
    words = "|".join(sorted(macros))
    around = rf"|\b(?:{words})\s*\(\s*(\w+)" if words else "|(?!)()"
    before = rf"\b(?:{'|'.join((KERNEL_WORD, *sorted(macros)))})"
    return re.compile(before + _ATTRIBUTES + around)


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
