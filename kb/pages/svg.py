"""Drawings in fewer letters: what a page would carry twice and nobody would see.

A plot of samples is little else than paths. matplotlib writes every place with six digits; a
tenth of a point is less than a screen shows, and the way from the last place is shorter than
the place.
"""

from __future__ import annotations

import functools
import re

_PATH = re.compile(r'(?<= d=")[^"]*')
_FINER = re.compile(r"(?<=\d)(\.\d\d)\d+")
"""What is finer than a hundredth of a point, where it is no path."""
_COMMON = 'fill="currentColor" font-size="10px" font-family="sans-serif"'
"""What nearly every word and mark has: said once, at the top."""
_SAID_SHORTER = (
    (re.compile(r"<defs>\n</defs>\n|<g/>\n"), ""),
    (re.compile(r'<path d="[^"]*" fill="none"/>\n'), ""),  # neither line nor area
    (re.compile(r' (?:stroke-linejoin="miter"|stroke-dashoffset="0")'), ""),  # as without
    (re.compile(rf" (?:{_COMMON.replace(' ', '|')})"), ""),
    (re.compile(r"<svg\b"), f"<svg {_COMMON}"),
    (re.compile(r' transform="rotate\(-0 [^)]*\)"'), ""),
    (re.compile(r' xmlns:xlink="[^"]*"'), ""),
    # A mark has its line where it is defined; of the place where it is used it takes the fill.
    (
        re.compile(r'<use xlink:(href="[^"]*" x="[^"]*" y="[^"]*"(?: fill="[^"]*")?)[^>]*/>'),
        r"<use \1/>",
    ),
)
_LINE = re.compile(r'<path d="([^"]*)"((?![^>]*opacity)[^>]* fill="none"[^>]*)/>')
"""A line through which nothing shows, and all that is said about it but its way."""
_GROUP = re.compile(r"<(/?)g(\s[^>]*[^/>])?>\n?")
"""The start of a group, with its attributes where it has any, or its end."""


def short_paths(text: str) -> str:
    """The drawing with its paths in fewer letters: the first step, since they are most of it."""
    return _PATH.sub(_path, text)


def shorter(text: str) -> str:
    """An SVG element of matplotlib with short paths, one tag a line, in fewer letters."""
    for pattern, short in _SAID_SHORTER:
        text = pattern.sub(short, text)
    return _together(_ungrouped(_FINER.sub(r"\1", text)))


def _path(found: re.Match[str]) -> str:
    """A path in tenths of a point, each place as the way from the last one."""
    parts: list[str] = []
    last: tuple[int, int] | None = None
    for line in filter(None, found[0].strip().split("\n")):
        letter, *numbers = line.split()
        if letter not in "ML":
            parts.append(letter + " ".join(numbers))
            last = None
            continue
        x, y = round(float(numbers[0]) * 10), round(float(numbers[1]) * 10)
        if last is None:
            parts.append(letter + _pair(x, y))
        elif letter == "L" and y == last[1]:
            parts.append("h" + _tenths(x - last[0]))
        elif letter == "L" and x == last[0]:
            parts.append("v" + _tenths(y - last[1]))
        else:
            parts.append(letter.lower() + _pair(x - last[0], y - last[1]))
        last = x, y
    return "".join(parts)


def _pair(x: int, y: int) -> str:
    upright = _tenths(y)
    return _tenths(x) + (upright if upright.startswith("-") else f" {upright}")


@functools.lru_cache(maxsize=4096)
def _tenths(number: int) -> str:
    return re.sub(r"^(-?)0\.", r"\1.", f"{number / 10:g}")


def _ungrouped(text: str) -> str:
    """The drawing without groups that say nothing about what they hold."""
    told: list[bool] = []

    def kept(tag: re.Match[str]) -> str:
        if tag[1]:
            return tag[0] if told.pop() else ""
        told.append(bool(tag[2]))
        return tag[0] if told[-1] else ""

    return _GROUP.sub(kept, text)


def _together(text: str) -> str:
    """Lines that follow each other and look alike as one, such as those of a grid."""
    out: list[str] = []
    alike: str | None = None
    for tag in text.split("\n"):
        line = _LINE.fullmatch(tag)
        if line is not None and line[2] == alike:
            way = out[-1].index('" ', len('<path d="'))
            out[-1] = f"{out[-1][:way]}{line[1]}{out[-1][way:]}"
        else:
            out.append(tag)
        alike = line and line[2]
    return "\n".join(out)
