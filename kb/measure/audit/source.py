"""Scans a source tree for what binds it to one vendor.

Python is read as syntax, so that a word in a string or a comment is no kernel. Other files
are read as text with their comments taken out. Nothing is imported or run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kb.measure.audit.marks import Found, Mark
from kb.measure.audit.python import python

MAX_BYTES = 2_000_000
SKIPPED = frozenset({"node_modules", "__pycache__", "build", "dist", "site-packages", "venv"})

_CUDA = (".cu", ".cuh")
_C = (*_CUDA, ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp")
_TEXT = (".yml", ".yaml", ".toml", ".cfg", ".txt", ".sh", ".bash", ".cmake", ".mk", ".Dockerfile")
_NAMES = ("Dockerfile", "Makefile", "CMakeLists.txt", "BUILD", "Containerfile")

_KERNEL = re.compile(r"__global__\s+(?:__\w+__\s*\([^)]*\)|[\w:<>,*&\s])*?\b(?!__)(\w+)\s*\(")
_ASM = re.compile(r"\basm\s+(?:volatile\s*)?\(|\basm\s*\(|\basm\s+volatile")
_VENDOR = re.compile(r"\b((?:cublas|cudnn|nccl|cusolver|cusparse|cufft|curand)\w*)\s*\(")
_COMMENT_C = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_COMMENT_HASH = re.compile(r"(?m)(?:^|\s)#[^\n]*")

_WORDS = (
    (Mark.PROFILING, re.compile(r"\b(nsys|ncu|nsight\S*|nvtx\w*|nvprof)\b", re.I)),
    (Mark.DEVICE_TOOL, re.compile(r"\b(nvidia-smi|pynvml|nvidia-ml-py|CUDA_VISIBLE_DEVICES)\b")),
    (Mark.CONTAINER, re.compile(r"\b(nvidia/cuda:[\w.\-]+|nvcr\.io/[\w./:\-]+)")),
    (
        Mark.DRIVER_PIN,
        re.compile(r"\b(nvidia-driver-\d+\w*|cuda-drivers\S*|cuda-toolkit-\S+|cuda==[\d.]+)"),
    ),
    (Mark.BUILD, re.compile(r"\b(nvcc|(?:sm|compute)_\d{2,3}[af]?)\b")),
)


@dataclass(slots=True)
class Scan:
    """What a scan has seen."""

    files: int = 0
    found: list[Found] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Files that could not be read or are no valid Python; none is skipped in silence."""

    def of(self, group: str) -> tuple[Found, ...]:
        """Everything of one group, in the order of files and lines."""
        return tuple(each for each in self.found if each.mark.group == group)


def scan(top: Path) -> Scan:
    """Everything vendor-bound below `top`, or in the one file that it is."""
    seen = Scan()
    for path in _files(top):
        name = path.name if path == top else path.relative_to(top).as_posix()
        try:
            if path.stat().st_size > MAX_BYTES:
                seen.unread.append(f"{name}: larger than {MAX_BYTES:,} bytes")
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            seen.unread.append(f"{name}: {error.strerror}")
            continue
        seen.files += 1
        try:
            seen.found += _read(path, name, text)
        except SyntaxError as error:
            seen.unread.append(f"{name}: no valid Python in line {error.lineno}")
    return seen


def _files(top: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
        return
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith("."))
        for name in sorted(names):
            if name.endswith((".py", *_C, *_TEXT)) or name in _NAMES:
                yield Path(folder, name)
    for hidden in (".github", ".gitlab-ci.yml", ".ci"):  # where CI keeps its assumptions
        path = top / hidden
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from (each for each in sorted(path.rglob("*")) if each.is_file())


def _read(path: Path, name: str, text: str) -> Iterator[Found]:
    if path.suffix == ".py":
        yield from python(text, name)
    elif path.suffix in _C:
        yield from _native(_blank(_COMMENT_C, text), name)
    else:
        yield from _plain(_blank(_COMMENT_HASH, text), name)


def _native(text: str, name: str) -> Iterator[Found]:
    for kernel in _KERNEL.finditer(text):
        yield Found(Mark.CUDA_KERNEL, kernel[1], name, _line(text, kernel.start(1)),
                    _length(text, kernel.end()))  # fmt: skip
    for found in _ASM.finditer(text):
        yield Found(Mark.INLINE_PTX, "asm", name, _line(text, found.start()))
    for found in _VENDOR.finditer(text):
        yield Found(Mark.VENDOR_CALL, found[1], name, _line(text, found.start()))


def _plain(text: str, name: str) -> Iterator[Found]:
    for mark, pattern in _WORDS:
        for found in pattern.finditer(text):
            yield Found(mark, found[1], name, _line(text, found.start()))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with matches blanked out, so that line numbers stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _line(text: str, at: int) -> int:
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
