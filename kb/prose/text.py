"""Markdown, reStructuredText and plain text as stretches of prose with exact positions.

Everything that is no prose (code, addresses, HTML, link targets) is blanked out in a copy
of the text that has the same length, so that every offset holds in the original.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from kb.prose.grids import grid_at
from kb.spans import FENCE, code_spans

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock

Kind = Literal["paragraph", "heading", "cell"]
Range = tuple[int, int]

_LINE = re.compile(r"\r\n?|\n")
_NOT_BREAK = re.compile(r"[^\n]")
_BLANKED = re.compile(
    r"""https?://[^\s<>()\[\]|]+            # addresses
      | \((?<=\]\()\s*+<?[^\s()<>]*>?(?:\s*+(?<=\s)"[^"\n]*")?\s*+\)   # link targets
      | </?[A-Za-z!][^<>]*>                 # HTML tags and autolinks
      | \[\^[^\[\]\s]{1,40}\] | \[\d{1,3}\](?!\()   # marks of footnotes
      | \*\*|__|\*(?<![\w*]\*)(?=\S)|\*(?<=[^\s\d*]\*)(?![\w*])   # emphasis
    """,
    re.VERBOSE,
)
"""Every alternative begins with a letter of its own, so that the engine runs over all others."""
_CITED = re.compile(
    r"\[(?P<text>[^\[\]]*)\]\(\s*<?(?P<target>(?:claim|compare|evidence|result|decision|rule):[^\s()<>]+)"
)
_LEAD = re.compile(r"[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)]|#{1,6})[ \t]+|>)*")
_ENTITIES = {
    "&nbsp;": "\u00a0",
    "&#160;": "\u00a0",
    "&thinsp;": "\u202f",
    "&amp;": "&",
    "&times;": "×",
    "&approx;": "≈",
    "&ndash;": "–",
    "&mdash;": "—",
}
_ENTITY = re.compile("|".join(_ENTITIES))
ALIKE = {i: i - 0xFEE0 for i in range(0xFF01, 0xFF5F)} | {
    ord(a): ord(b)
    for a, b in zip("µ\u2044\u2215\u2212\u2007\u2009", "μ//-\u202f\u202f", strict=True)
}
"""Full-width letters and digits and other doubles, each mapped to the one that readers expect."""
_DOUBLE = re.compile(f"[{re.escape(''.join(map(chr, ALIKE)))}]")


@dataclass(frozen=True, slots=True)
class Segment:
    """One paragraph, heading or table cell."""

    kind: Kind
    start: int
    end: int
    above: tuple[Range, ...] = ()
    """What stands above it, nearest first: cells behind it, a paragraph, headings."""
    heads: tuple[Range, ...] = ()
    """What a cell stands under: the cells before it in its row, column head, table head."""
    peers: tuple[Range, ...] = ()
    """Other first cells of the table's rows and columns: what a name in this one's place is."""


@dataclass(frozen=True, slots=True)
class Prose:
    """A text, its blanked copy, and the stretches in which sentences stand."""

    text: str
    plain: str
    """The copy without code, addresses and marks; of the same length."""
    segments: tuple[Segment, ...]


@functools.lru_cache(maxsize=1)
def prose_of(text: str, language: Literal["markdown", "rst", "plain"] = "markdown") -> Prose:
    """Find the prose of a text; kept for those who ask about the same one next."""
    starts = [0, *(match.end() for match in _LINE.finditer(text))]
    if language == "markdown":
        segments = tuple(_markdown(text, starts))
    else:
        segments = tuple(_paragraphs(text, starts, rst=language == "rst"))
    return Prose(text, blanked(text), segments)


@functools.lru_cache(maxsize=1)
def blanked(text: str) -> str:
    """A copy of the same length without code, comments, citations, addresses and marks."""
    return _BLANKED.sub(lambda m: " " * len(m[0]), uncited_of(text))


@functools.lru_cache(maxsize=1)
def uncited_of(text: str) -> str:
    """A copy of the same length without code, comments and citations: half of `blanked`."""
    # A whole text is translated slowly where any of its letters is no ASCII.
    plain = text if text.isascii() else _DOUBLE.sub(lambda m: chr(ALIKE[ord(m[0])]), text)
    plain = _ENTITY.sub(lambda m: _ENTITIES[m[0]].ljust(len(m[0])), plain)
    plain = _without_comments(_without_code(plain))
    return _CITED.sub(lambda m: " " * len(m[0]), plain)


def code_blanked(text: str) -> str:
    """A Markdown text of the same length without fenced blocks, code spans and comments."""
    return _without_comments(_without_code(FENCE.sub(_spaces, text)))


def _without_comments(text: str) -> str:
    parts, done = [], 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        parts += [text[done:start], _NOT_BREAK.sub(" ", text[start : end + 3])]
        done = end + 3
    return "".join([*parts, text[done:]])


def _spaces(match: re.Match[str]) -> str:
    return _NOT_BREAK.sub(" ", match[0])


def _without_code(text: str) -> str:
    parts, done = [], 0
    for span in code_spans(text, within_paragraph=True):
        parts += [text[done : span.start], _NOT_BREAK.sub(" ", text[span.start : span.end])]
        done = span.end
    return "".join([*parts, text[done:]])


@functools.cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # late: only texts need it

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote"]}
    parser.block.ruler.at("html_block", _code_in_html, interrupts)
    return parser


_SUBJECT = re.compile(
    r"(?:\*\*)?(?:accelerator|board|card|chip|device|gpu|hardware|host|instance|machine|model|name"
    r"|node|platform|processor|product|server|system|target|tpu)"
    r"(?: type| name| model)?(?:\*\*)?\s?:",
    re.IGNORECASE,
)
"""An item that says what its whole list is about: `- GPU: H200 SXM`."""
LEADS = 3
"""How many lists around an item may say what it is about."""
NESTING = 100
"""Levels of quotes and lists that are told apart; each costs the parser some of Python's stack."""
_CODE_TAG = re.compile(r"<(?:pre|script|style|textarea)[\s>]", re.IGNORECASE)


def _code_in_html(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 (markdown-it calls it so)
    """HTML is a block of its own only where it holds code: what else stands in tags is read.

    Readers see it, on our pages even behind a comment that is never closed.
    """
    from markdown_it.rules_block import html_block

    if not _CODE_TAG.match(state.src, state.bMarks[start] + state.tShift[start]):
        return False
    return html_block(state, start, end, silent)


_LIST_ENDS = frozenset(
    ("bullet_list_open", "ordered_list_open", "bullet_list_close", "ordered_list_close")
)


class _Lists:
    """The lists around an item, and what introduces each: a paragraph, an item that names it."""

    def __init__(self) -> None:
        self.open: list[tuple[Range, ...]] = []

    def step(self, token: str, before: tuple[Range, ...]) -> tuple[Range, ...]:
        """Begin or end a list; what stood before it is what stands before its end."""
        if token.endswith("_open"):
            self.open.append(before)
            return before
        return self.open.pop()

    def leads(self) -> tuple[Range, ...]:
        """What introduces the innermost lists, nearest first."""
        return tuple(r for lead in reversed(self.open[-LEADS:]) for r in lead)

    def read(self, text: str, start: int, end: int) -> None:
        """Note an item that says what its list is about."""
        if self.open and _SUBJECT.match(text, start, end):
            self.open[-1] = ((start, end), *self.open[-1][-1:])


def _markdown(text: str, starts: list[int]) -> Iterator[Segment]:
    tokens = _parser().parse(text)
    if any(token.level >= NESTING - 2 for token in tokens):
        # The parser drops what is nested deeper; read without nesting, nothing can hide there.
        yield from _paragraphs(text, starts, rst=False)
        return
    bounds = [*starts, len(text)]
    headings: list[tuple[int, Range]] = []
    table: list[list[Range]] = []
    before: tuple[Range, ...] = ()
    lists = _Lists()
    level = 0
    for token in tokens:
        if token.type in _LIST_ENDS:
            before = lists.step(token.type, before)
        elif token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "table_open":
            table = []
        elif token.type == "tr_open" and token.map:
            line = bounds[token.map[0]], bounds[token.map[0] + 1]
            table.append(_cells(text, *line))
        elif token.type == "table_close":
            yield from _table(text, table, (*before, *(r for _, r in reversed(headings))))
            table = []
        elif token.type == "inline" and token.map and not table:
            start, end = bounds[token.map[0]], bounds[token.map[1]]
            match = _LEAD.match(text, start, end)
            start = match.end() if match else start
            above = (*lists.leads(), *(r for _, r in reversed(headings)))
            yield Segment("heading" if level else "paragraph", start, end, above)
            if level:
                headings = [*(h for h in headings if h[0] < level), (level, (start, end))]
            before = () if level else ((start, end),)
            lists.read(text, start, end)


def _cells(text: str, start: int, end: int) -> list[Range]:
    """The cells of one row, without outer pipes."""
    cuts = [m.start() for m in re.finditer(r"(?<!\\)\|", text[start:end])]
    edges = [start - 1, *(start + cut for cut in cuts), start + len(text[start:end].rstrip())]
    cells = [(a + 1, b) for a, b in pairwise(edges)]
    if cells and not text[slice(*cells[0])].strip():
        cells = cells[1:]
    if cells and cells[-1][0] >= cells[-1][1]:
        cells = cells[:-1]
    return cells


def _table(text: str, rows: list[list[Range]], above: tuple[Range, ...]) -> Iterator[Segment]:
    if not rows:
        return
    head = rows[0]
    grouped = _groups(text, rows)
    body = 2 if grouped else 1
    columns = grouped or [[cell] for cell in head]
    for cell in [cell for row in rows[:body] for cell in row]:
        yield Segment("cell", *cell, above)
    peers = (*head[:PEERS], *(row[0] for row in rows[body : PEERS + body] if row))
    for row in rows[body:]:
        for column, cell in enumerate(row):
            before = row[max(0, column - ROW_HEADS) : column]
            before = before if column <= ROW_HEADS else [row[0], *before]
            over = columns[column] if column < len(columns) else []
            heads = [*before, *over, *(head[:1] if column else ())]
            behind = row[column + 1 : column + 3]
            yield Segment("cell", *cell, (*behind, *above), tuple(heads), peers)


_FIGURE = re.compile(r"\d\s?(?:[kKMGTPE]i?[Bb]|[GTPE]?(?:FLOP|OP)|k?W\b)", re.IGNORECASE)


def _groups(text: str, rows: list[list[Range]]) -> list[list[Range]]:
    """Each column's heads where a second row of heads stands under groups; else none.

    `| | A | | B | |` over `| | per chip | per pod | per chip | per pod |`.
    """
    if len(rows) < 3 or not rows[1]:
        return []
    first = [text[slice(*cell)].strip() for cell in rows[0]]
    second = [text[slice(*cell)].strip() for cell in rows[1]]
    spans = any(one and not two for one, two in pairwise(first))
    if not spans or second[0] or not all(second[1:]) or any(map(_FIGURE.search, second)):
        return []
    heads: list[list[Range]] = []
    group: list[Range] = []
    for column, cell in enumerate(rows[1]):
        if column < len(first) and first[column]:
            group = [rows[0][column]]
        heads.append([cell, *group] if column else group)
    return heads


PEERS = 12
"""How many rows and columns tell whether a table is about several products."""
ROW_HEADS = 4
"""How many cells before a value may say what it is: product, scope, metric, format."""


def _paragraphs(text: str, starts: list[int], *, rst: bool) -> Iterator[Segment]:
    """Blocks between blank lines, headings and tables; literal blocks and directives are none."""
    bounds = [*starts, len(text)]
    headings: list[tuple[str, Range]] = []
    before: tuple[Range, ...] = ()
    line, last = 0, len(bounds) - 1
    while line < last:
        words = text[bounds[line] : bounds[line + 1]]
        above = tuple(r for _, r in reversed(headings))
        if found := grid_at(text, bounds, line, rst=rst):
            yield from _table(text, found.rows, (*before, *above))
            line, before = line + found.lines, ()
        elif rst and words.lstrip().startswith(".."):
            line = _behind(text, bounds, line + 1)
        elif not words.strip() or (rst and _RULER.match(words)):
            line += 1
        else:
            end = _block_end(text, bounds, line, rst=rst)
            mark = text[bounds[end] : bounds[end] + 1] if end < last else ""
            title = rst and end == line + 1 and end < last and _RULER.match(text, bounds[end])
            stretch = bounds[line], bounds[end]
            yield Segment("heading" if title else "paragraph", *stretch, above)
            if title:
                known = [level for level, _ in headings]
                headings = headings[: known.index(mark)] if mark in known else headings
                headings = [*headings, (mark, stretch)]
            before = () if title else (stretch,)
            literal = rst and text[slice(*stretch)].rstrip().endswith("::")
            line = _behind(text, bounds, end) if literal else end


_RULER = re.compile(r"([=\-~^\"'`#*+.:_])\1{2,}[ \t\r]*(?=\n|\Z)")


def _block_end(text: str, bounds: list[int], line: int, *, rst: bool) -> int:
    """The line behind a block of text: blank, a ruler, a directive or a table."""
    end = line + 1
    while end < len(bounds) - 1:
        words = text[bounds[end] : bounds[end + 1]]
        if not words.strip() or grid_at(text, bounds, end, rst=rst):
            break
        if rst and (words.lstrip().startswith("..") or _RULER.match(words)):
            break
        end += 1
    return end


def _behind(text: str, bounds: list[int], line: int) -> int:
    """The first line behind an indented block."""
    while line < len(bounds) - 1:
        words = text[bounds[line] : bounds[line + 1]]
        if words.strip() and words[:1] not in (" ", "\t"):
            break
        line += 1
    return line
