"""Fingerprints: a name for each finding that later runs and other programs recognise.

It holds no line number, so it survives lines that move, and no wording of ours, so it
survives a better sentence. It holds the content: the rule, the file, the line as written,
the marked stretch, and the same of every related place.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from kb.rules.result import Located, Mark

LENGTH = 32
"""Hexadecimal digits of a fingerprint."""


LONGEST_LINE = 4_000
"""Characters of a line that are looked at."""


def fingerprinted(items: Iterable[Located]) -> tuple[Located, ...]:
    """The findings, each with its fingerprint.

    Findings that agree in everything get a number behind it, from the second one on; with
    one of them gone, the last number is.
    """
    seen: Counter[str] = Counter()
    named = []
    for item in items:
        digest = _digest(item)
        seen[digest] += 1
        suffix = f":{seen[digest]}" if seen[digest] > 1 else ""
        named.append(replace(item, fingerprint=f"{digest}{suffix}"))
    return tuple(named)


def _digest(item: Located) -> str:
    parts = [item.finding.rule, item.finding.label, *_content(item.mark)]
    for related in sorted(item.related, key=lambda mark: (mark.path, mark.line)):
        parts += _content(related)
    # A file name may hold bytes that are no text.
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:LENGTH]


def _content(mark: Mark) -> Iterator[str]:
    """The file, the line without its blanks, and the stretch of it that is meant."""
    start, end = mark.span.start, mark.span.end
    stop = end.column - 1 if end.line == start.line else None
    first = start.column - 1
    line = mark.line
    if len(line) > LONGEST_LINE:  # the neighbourhood tells it from others just as well
        line = line[max(0, first - LONGEST_LINE // 2) : first + LONGEST_LINE // 2]
    yield mark.path
    yield " ".join(line.split())
    yield mark.line[first:stop][:LONGEST_LINE].strip()
