"""No regular expression of ours goes back and forth over a long text that fits it almost.

Every compiled pattern that a module of kb holds is searched for in texts made of its own
characters, each ending in what it can't take.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]  # the library's own reading
from typing import Any

import pytest

import kb
from tests.fuzz.test_large import slowness
from tests.ledger import note

SIZE = 1_500
"""Characters: what takes steps by the square of the length ends at once, what takes more doesn't.
How the patterns are used on a megabyte is what `test_large` tries."""
SECONDS = 1.0
PUMPS = ("a", "0", " ", "\n", "-", "_", ".", ",", "1,", "a ", "1 ", "a-", '"', "\\", "<", "[", "(",
         "`")  # fmt: skip
STOPS = ("\n", "\0")
FIXED = ("kb.mkdocs_hook",)
"""Modules that can't be imported by themselves."""


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern for text, by the name under which a module holds it first."""
    found: dict[str, re.Pattern[str]] = {}
    seen: set[tuple[str, int]] = set()
    for module in pkgutil.walk_packages(kb.__path__, "kb."):
        if module.name.startswith(FIXED) or "__main__" in module.name:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                key = value.pattern, value.flags
                if key not in seen:
                    seen.add(key)
                    found[f"{module.name}.{name}"] = value
    return found


def literals(parsed: Any) -> Iterator[str]:  # noqa: ANN401 - a tree of the library's own
    """Stretches of characters that a pattern names, from left to right."""
    stretch = ""
    for kind, value in parsed:
        if kind is _constants.LITERAL:
            stretch += chr(value)
            continue
        if stretch:
            yield stretch
        stretch = ""
        for part in value if isinstance(value, tuple | list) else (value,):
            if isinstance(part, _parser.SubPattern):
                yield from literals(part)
            elif isinstance(part, list):
                for inner in part:
                    if isinstance(inner, _parser.SubPattern):
                        yield from literals(inner)
    if stretch:
        yield stretch


def texts(pattern: re.Pattern[str]) -> Iterator[str]:
    """Long texts that a pattern almost fits."""
    own = list(dict.fromkeys(literals(_parser.parse(pattern.pattern, pattern.flags))))[:6]
    pumps = [*PUMPS, *own, *(f"{word} " for word in own), *(f"{word}0" for word in own[:2])]
    heads = ("", *own[:1])
    for pump in dict.fromkeys(pumps):
        middle = pump * (SIZE // len(pump))
        for head in heads:
            for stop in STOPS if head == "" else STOPS[1:2]:
                yield head + middle + stop


@pytest.mark.slow
def test_no_pattern_takes_long_over_a_text_that_fits_it_almost() -> None:
    tried, slow = 0, []
    limit = SECONDS * slowness()
    found = patterns()
    assert len(found) > 200
    for name, pattern in found.items():
        for text in texts(pattern):
            tried += 1
            started = time.process_time()
            pattern.search(text)
            if time.process_time() - started > limit:
                slow.append((name, text[:40]))
                break
    assert not slow
    note("patterns", "kb", tried)
