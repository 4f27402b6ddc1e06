"""The prose of a record inside a page: typed citations become links, everything else is inert.

Markdown stays Markdown, but no HTML, no attribute list, no image and no address outside
http(s) gets through. Code is written as escaped HTML, so that it doesn't matter whether
the site's parser sees code in the same places as this one.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from kb.pages.text import html_text
from kb.spans import FENCE, code_spans, without_code

Resolve = Callable[[str], "Target | None"]
"""From a citation (`claim:…`, `compare:…`, `evidence:…`, or a path) to where it leads."""

CITED = re.compile(r"(?:claim|compare|evidence|result):[^\s)<>\"']+\Z")
_LINK = re.compile(r"\]\(\s*<?(?P<target>[^\s()<>]*)>?(?P<title>\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)")
_WEB = re.compile(r"https?://[^\s()<>\"'\\^`{|}]+\Z", re.IGNORECASE)
_PATH = re.compile(r"[\w./-]+(?:#[\w.-]*)?\Z|#[\w.-]+\Z")


@dataclass(frozen=True)
class Target:
    """Where a citation leads, and what its reader must know."""

    address: str
    hover: str = ""


@functools.lru_cache(maxsize=64)
def citations(body: str) -> tuple[str, ...]:
    """Every typed citation outside code, in the order of the text."""
    found = [match["target"] for match in _LINK.finditer(without_code(body))]
    return tuple(dict.fromkeys(target for target in found if CITED.match(target)))


def prose(body: str, resolve: Resolve) -> str:
    """The body as safe Markdown with its citations resolved."""
    parts: list[str] = []
    end = 0
    for match in FENCE.finditer(body):
        parts += [_spans(body[end : match.start()], resolve), _fenced(match["text"] or "")]
        end = match.end()
    return "".join([*parts, _spans(body[end:], resolve)]).strip("\n")


def _fenced(text: str) -> str:
    return f"\n<pre><code>{html.escape(text.rstrip())}</code></pre>\n"


def _spans(text: str, resolve: Resolve) -> str:
    parts: list[str] = []
    end = 0
    for code in code_spans(text):
        parts += [
            _plain(text[end : code.start], resolve),
            f"<code>{html_text(code.text)}</code>",
        ]
        end = code.end
    return "".join([*parts, _plain(text[end:], resolve)])


def _without_comments(text: str) -> str:
    """The text without HTML comments, found in one pass however many are never closed."""
    parts, at = [], 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            break
        parts.append(text[at:start])
        at = end + 3
    return "".join((*parts, text[at:]))


def _plain(text: str, resolve: Resolve) -> str:
    text = _without_comments(text)
    parts: list[str] = []
    end = 0
    for match in _LINK.finditer(text):
        parts += [_inert(text[end : match.start()]), _target(match["target"], resolve)]
        end = match.end()
    return "".join([*parts, _inert(text[end:])])


def _target(target: str, resolve: Resolve) -> str:
    """The end of a link: its new address, or escaped brackets where it leads nowhere."""
    if _WEB.match(target):
        return f"](<{target.replace('*', '%2A').replace('_', '%5F')}>)"
    found = resolve(target) if CITED.match(target) or _PATH.match(target) else None
    if found is None:
        return "&#93;"
    hover = f' "{html_text(found.hover)}"' if found.hover else ""
    return f"]({found.address}{hover})"


def _inert(text: str) -> str:
    """Markdown without HTML, entities, attribute lists, images and loose code marks."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("`", "&#96;")
    text = text.replace("{", "&#123;").replace("}", "&#125;").replace("![", "&#33;[")
    # Entities and no backslashes: one in the text before ours would undo it.
    return re.sub(r"\](?=[(\[:])", "&#93;", text)
