"""Finding the header of a foreign record: which dialect it is in, its fields and its title."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from kb.records.dialects.record import Dialect, Fault, Header, Item
from kb.spans import OPENS, outside_fences

REPLACED = ("superseded by", "superceded by", "replaced by")
"""Beginnings of a line in a Status section that are the status, although a link follows."""

LOOK = 40
"""How many lines are looked at for a header."""

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*\s*$")
_STATUS_HEADING = re.compile(r"#{1,2}\s+status\s*$", re.IGNORECASE)
_LINKS_HEADING = re.compile(r"#{1,6}\s+links\s*$", re.IGNORECASE)
_BULLET = re.compile(r"[*-]\s+(?P<name>[A-Za-z][\w /-]{0,40}?)\s*:\s*(?P<value>.*)$")
_BOLD = re.compile(
    r"\*\*(?P<name>[A-Za-z][^*:]{0,40}?)\s*(?P<more>\([^)]*\))?(?::\*\*|\*\*\s*(?:\([^)]*\))?\s*:)"
    r"\s*(?P<value>.*)$"
)
_BARE = re.compile(r"(?P<name>[A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,3}):(?:\s+(?P<value>.*))?$")
_KEY = re.compile(r"(?P<name>[A-Za-z][\w -]*?):(?:\s+(?P<value>.*))?$")
_NUMBERED = re.compile(r"^(?:ADR[- ]?)?\d{1,4}[a-z]?\s*[.:—–-]\s+")
_TAGGED = re.compile(r"^(?:\[[A-Z]{2,5}\]|RFC:)\s+")
_SECTION_LINK = re.compile(r"(?:[*-]\s+)?(?P<name>[A-Z][a-z]+(?: by)?)\s+(?P<value>\[.*)$")
PLAIN = "put the value in quotes, or write one word and keep the rest in the text"
_TYPED = {"id", "superseded-by", "supersedes", "superseded-section-by", "supersedes-section-of"}


def header_of(name: str, text: str) -> Header | None:
    """The header of a file, or None where it is no record."""
    lines = text.split("\n")
    if name == "kep.yaml":
        return _kep(lines)
    if lines[0].rstrip() == "---":
        return _front_matter(lines)
    if (match := _BARE.match(lines[0].rstrip())) and match["name"] != "http":
        return _bare(lines, 0)
    start = _start(lines)
    if start is None:
        return None
    kind, index = start
    if kind == "nygard":
        return _nygard(lines, index)
    if kind == "rfc822":
        return _bare(lines, index)
    return _listed(name, lines, index, kind)


def plain_title(text: str) -> str:
    """A title without its number and tag."""
    return _TAGGED.sub("", _NUMBERED.sub("", text.strip())).strip()


def titled_number(lines: list[str]) -> tuple[str, int] | None:
    """The number that a title begins with, and its line."""
    for index, line in _outside_fences(lines):
        match = _HEADING.match(line)
        if match and len(match["marks"]) == 1:
            number = re.match(r"(?:ADR[- ]?)?(\d{1,4}[a-z]?)\s*[.:—–-]\s+", match["text"])
            return (number[1], index + 1) if number else None
    return None


def _start(lines: list[str]) -> tuple[Dialect, int] | None:
    """The first line that fits a dialect, of those near the top."""
    for index, line in _outside_fences(lines):
        if index >= LOOK:
            return None
        if _STATUS_HEADING.match(line):
            return "nygard", index
        if line.startswith("## "):
            # Bullets and bold words below the first section are text. A Status may still come.
            rest = [i for i, other in _outside_fences(lines[:LOOK]) if _STATUS_HEADING.match(other)]
            return ("nygard", rest[0]) if rest else None
        if (match := _BULLET.match(line)) and match["name"].strip().lower() == "status":
            return "bullet", index
        if _BOLD.match(line):
            return "bold", index
        if (match := _BARE.match(line)) and match["name"].lower() in ("status", "proposal"):
            return "rfc822", index
    return None


def _outside_fences(lines: list[str]) -> Iterator[tuple[int, str]]:
    return ((index, line.rstrip()) for index, line in outside_fences(lines))


def _title(lines: list[str], start: int = 0) -> str:
    for _, line in _outside_fences(lines[start:]):
        match = _HEADING.match(line)
        if match and len(match["marks"]) == 1:
            return plain_title(match["text"])
    return ""


def _front_matter(lines: list[str]) -> Header:
    """Fields between the first two `---` lines; read line by line where YAML refuses them."""
    close = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), None)
    if close is None:
        fault = Fault(
            1, "the front matter that begins here is never closed", "close it with a line '---'"
        )
        items = tuple(_by_lines(lines[1:], 2))
        return Header("madr4", items, 1, _title(lines), 1, (fault,), _status(items))
    items, faults = _yaml_items(lines[1:close], 2)
    keys = {item.key for item in items}
    dialect: Dialect = "typed" if keys & _TYPED else "madr4"
    if "decision-makers" in keys:
        dialect = "madr4"
    elif "deciders" in keys:
        dialect = "madr3"
    named = next((item.value for item in items if item.key == "title"), "")
    title = _title(lines, close + 1) or plain_title(named)
    return Header(dialect, items, 1, title, close + 1, faults, _status(items))


def _kep(lines: list[str]) -> Header:
    items, faults = _yaml_items(lines, 1)
    title = next((plain_title(item.value) for item in items if item.key == "title"), "")
    return Header("kep", items, 1, title, len(lines), faults, _status(items))


LONGEST = 200_000
"""Characters of a header that are read; a whole record seldom has a tenth of them."""
MOST_FIELDS = 2_000
"""Fields of a header that are read; a record has a few dozen."""


def _yaml_items(lines: list[str], first: int) -> tuple[tuple[Item, ...], tuple[Fault, ...]]:
    """Fields from YAML nodes, all values as text; one item for each entry of a list."""
    text = "\n".join(lines) + "\n"
    if len(text) > LONGEST:
        told = f"the header has {len(text):,} characters; {LONGEST:,} at most are read"
        return (), (Fault(first, told, PLAIN),)
    loader = getattr(yaml, "CLoader", yaml.Loader)(text)
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = (mark.line if mark else 0) + first
        fault = Fault(
            line,
            f"YAML refuses the header: {error.problem or error.context}",
            PLAIN,
        )
        return tuple(_by_lines(lines, first)), (fault,)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        why = str(error).split("\n")[0] or type(error).__name__
        return tuple(_by_lines(lines, first)), (Fault(first, f"YAML refuses it: {why}", PLAIN),)
    finally:
        loader.dispose()
    if not isinstance(node, MappingNode):
        return (), ()
    if len(node.value) > MOST_FIELDS:
        told = f"the header has {len(node.value):,} fields; {MOST_FIELDS:,} at most are read"
        return (), (Fault(first, told, PLAIN),)
    items: list[Item] = []
    for key, value in node.value:
        items += _values(str(key.value), value, key.start_mark.line + first, first)
    return tuple(items), tuple(_comments(node, lines, first))


def _comments(node: MappingNode, lines: list[str], first: int) -> Iterator[Fault]:
    """Values that YAML cuts off at a `#`."""
    for key, value in node.value:
        source = lines[key.start_mark.line]
        if isinstance(value, ScalarNode) and not value.style and re.search(r"\s#\S", source):
            cut = re.split(r"\s#(?=\S)", source)[1]
            told = f"YAML reads only {value.value!r}: '#{cut}' is a comment to it"
            yield Fault(key.start_mark.line + first, told, "put the whole value in quotes")


def _values(name: str, node: Node, line: int, first: int) -> Iterator[Item]:
    if isinstance(node, ScalarNode):
        yield Item(name, "" if node.value in ("~", "null") else node.value, line)
    elif isinstance(node, SequenceNode):
        if not node.value:
            yield Item(name, "", line)
        for item in node.value:
            if isinstance(item, ScalarNode):
                yield Item(name, item.value, item.start_mark.line + first)
    else:
        yield Item(name, "{…}", line)


def _by_lines(lines: list[str], first: int) -> Iterator[Item]:
    for index, line in enumerate(lines):
        if match := _KEY.match(line):
            yield Item(match["name"], _unquoted(match["value"] or ""), index + first)


def _unquoted(value: str) -> str:
    bare = value.strip()
    return bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "'\"" else bare


def _nygard(lines: list[str], index: int) -> Header:
    """A Status section: one word on a line of its own, and lines with links."""
    items = tuple(
        Item(match["name"], match["value"] or "", i + 1)
        for i, line in _outside_fences(lines[:index])
        if (match := _BARE.match(line))
    )
    status: Item | None = None
    section: list[Item] = []
    end = index
    for offset, line in enumerate(lines[index + 1 :], index + 1):
        bare = line.strip()
        if bare.startswith("#"):
            break
        end = offset
        if not bare:
            continue
        if (match := _SECTION_LINK.match(bare)) and match["name"].lower() not in REPLACED:
            section.append(Item(match["name"], match["value"], offset + 1))
        elif status is None:
            status = Item("Status", bare, offset + 1)
    return Header("nygard", items, index + 1, _title(lines), end + 1, (), status, tuple(section))


def _listed(name: str, lines: list[str], index: int, kind: Dialect) -> Header:
    """Bullets or bold lines under the title, up to the next heading."""
    dialect: Dialect = kind
    if kind == "bullet" and re.match(r"\d{8}-", name):
        dialect = "log4brains"
    items: list[Item] = []
    end = first = index
    while first > 0 and (_item(lines[first - 1], kind) or not lines[first - 1].strip()):
        first -= 1
    for offset in range(first, len(lines)):
        line = lines[offset].rstrip()
        if line.startswith("#") or (kind == "bold" and OPENS.match(line)):
            break
        found = _item(line, kind)
        if found is not None:
            items.append(Item(*found, offset + 1))
            end = offset
        elif line and kind == "bullet" and not line[0].isspace() and not _BARE.match(line):
            break
        elif line and (match := _KEY.match(line.strip())) and not line.startswith("["):
            items.append(Item(match["name"], match["value"] or "", offset + 1))
            end = offset
    links = tuple(_links_section(lines, end + 1))
    listed = tuple(items)
    top = items[0].line if items else index + 1
    return Header(dialect, listed, top, _title(lines), end + 1, (), _status(listed), links)


def _item(line: str, kind: Dialect) -> tuple[str, str] | None:
    match = (_BOLD if kind == "bold" else _BULLET).match(line.rstrip())
    return (match["name"].strip(), match["value"].strip()) if match else None


def _links_section(lines: list[str], start: int) -> Iterator[Item]:
    inside = False
    for index, line in _outside_fences(lines):
        if index >= start and line.startswith("#"):
            inside = _LINKS_HEADING.match(line) is not None
        elif inside and (match := _SECTION_LINK.match(line.strip())):
            yield Item(match["name"], match["value"], index + 1)


def _bare(lines: list[str], index: int) -> Header:
    """`Key: value` lines; from line 1 they end at the first blank, else at the first heading."""
    items: list[Item] = []
    end = index
    for offset in range(index, len(lines)):
        line = lines[offset].rstrip()
        if line.startswith("#") or (index == 0 and not line):
            break
        if match := _BARE.match(line):
            items.append(Item(match["name"], match["value"] or "", offset + 1))
            end = offset
        elif line and line[0].isspace() and items:
            last = items[-1]
            items[-1] = Item(last.name, f"{last.value} {line.strip()}".strip(), last.line)
            end = offset
        elif line:
            break
    listed = tuple(items)
    named = next((item.value for item in items if item.key == "title"), "")
    title = plain_title(named) or _title(lines)
    return Header("rfc822", listed, index + 1, title, end + 1, (), _status(listed))


def _status(items: tuple[Item, ...]) -> Item | None:
    return next((item for item in items if item.key == "status"), None)
