"""Finds the lines of a CUDA source that the CPU build leaves out, so that no test runs them."""

from __future__ import annotations

import re
from pathlib import Path

HOST = "KB_HOST"
_DIRECTIVE = re.compile(r"^\s*#\s*(ifdef|ifndef|if|elif|else|endif)\b\s*(.*)")


def untested(text: str) -> tuple[tuple[int, int], ...]:
    """First and last line of each part of `text` that is there only without `KB_HOST`.

    Lines count from 1; the directives themselves are left out. Only `#ifdef KB_HOST`,
    `#ifndef KB_HOST` and their `#else` are understood; raises `ValueError` where another
    condition names the macro, so that nothing is overlooked.
    """
    found: list[tuple[int, int]] = []
    stack: list[bool | None] = []  # does the CPU build see the part? None: not our business
    begun = None
    for number, line in enumerate(text.splitlines(), start=1):
        directive = _DIRECTIVE.match(line)
        if directive is None:
            if HOST in line and line.lstrip().startswith("#"):
                raise _unclear(number)
            continue
        was = False in stack
        _step(stack, directive[1], directive[2].strip(), number)
        if False in stack and not was:
            begun = number + 1
        elif was and False not in stack and begun is not None:
            found += [(begun, number - 1)]
    return tuple(found)


def _step(stack: list[bool | None], word: str, condition: str, number: int) -> None:
    if word == "endif":
        stack.pop()
    elif word == "else":
        stack[-1] = None if stack[-1] is None else not stack[-1]
    elif condition == HOST and word in ("ifdef", "ifndef"):
        stack.append(word == "ifdef")
    elif HOST in condition or (word == "elif" and stack[-1] is not None):
        raise _unclear(number)
    elif word != "elif":
        stack.append(None)


def _unclear(number: int) -> ValueError:
    return ValueError(f"line {number} asks for {HOST} in a way that is not understood")


def of_file(path: Path) -> tuple[tuple[int, int], ...]:
    """The untested lines of a source file."""
    return untested(path.read_text(encoding="utf-8"))
