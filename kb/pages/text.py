"""Markdown by small hands: escaping, links, tables, folds and chips.

Everything that comes from data passes through `esc` (Markdown), `html_text` (inside a tag)
or `link`, so that a product named `<script>` or `](javascript:…)` is shown and does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_BLANKS = re.compile(r"\s+")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "~": "&#126;"}
"""Characters that some Markdown dialect gives a meaning and that no backslash protects."""
_INERT = str.maketrans({**_ENTITIES, **{sign: f"\\{sign}" for sign in "\\`*_{}[]#!"}})
_IN_TAG = str.maketrans({sign: f"&#{ord(sign)};" for sign in "&<>\"'\\`*_{}[]#!|~"})
_UNSEARCHED = "data-search-exclude"
_WEB = re.compile(r"https?://[^\s<>\"'\\^`{|}]+\Z", re.I)


def esc(value: object) -> str:
    """Text from data as inert inline Markdown, on one line."""
    return _BLANKS.sub(" ", str(value)).strip().translate(_INERT)


def html_text(value: object) -> str:
    """Text from data inside an HTML tag or attribute, on one line.

    Markdown's own marks become entities too, since inline HTML lies inside Markdown.
    """
    return _BLANKS.sub(" ", str(value)).strip().translate(_IN_TAG)


def code(value: object) -> str:
    """Text from data as code; HTML instead of backticks, which the text may hold."""
    return f"<code>{html_text(value)}</code>"


def link(label: str, target: str) -> str:
    """A link to one of our own pages; `label` is Markdown already."""
    return f"[{label}]({target})"


def web_link(label: str, address: str | None) -> str:
    """A link out of the site where the address is plain http(s), else the label alone."""
    if address is None or not _WEB.match(address):
        return label
    safe = address.replace("(", "%28").replace(")", "%29").replace("[", "%5B").replace("]", "%5D")
    return f"[{label}](<{safe.replace('*', '%2A').replace('_', '%5F')}>)"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A Markdown table; `align` has one letter a column (`l` or `r`). Empty without rows."""
    lines = [f"| {' | '.join(cell or ' ' for cell in row)} |" for row in rows]
    if not lines:
        return ""
    marks = ["---:" if align[i : i + 1] == "r" else "---" for i in range(len(head))]
    return "\n".join([f"| {' | '.join(head)} |", f"| {' | '.join(marks)} |", *lines])


def unsearched(title: str) -> str:
    """The heading of a part that only repeats other pages: searching finds those instead."""
    return f"## {title} {{ {_UNSEARCHED} }}"


def bullets(items: Iterable[str]) -> str:
    """A list; empty without items."""
    return "\n".join(f"- {item}" for item in items)


def fold(
    summary: str, body: str, *, anchor: str = "", opened: bool = False, searched: bool = True
) -> str:
    """A part that is folded until asked for; works without JavaScript.

    `summary` is inline HTML, `body` is Markdown.
    """
    name = f' id="{anchor}"' if anchor else ""
    state = (" open" if opened else "") + ("" if searched else f" {_UNSEARCHED}")
    return (
        f'<details{name} markdown="1"{state}>\n<summary>{summary}</summary>\n\n{body}\n\n</details>'
    )


def box(kind: str, body: str) -> str:
    """A block that stands out; `kind` is a class of our style sheet, `body` is Markdown."""
    return f'<div class="kb-box kb-{kind}" markdown="1">\n\n{body}\n\n</div>'


def wide(body: str, kind: str = "", *, told: bool = False, searched: bool = True) -> str:
    """A table that may scroll sideways on a narrow screen and can be reached by keyboard.

    `told` gives its last column, which holds sentences, room enough; `kind` is a class of our
    style sheet. One that only lists other pages isn't searched: it would be found as one long
    line, beside the pages themselves.
    """
    words = " ".join(["kb-scroll", *(["kb-told"] if told else []), *([kind] if kind else [])])
    said = "" if searched else " data-search-exclude"
    return (
        f'<div class="{words}" tabindex="0" role="region"{said} markdown="1">\n\n{body}\n\n</div>'
    )


def stacked(body: str, kind: str = "", *, told: bool = False, searched: bool = True) -> str:
    """A table whose rows become small blocks on a narrow screen, one cell below the other.

    For rows that read without their head. `kind` is a class of our style sheet.
    """
    return wide(body, f"kb-stack {kind}".strip(), told=told, searched=searched)


def chip(kind: str, label: object, title: object = "") -> str:
    """A small label: `kind` chooses the look, and the text says it all without colour."""
    hover = f' title="{html_text(title)}"' if title else ""
    return f'<span class="kb-chip kb-{kind}"{hover}>{html_text(label)}</span>'


def chip_link(kind: str, label: object, target: str, title: object) -> str:
    """A label that leads to its explanation, which also shows on hovering or focus."""
    text = f'[{esc(label)}]({target} "{html_text(title)}")'
    return f"{text}{{ .kb-chip .kb-{kind} }}"


def blocks(*parts: str) -> str:
    """Parts with one blank line between them; empty ones are left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def page(*parts: str) -> str:
    """A whole page: its parts and a closing line end."""
    return blocks(*parts) + "\n"


def plural(number: int, word: str, many: str = "") -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {word if number == 1 else many or word + 's'}"
