"""Where kernels begin in CUDA C++: the word itself, and the macros of a tree that stand for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

KERNEL_WORD = "__global__"

DEFINE = re.compile(
    r"(?m)^[ \t]{0,99}#[ \t]{0,99}define[ \t]{1,99}(\w+)(\([^)\n]{0,999}\))?((?:[^\n\\]|\\.|\\\n)*)"
)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_WORD = re.compile(r"\w+")
_STOP = re.compile(r"[(;{}=]")
_LAST = re.compile(r"(\w+)\s*\Z")
_NAMED = re.compile(r"(\w+)(?:\s*##\s*\w+)*\s*\(")
FARTHEST = 2_000
"""Characters between the word and the kernel's parameter list."""
NO_NAMES = frozenset({"void", "static", "inline", "extern"})


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro as it is defined."""

    name: str
    parameters: tuple[str, ...] | None
    """None where it takes none."""
    body: str


@dataclass(frozen=True, slots=True)
class Head:
    """How the use of a word begins a kernel."""

    takes: bool = False
    """Whether the word has arguments of its own."""
    argument: int | None = None
    """Which of them names the kernel."""
    fixed: str = ""
    """The name, where the macro holds it; without either, it follows the use."""


Heads = Mapping[str, Head]
PLAIN: Heads = {KERNEL_WORD: Head()}


def defined(text: str) -> Iterator[Macro]:
    """Every macro of a text without comments."""
    for found in DEFINE.finditer(text):
        inside = found[2]
        names = tuple(_WORD.findall(inside)) if inside else None
        yield Macro(found[1], names, _STRING.sub('""', found[3]))


def heads(macros: Iterable[Macro]) -> Heads:
    """The words that begin a kernel, macros of macros included."""
    known = dict(PLAIN)
    left = {macro: set(_WORD.findall(macro.body)) for macro in macros}
    while True:
        new = [macro for macro, words in left.items() if words & known.keys()]
        if not new:
            return known
        for macro in new:
            words = left.pop(macro)
            known.setdefault(macro.name, _head(macro, words & known.keys()))


def _head(macro: Macro, openers: Iterable[str]) -> Head:
    """What a use of the macro looks like: its body tells where the name stands."""
    at = min(found.end() for word in openers for found in re.finditer(rf"\b{word}\b", macro.body))
    takes = macro.parameters is not None
    for found in _NAMED.finditer(macro.body, at):
        parts = _WORD.findall(found[0])
        named = [part for part in parts if part in (macro.parameters or ())]
        if named:
            return Head(takes, (macro.parameters or ()).index(named[0]))
        if not found[1].startswith("__") and found[1] not in NO_NAMES:
            return Head(takes, fixed=found[1])
    return Head(takes)


def kernels(text: str, known: Heads) -> Iterator[tuple[str, int, int]]:
    """Name of each kernel, where it stands, and where its parameters begin or the head ends."""
    words = "|".join(sorted(known, key=len, reverse=True))
    for found in re.finditer(rf"\b(?:{words})\b", text):
        head, at = known[found[0]], found.end()
        arguments: list[tuple[str, int]] = []
        if head.takes:
            arguments, at = _arguments(text, at)
        if head.fixed:
            yield head.fixed, found.start(), at
        elif head.argument is not None:
            if head.argument < len(arguments):
                name, where = arguments[head.argument]
                yield name, where, at
        else:
            yield from _named_behind(text, at)


def _named_behind(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """The name right before the parameter list; attributes with brackets come earlier."""
    end = min(len(text), at + FARTHEST)
    start = at
    while (stop := _STOP.search(text, at, end)) and stop[0] == "(":
        last = _LAST.search(text, max(start, stop.start() - 200), stop.start())
        if last is None or last[1] in NO_NAMES:
            return
        if not last[1].startswith("__"):
            yield last[1], last.start(1), stop.end()
            return
        _, at = _arguments(text, stop.start())


def _arguments(text: str, at: int) -> tuple[list[tuple[str, int]], int]:
    """The arguments of a call at `at`, each a name and its place, and where the call ends."""
    found: list[tuple[str, int]] = []
    depth, begun = 0, at
    for index in range(at, min(len(text), at + FARTHEST)):
        letter = text[index]
        if letter not in "(),":
            continue
        if depth == 1 and letter in "),":
            word = _WORD.search(text, begun, index)
            found.append((word[0], word.start()) if word else ("", begun))
        depth += (letter == "(") - (letter == ")")
        if letter == "(" and depth > 1:
            continue
        if depth == 0:
            return found, index + 1
        begun = index + 1 if depth == 1 else begun
    return found, min(len(text), at + FARTHEST)
