"""Scans a source tree for what binds it to one vendor.

Python is read as syntax, so that a word in a string or a comment is no kernel. Other files
are read as text with their comments taken out. Nothing is imported or run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kb.measure.audit.heads import heads
from kb.measure.audit.marks import VARIABLE, Found, Mark
from kb.measure.audit.native import Lines, assembly, blank, macros_of, native
from kb.measure.audit.python import TOO_DEEP, constants_of, python

MAX_BYTES = 2_000_000
MAX_PYTHON_BYTES = 500_000
"""Taking Python apart costs some microseconds a character; what is longer was generated."""
SKIPPED = frozenset({"node_modules", "__pycache__", "build", "dist", "site-packages", "venv"})

_CUDA = (".cu", ".cuh")
_C = (*_CUDA, ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp")
_TEXT = (".yml", ".yaml", ".toml", ".cfg", ".txt", ".sh", ".bash", ".cmake", ".mk", ".Dockerfile")
_NAMES = ("Dockerfile", "Makefile", "CMakeLists.txt", "BUILD", "Containerfile")

_COMMENT_HASH = re.compile(r"(?m)(?:^|\s)#[^\n]*")

_WORDS = (
    (Mark.PROFILING, re.compile(r"\b(nsys|ncu|nsight\S*|nvtx\w*|nvprof)\b", re.I)),
    (Mark.DEVICE_TOOL, re.compile(r"\b(nvidia-smi|pynvml|nvidia-ml-py)\b")),
    (Mark.VARIABLE, VARIABLE),
    (
        Mark.CONTAINER,
        re.compile(r"\b(nvidia/cuda:[\w.\-]+|nvcr\.io/[\w./:\-]+|nvidia\.com/gpu)"),
    ),
    (
        Mark.DRIVER_PIN,
        re.compile(
            r"\b(nvidia-driver-\d+\w*|cuda-drivers\S*|cuda-toolkit-\S+|cuda==[\d.]+"
            r"|jax\[cuda[\w-]*\]|cupy-cuda\d+\w*|nvidia-(?:cuda|cudnn|cublas|nccl)[\w-]*)"
        ),
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
    texts = dict(_texts(top, seen))
    constants = {
        f"{dotted}.{word}": value
        for path, (name, text) in texts.items()
        if path.suffix == ".py"
        for dotted in [name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")]
        for word, value in constants_of(text)
    }
    native_texts = (text for path, (_, text) in texts.items() if path.suffix in _C)
    known = heads(macro for text in native_texts for macro in macros_of(text))
    for path, (name, text) in texts.items():
        seen.files += 1
        try:
            if path.suffix in _C:
                seen.found += native(text, name, known)
            else:
                seen.found += _read(path, name, text, constants)
        except SyntaxError as error:
            seen.unread.append(f"{name}: no valid Python in line {error.lineno}")
        except TOO_DEEP:
            seen.unread.append(f"{name}: no valid Python, or nested too deep")
    return seen


def _texts(top: Path, seen: Scan) -> Iterator[tuple[Path, tuple[str, str]]]:
    """Every file that can be read, with its name; what can't is noted."""
    for path in _files(top):
        name = path.name if path == top else path.relative_to(top).as_posix()
        if path.suffix == ".ipynb":
            seen.unread.append(f"{name}: a notebook; export its code as Python")
            continue
        try:
            most = MAX_PYTHON_BYTES if path.suffix == ".py" else MAX_BYTES
            if path.stat().st_size > most:
                seen.unread.append(f"{name}: larger than {most:,} bytes")
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            seen.unread.append(f"{name}: {error.strerror}")
            continue
        yield path, (name, text)


def _files(top: Path) -> Iterator[Path]:
    if top.is_file():
        yield top
        return
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith("."))
        for name in sorted(names):
            if name.endswith((".py", ".ipynb", ".ptx", *_C, *_TEXT)) or name in _NAMES:
                yield Path(folder, name)
    for hidden in (".github", ".gitlab-ci.yml", ".ci"):  # where CI keeps its assumptions
        path = top / hidden
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from (each for each in sorted(path.rglob("*")) if each.is_file())


def _read(path: Path, name: str, text: str, constants: Mapping[str, str]) -> Iterator[Found]:
    if path.suffix == ".py":
        yield from python(text, name, constants)
    elif path.suffix == ".ptx":
        yield from assembly(text, name)
    else:
        yield from _plain(blank(_COMMENT_HASH, text), name)


def _plain(text: str, name: str) -> Iterator[Found]:
    lines = Lines(text)
    for mark, pattern in _WORDS:
        for found in pattern.finditer(text):
            yield Found(mark, found[1], name, lines.of(found.start()))
