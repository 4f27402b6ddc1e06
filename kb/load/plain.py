"""YAML text to plain data where there is nothing to say about it, without looking at places.

Most files are sound, and nobody asks where anything in them stands. So libyaml's events are
taken as they come. Whatever is out of the ordinary (a mistake, a tag, an alias, a hidden
character, very many values) is left to `kb.load.nodes`, which says what it is.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import yaml
from yaml.events import (
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from kb.characters import HIDDEN

MAX_DEPTH = 60
MAX_NODES = 60_000

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+\Z")
_ODD = re.compile(
    r"""(?: [-+]?0[0-9]+(?:\.[0-9]*)?            # 010 is 8 in YAML 1.1
        | [-+]?0[xob][0-9a-fA-F_]+               # hexadecimal, octal, binary
        | [-+]?[0-9]+_[0-9_]*(?:\.[0-9_]*)?     # 1_000
        | [-+]?[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9]*)?  # 12:30 is 750
        | [-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][-+]?[0-9]+  # 1e3
        | [-+]?(?:[0-9]+\.|\.[0-9]+)             # 1. and .5
        | [-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)
        | yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|y|Y|n|N
        | True|TRUE|False|FALSE|Null|NULL|=|<<
        | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[Tt ].*  # a time stamp
        )\Z""",
    re.VERBOSE,
)
_LONGEST_WORD = len("false")
"""Of what begins with a letter, nothing longer than this has a meaning of its own."""


class UnusualError(Exception):
    """A text that holds something to be told, or something that costs a closer look."""


def read_scalar(text: str) -> tuple[Any, bool]:
    """What a scalar without quotes means, and whether other readers would take it for more."""
    if len(text) > _LONGEST_WORD and text[0].isalpha():
        return text, False  # no pattern can match
    if text in ("", "~", "null"):
        return None, False
    if text in ("true", "false"):
        return text == "true", False
    if _WHOLE.match(text):
        return (int(text), False) if len(text) <= 40 else (text, True)
    if _DECIMAL.match(text):
        return (Decimal(text), False) if len(text) <= 80 else (text, True)
    return text, _ODD.match(text) is not None


def may_hide(text: str) -> bool:
    """Whether a hidden character may be in a text, raw or written as an escape."""
    return "\\" in text or HIDDEN.search(text) is not None


def plain_data(text: str) -> Any:
    """The data of one sound document; raises `UnusualError` for every other one."""
    if may_hide(text):
        raise UnusualError
    try:
        reader = _Events(text)
        data = reader.document()
    except (yaml.YAMLError, ValueError, RecursionError):
        raise UnusualError from None
    return data


class _Events:
    """The events of one text, taken one after the other."""

    def __init__(self, text: str) -> None:
        parser: Any = getattr(yaml, "CLoader", None)
        if parser is None:
            raise UnusualError  # without libyaml nothing would be saved
        self.next = parser(text).get_event
        self.left = MAX_NODES

    def document(self) -> Any:
        """The only document of the text."""
        self.next()
        begin = self.next()
        if type(begin) is not DocumentStartEvent or begin.version or begin.tags:
            raise UnusualError
        data = self.value(self.next(), 0)
        if type(self.next()) is not DocumentEndEvent or type(self.next()) is not StreamEndEvent:
            raise UnusualError
        return data

    def value(self, event: Any, depth: int) -> Any:
        """The value that an event begins."""
        self.left -= 1
        kind = type(event)
        if self.left < 0 or depth > MAX_DEPTH or event.anchor or event.tag:
            raise UnusualError
        if kind is ScalarEvent:
            if event.style:
                return event.value
            value, odd = read_scalar(event.value)
            if odd:
                raise UnusualError
            return value
        if kind is MappingStartEvent:
            return self.mapping(depth + 1)
        if kind is SequenceStartEvent:
            return self.sequence(depth + 1)
        raise UnusualError  # an alias

    def mapping(self, depth: int) -> dict[str, Any]:
        """The pairs up to the end of a mapping."""
        found: dict[str, Any] = {}
        following, value = self.next, self.value
        while type(key := following()) is ScalarEvent:
            name = key.value
            if name in found or key.anchor or key.tag or (name == "<<" and not key.style):
                raise UnusualError
            found[name] = value(following(), depth)
        if type(key) is not MappingEndEvent:
            raise UnusualError
        return found

    def sequence(self, depth: int) -> list[Any]:
        """The items up to the end of a list."""
        found = []
        following, value = self.next, self.value
        while type(event := following()) is not SequenceEndEvent:
            found.append(value(event, depth))
        return found
