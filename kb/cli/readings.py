"""`kb lint --readings`: how each number of a text is read, and by which words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kb.files import read_text
from kb.finding import CheckError
from kb.prose.answer import Language
from kb.prose.known import Known
from kb.prose.readings import Reading, readings
from kb.prose.remark import Remark

SUFFIXES: dict[str, Language] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".rst": "rst",
    ".txt": "plain",
}
"""What `kb lint DIR` reads."""


def tell(files: Sequence[tuple[Path, str]], catalogue: Known, *, as_json: bool) -> int:
    """Print the readings of every file: a line each, or JSON lines with one object a file."""
    for path, name in files:
        text, unread = read_text(path, name, path.resolve().parent)
        if text is None:
            raise CheckError(f"{name}: {unread[0].message}", unread[0].remedy)
        language = SUFFIXES.get(path.suffix, "plain")
        stops: list[Remark] = []
        found = list(readings(text, catalogue, language, stops))
        if as_json:
            data: dict[str, Any] = {"schema_version": 1, "path": name}
            data["readings"] = [reading_data(text, reading) for reading in found]
            if stops:
                data["unread"] = {"start": stops[0].start, "message": stops[0].message}
            print(json.dumps(data))
        else:
            lines = [_line(name, text, reading) for reading in found]
            lines += [f"{_at(name, text, stop.start)}: {stop.message}" for stop in stops]
            print("\n".join(lines))
    return 0


def reading_data(text: str, reading: Reading) -> dict[str, Any]:
    """A reading as plain data; offsets count characters from 0, `end` is exclusive."""
    return {
        "text": text[reading.start : reading.end],
        "start": reading.start,
        "end": reading.end,
        "kind": reading.kind,
        "products": list(reading.products),
        "metrics": list(reading.metrics),
        "stated": {axis: list(values) for axis, values in reading.stated.items()},
        "claims": list(reading.claims),
        "confidence": reading.confidence,
        "words": [
            {
                "axis": word.axis,
                "value": word.value,
                "text": text[word.start : word.end],
                "start": word.start,
                "end": word.end,
            }
            for word in reading.words
        ],
        "question": reading.question or None,
    }


def _at(name: str, text: str, offset: int) -> str:
    row = text.count("\n", 0, offset) + 1
    return f"{name}:{row}:{offset - text.rfind(chr(10), 0, offset)}"


def _line(name: str, text: str, reading: Reading) -> str:
    words = dict.fromkeys(" ".join(text[w.start : w.end].split()) for w in reading.words)
    about = ", ".join(reading.claims) or ", ".join(reading.products) or "no product"
    by = f" by {', '.join(repr(word) for word in words)}" if words else ""
    asked = f"; {reading.question}" if reading.question else ""
    number = " ".join(text[reading.start : reading.end].split())
    return f"{_at(name, text, reading.start)}: {number}: {about} ({reading.confidence}{by}){asked}"
