"""Texts of MLPerf files: decoding, and JSON that keeps digits and survives being cut off."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from kb.finding import CheckError

MAX_BYTES = 64_000_000
MOST_ROWS = 50_000
"""A round of MLPerf has a few thousand."""
_GAP = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Rows:
    """The items of a JSON list, and where it breaks off."""

    items: tuple[object, ...]
    broken: str = ""
    """`line L, column C: why`; empty for a whole list."""


def read(path: Path) -> str:
    """The text of a file; raises `CheckError` for what is no readable UTF-8 text."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise CheckError(
                f"{path.name} has more than {MAX_BYTES:,} bytes", "import a part of it"
            )
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CheckError(
            f"{path.name} can't be read: {error.strerror or error}", "correct the path"
        ) from None
    except UnicodeDecodeError as error:
        raise CheckError(
            f"{path.name} is no UTF-8 text at byte {error.start}",
            "fetch the file again",
        ) from None


def rows_of(text: str, name: str) -> Rows:
    """The items of the list in `text`; of a list that breaks off, those before the break.

    Raises `CheckError` where the text holds no list at all.
    """
    decoder = json.JSONDecoder(parse_float=Decimal, parse_constant=lambda _: None)
    start = text.find("[")
    if start < 0 or text[:start].strip():
        raise CheckError(
            f"{name} holds no list of results", "name summary_results.json or a results folder"
        )
    items: list[object] = []
    at = _past_gap(text, start + 1)
    while at < len(text) and text[at] != "]":
        try:
            item, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            why = (
                "a number has too many digits"
                if isinstance(error, ValueError)
                else "nested too deep"
            )
            return Rows(tuple(items), _broken(text, at, getattr(error, "msg", why)))
        items.append(item)
        if len(items) > MOST_ROWS:
            raise CheckError(f"{name} holds more than {MOST_ROWS:,} rows", "import a part of it")
        at = _past_gap(text, end)
    if at >= len(text):
        return Rows(tuple(items), _broken(text, len(text), "the list has no end"))
    return Rows(tuple(items))


def _past_gap(text: str, at: int) -> int:
    """The first place behind blanks and commas."""
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def object_of(text: str) -> dict[str, object]:
    """The JSON object in `text`, digits kept; raises `ValueError` with the place of a mistake."""
    try:
        data = json.loads(text, parse_float=Decimal, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except ValueError:
        raise ValueError("a number has too many digits") from None
    if not isinstance(data, dict):
        raise ValueError("it holds no object")
    return data


def _broken(text: str, at: int, why: str) -> str:
    line = text.count("\n", 0, at) + 1
    column = at - text.rfind("\n", 0, at)
    return f"line {line}, column {column}: {why}"
