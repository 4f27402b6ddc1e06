"""Finds kernels, assembly and library calls in CUDA C++ and in PTX, wherever such text stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from kb.measure.audit.marks import Found, Mark

KERNEL_WORD = "__global__"

_ATTRIBUTES = r"\s+(?:__\w+__\s*\([^)]*\)|[\w:<>,*&\s])*?\b(?!__)(\w+)\s*\("
_DEFINE = re.compile(r"(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n\\]|\\.|\\\n)*)")
_ASM = re.compile(r"\basm\s+(?:volatile\s*)?\(|\basm\s*\(|\basm\s+volatile")
_VENDOR = re.compile(r"\b((?:cublas|cudnn|nccl|cusolver|cusparse|cufft|curand)\w*)\s*\(")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_ENTRY = re.compile(r"\.entry\s+([\w$]+)")


def kernel_macros(text: str) -> frozenset[str]:
    """Macros that begin a kernel: a tree may define them once and use them in every file."""
    defined = _DEFINE.finditer(blank(_COMMENT, text))
    return frozenset(macro[1] for macro in defined if KERNEL_WORD in macro[2])


def native(text: str, name: str, macros: frozenset[str] = frozenset()) -> Iterator[Found]:
    """Everything vendor-bound in CUDA C++; `macros` are those of other files."""
    text = blank(_COMMENT, text)
    macros |= kernel_macros(text)
    for kernel in _kernel(macros).finditer(blank(_DEFINE, text)):
        part = 1 if kernel[1] else 2
        yield Found(Mark.CUDA_KERNEL, kernel[part], name, line_of(text, kernel.start(part)),
                    _length(text, kernel.end()))  # fmt: skip
    for found in _ASM.finditer(text):
        yield Found(Mark.INLINE_PTX, "asm", name, line_of(text, found.start()))
    for found in _VENDOR.finditer(text):
        yield Found(Mark.VENDOR_CALL, found[1], name, line_of(text, found.start()))


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
    for entry in _ENTRY.finditer(text):
        yield Found(Mark.INLINE_PTX, entry[1], name, line_of(text, entry.start(1)),
                    _length(text, entry.end()))  # fmt: skip


def blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with matches blanked out, so that line numbers stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def line_of(text: str, at: int) -> int:
    """The line of an offset, from 1."""
    return text.count("\n", 0, at) + 1


def _length(text: str, at: int) -> int:
    """Lines from the parameter list to the closing brace of a body."""
    start = text.find("{", at)
    if start < 0:
        return 0
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if depth == 0:
            return text.count("\n", at, index) + 1
    return 0
